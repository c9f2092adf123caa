import { type Crowd, DT, wallsOf } from './sparse-crowd.ts';

/** One step of a world that somebody else moves. */
export type Step = () => void;

/** Rapier's rigid bodies. They also turn, and a solver of contacts keeps stacks and piles standing; here nothing lies on anything. */
export async function rapierOf(crowd: Crowd): Promise<{ version: string; step: Step }> {
  const { default: RAPIER } = await import('@dimforge/rapier3d-compat');
  await RAPIER.init();
  const world = new RAPIER.World({ x: 0, y: 0, z: 0 });
  world.timestep = DT;
  for (const { centre, halves } of wallsOf(crowd)) {
    const [x, y, z] = centre as [number, number, number];
    const [hx, hy, hz] = halves as [number, number, number];
    world.createCollider(RAPIER.ColliderDesc.cuboid(hx, hy, hz).setTranslation(x, y, z).setRestitution(1).setFriction(0));
  }
  for (const [x, y, z, vx, vy, vz] of crowd.boxes) {
    const body = world.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setTranslation(x, y, z).setLinvel(vx, vy, vz).setCanSleep(false));
    world.createCollider(RAPIER.ColliderDesc.cuboid(0.5, 0.5, 0.5).setRestitution(1).setFriction(0), body);
  }
  return { version: RAPIER.version(), step: () => world.step() };
}

interface Box {
  readonly p: [number, number, number];
  readonly v: [number, number, number];
  readonly half: readonly [number, number, number];
}

/** [SW-R25] "Collision detection is O(n^2)": every box against every other one, up to four times a step, as the document has it. */
export function naiveOf(crowd: Crowd): Step {
  const bodies = crowd.boxes.map(([x, y, z, vx, vy, vz]): Box => ({ p: [x, y, z], v: [vx, vy, vz], half: [0.5, 0.5, 0.5] }));
  const walls = wallsOf(crowd).map(({ centre, halves }): Box => ({
    p: centre as [number, number, number],
    v: [0, 0, 0],
    half: halves as [number, number, number],
  }));
  const all = [...walls, ...bodies];
  return () => {
    for (const body of bodies) moveNaively(body, all);
  };
}

function moveNaively(body: Box, all: readonly Box[]): void {
  let left = DT;
  for (let iteration = 0; iteration < 4 && left > 0; iteration++) {
    let first = 1;
    let axis = -1;
    for (const other of all) {
      if (other === body) continue;
      const hit = sweep(body, other, left, first);
      if (hit === null) continue;
      [first, axis] = hit;
    }
    const t = Math.max(0, first - 0.001);
    for (let i = 0; i < 3; i++) body.p[i]! += body.v[i]! * left * t;
    if (axis < 0) return;
    body.v[axis]! *= -1;
    left *= 1 - t;
  }
}

/** The moment before `before` at which the body enters the other one's Minkowski sum, and across which axis. */
function sweep(body: Box, other: Box, time: number, before: number): [number, number] | null {
  let enter = -Infinity;
  let exit = Infinity;
  let axis = -1;
  for (let i = 0; i < 3; i++) {
    const rel = body.p[i]! - other.p[i]!;
    const reach = body.half[i]! + other.half[i]!;
    const d = body.v[i]! * time;
    if (d === 0) {
      if (Math.abs(rel) >= reach) return null;
      continue;
    }
    const near = ((d > 0 ? -reach : reach) - rel) / d;
    const far = ((d > 0 ? reach : -reach) - rel) / d;
    if (near > enter) {
      enter = near;
      axis = i;
    }
    exit = Math.min(exit, far);
  }
  return enter >= 0 && enter < before && enter < exit ? [enter, axis] : null;
}
