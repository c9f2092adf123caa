import { HitLog, PhysicsState, placeBall, stepBalls, Table } from '@lockstep/pinball';
import { HEIGHT, makeStarts, makeTable, RADIUS, type Start, STEP, WIDTH } from './pinball-table.ts';

export interface Scenario {
  readonly balls: number;
  /** Speed: radii of a ball in a step. */
  readonly radii: number;
  /** Do balls hit each other? */
  readonly colliding: boolean;
  /** Are the balls' places read after every step? Whoever draws them or looks for escapes does. */
  readonly read: boolean;
}

/** A table with its balls in some engine: e = 1, no friction, no gravity, steps of 1/60 s. */
export interface Run {
  step(): void;
  /** Where all balls are, in metres: x, y, x, y... */
  read(places: Float64Array): void;
  /** x, y, vx, vy of a ball, in metres and seconds. */
  ball(i: number): readonly [x: number, y: number, vx: number, vy: number];
  free(): void;
}

export interface PinballEngine {
  readonly name: string;
  start(scenario: Scenario): Run;
}

const tables = new Map<string, Table>();

/** A table is made once and serves any number of games; what it knows of itself it learns in the first of them. */
function tableFor(balls: number, colliding: boolean): Table {
  const key = `${balls} ${colliding}`;
  const known = tables.get(key);
  if (known !== undefined) return known;
  const table = new Table({
    radius: RADIUS,
    balls,
    colliders: makeTable().map((it) =>
      it.kind === 'disk'
        ? { kind: 'disk', at: [it.x, it.y], radius: it.radius }
        : { kind: 'segment', from: [it.x1, it.y1], to: [it.x2, it.y2] },
    ),
    ...(colliding ? { ballMaterial: { restitution: 1 } } : {}),
  });
  tables.set(key, table);
  return table;
}

export const lockstep: PinballEngine = {
  name: 'lockstep',
  start({ balls, radii, colliding }) {
    const table = tableFor(balls, colliding);
    const state = new PhysicsState(table);
    makeStarts(balls, radii).forEach(({ x, y, vx, vy }, i) => {
      if (!placeBall(table, state, i, x, y)) throw new Error(`no room for ball ${i}`);
      state.vx[i] = vx;
      state.vy[i] = vy;
    });
    const log = new HitLog();
    return {
      step() {
        log.clear();
        stepBalls(table, state, STEP, log);
      },
      read(places) {
        for (let i = 0; i < balls; i++) {
          places[2 * i] = state.x[i]!;
          places[2 * i + 1] = state.y[i]!;
        }
      },
      ball: (i) => [state.x[i]!, state.y[i]!, state.vx[i]!, state.vy[i]!],
      free() {},
    };
  },
};

/** Peers are dev-dependencies: where one is not installed, it is left out and named. */
export async function loadPeers(): Promise<{ peers: PinballEngine[]; missing: string[] }> {
  const loaders = { rapier: loadRapier, box2d3: loadBox2d, planck: loadPlanck, matter: loadMatter };
  const peers: PinballEngine[] = [];
  const missing: string[] = [];
  for (const [name, load] of Object.entries(loaders)) {
    try {
      peers.push(await load());
    } catch (error) {
      missing.push(`${name}: ${error instanceof Error ? error.message.split('\n')[0]! : String(error)}`);
    }
  }
  return { peers, missing };
}

/** As its documentation says for fast bodies: ccd on, one substep of it by default. Collision groups keep balls apart from balls. */
async function loadRapier(): Promise<PinballEngine> {
  const { default: rapier } = await import('@dimforge/rapier2d-compat');
  await rapier.init();
  const BALLS_HIT_WALLS_ONLY = (0x0002 << 16) | 0x0001;
  return {
    name: 'rapier',
    start({ balls, radii, colliding }) {
      const world = new rapier.World({ x: 0, y: 0 });
      world.timestep = STEP;
      for (const it of makeTable()) {
        const shape =
          it.kind === 'disk'
            ? rapier.ColliderDesc.ball(it.radius).setTranslation(it.x, it.y)
            : rapier.ColliderDesc.segment({ x: it.x1, y: it.y1 }, { x: it.x2, y: it.y2 });
        world.createCollider(shape.setRestitution(1).setFriction(0));
      }
      const bodies = makeStarts(balls, radii).map(({ x, y, vx, vy }) => {
        const body = world.createRigidBody(
          rapier.RigidBodyDesc.dynamic().setTranslation(x, y).setLinvel(vx, vy).setCcdEnabled(true).setCanSleep(false),
        );
        const shape = rapier.ColliderDesc.ball(RADIUS).setRestitution(1).setFriction(0);
        world.createCollider(colliding ? shape : shape.setCollisionGroups(BALLS_HIT_WALLS_ONLY), body);
        return body;
      });
      return {
        step: () => world.step(),
        read(places) {
          for (let i = 0; i < bodies.length; i++) {
            const { x, y } = bodies[i]!.translation();
            places[2 * i] = x;
            places[2 * i + 1] = y;
          }
        },
        ball(i) {
          const [at, speed] = [bodies[i]!.translation(), bodies[i]!.linvel()];
          return [at.x, at.y, speed.x, speed.y];
        },
        free: () => world.free(),
      };
    },
  };
}

/** Four substeps and continuous collision, its defaults; bullets where balls hit balls, as its manual says; no cut of speeds, no rest threshold. */
async function loadBox2d(): Promise<PinballEngine> {
  const { default: factory } = await import('box2d3-wasm');
  const b2 = await factory();
  const SUBSTEPS = 4;
  return {
    name: 'box2d3',
    start({ balls, radii, colliding }) {
      const definition = b2.b2DefaultWorldDef();
      definition.gravity.Set(0, 0);
      definition.restitutionThreshold = 0;
      definition.maximumLinearSpeed = 1e6;
      definition.enableSleep = false;
      const world = b2.b2CreateWorld(definition);
      const shape = b2.b2DefaultShapeDef();
      shape.material.restitution = 1;
      shape.material.friction = 0;
      const disk = new b2.b2Circle();
      const walls = b2.b2CreateBody(world, b2.b2DefaultBodyDef());
      for (const it of makeTable()) {
        if (it.kind === 'disk') {
          disk.center.Set(it.x, it.y);
          disk.radius = it.radius;
          b2.b2CreateCircleShape(walls, shape, disk);
        } else {
          const segment = new b2.b2Segment();
          segment.point1.Set(it.x1, it.y1);
          segment.point2.Set(it.x2, it.y2);
          b2.b2CreateSegmentShape(walls, shape, segment);
        }
      }
      if (!colliding) shape.filter.groupIndex = -1;
      disk.center.Set(0, 0);
      disk.radius = RADIUS;
      const bodies = makeStarts(balls, radii).map(({ x, y, vx, vy }) => {
        const body = b2.b2DefaultBodyDef();
        body.type = b2.b2BodyType.b2_dynamicBody;
        body.position.Set(x, y);
        body.linearVelocity.Set(vx, vy);
        body.isBullet = colliding;
        body.enableSleep = false;
        const id = b2.b2CreateBody(world, body);
        b2.b2CreateCircleShape(id, shape, disk);
        return id;
      });
      return {
        step: () => b2.b2World_Step(world, STEP, SUBSTEPS),
        read(places) {
          for (let i = 0; i < bodies.length; i++) {
            const at = b2.b2Body_GetPosition(bodies[i]!);
            places[2 * i] = at.x;
            places[2 * i + 1] = at.y;
            at.delete();
          }
        },
        ball(i) {
          const [at, speed] = [b2.b2Body_GetPosition(bodies[i]!), b2.b2Body_GetLinearVelocity(bodies[i]!)];
          return [at.x, at.y, speed.x, speed.y];
        },
        free: () => b2.b2DestroyWorld(world),
      };
    },
  };
}

/** Bullets, 8 and 3 iterations as in its guide; no cut of speeds, no rest threshold. */
async function loadPlanck(): Promise<PinballEngine> {
  const { Circle, Edge, Settings, Vec2, World } = await import('planck');
  Settings.maxTranslation = 1e6;
  Settings.velocityThreshold = 0;
  return {
    name: 'planck',
    start({ balls, radii, colliding }) {
      const world = new World({ gravity: { x: 0, y: 0 }, allowSleep: false });
      const surface = { restitution: 1, friction: 0 };
      const walls = world.createBody();
      for (const it of makeTable()) {
        const shape =
          it.kind === 'disk' ? new Circle(new Vec2(it.x, it.y), it.radius) : new Edge(new Vec2(it.x1, it.y1), new Vec2(it.x2, it.y2));
        walls.createFixture({ shape, ...surface });
      }
      const bodies = makeStarts(balls, radii).map(({ x, y, vx, vy }) => {
        const body = world.createBody({ type: 'dynamic', position: { x, y }, linearVelocity: { x: vx, y: vy }, bullet: true });
        body.createFixture({ shape: new Circle(RADIUS), density: 1, filterGroupIndex: colliding ? 0 : -1, ...surface });
        return body;
      });
      return {
        step: () => world.step(STEP, 8, 3),
        read(places) {
          for (let i = 0; i < bodies.length; i++) {
            const { x, y } = bodies[i]!.getPosition();
            places[2 * i] = x;
            places[2 * i + 1] = y;
          }
        },
        ball(i) {
          const [at, speed] = [bodies[i]!.getPosition(), bodies[i]!.getLinearVelocity()];
          return [at.x, at.y, speed.x, speed.y];
        },
        free() {},
      };
    },
  };
}

/** It counts in pixels, has no walls without thickness (these are half a radius thick, as far behind the line as before it) and no ccd. */
async function loadMatter(): Promise<PinballEngine> {
  const { default: matter } = await import('matter-js');
  const PIXELS = 80;
  const surface = { restitution: 1, friction: 0, frictionStatic: 0, frictionAir: 0, slop: 0 };
  const toVelocity = (metres: number): number => (metres * PIXELS) / 60;
  const thick = (RADIUS / 2) * PIXELS;
  return {
    name: 'matter',
    start({ balls, radii, colliding }) {
      const engine = matter.Engine.create({ gravity: { x: 0, y: 0 }, enableSleeping: false });
      for (const it of makeTable()) {
        const still = { isStatic: true, ...surface };
        if (it.kind === 'disk') {
          matter.Composite.add(engine.world, matter.Bodies.circle(it.x * PIXELS, it.y * PIXELS, it.radius * PIXELS, still));
          continue;
        }
        const [dx, dy] = [it.x2 - it.x1, it.y2 - it.y1];
        const [x, y] = [((it.x1 + it.x2) / 2) * PIXELS, ((it.y1 + it.y2) / 2) * PIXELS];
        const wall = matter.Bodies.rectangle(x, y, Math.hypot(dx, dy) * PIXELS, thick, { ...still, angle: Math.atan2(dy, dx) });
        matter.Composite.add(engine.world, wall);
      }
      const group = colliding ? 0 : -1;
      const bodies = makeStarts(balls, radii).map(({ x, y, vx, vy }) => {
        const ball = { ...surface, inertia: Infinity, collisionFilter: { group, category: 1, mask: 0xffffffff } };
        const body = matter.Bodies.circle(x * PIXELS, y * PIXELS, RADIUS * PIXELS, ball);
        matter.Body.setVelocity(body, { x: toVelocity(vx), y: toVelocity(vy) });
        matter.Composite.add(engine.world, body);
        return body;
      });
      return {
        step: () => matter.Engine.update(engine, STEP * 1000),
        read(places) {
          for (let i = 0; i < bodies.length; i++) {
            const { x, y } = bodies[i]!.position;
            places[2 * i] = x / PIXELS;
            places[2 * i + 1] = y / PIXELS;
          }
        },
        ball(i) {
          const { position, velocity } = bodies[i]!;
          return [position.x / PIXELS, position.y / PIXELS, (velocity.x * 60) / PIXELS, (velocity.y * 60) / PIXELS];
        },
        free: () => matter.Engine.clear(engine),
      };
    },
  };
}

/** What became of the balls: how many have left the table, and by how much the energy of all of them differs from that at the start. */
export function judge(run: Run, { balls, radii }: Scenario): { escapes: number; energyError: number } {
  let escapes = 0;
  let energy = 0;
  let before = 0;
  makeStarts(balls, radii).forEach((start: Start, i) => {
    const [x, y, vx, vy] = run.ball(i);
    if (!(x >= 0 && x <= WIDTH && y >= 0 && y <= HEIGHT)) escapes++;
    energy += vx * vx + vy * vy;
    before += start.vx * start.vx + start.vy * start.vy;
  });
  return { escapes, energyError: energy / before - 1 };
}
