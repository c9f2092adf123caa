import type { Mesh as SceneMesh, Box, Path, Scene, Shape, Sphere } from '@lockstep/kernel';
import {
  BufferAttribute,
  BufferGeometry,
  type Camera,
  Color,
  ColorManagement,
  DoubleSide,
  LinearSRGBColorSpace,
  Mesh,
  PerspectiveCamera,
  Scene as Scenery,
  ShaderMaterial,
  Vector3,
  Vector4,
  WebGLRenderer,
} from 'three';
import { colourOf, type Look } from '../theme.ts';
import { Ball } from './ball.ts';
import { BoxCrowd, type Light } from './boxes.ts';
import { CameraRig, isEndless, isFlat, type Subjects } from './cameras.ts';
import { Ribbon } from './ribbon.ts';
import { floor, glass, plain, rock } from './shaders.ts';
import { Specks } from './specks.ts';
import { strokeOf } from './stroke.ts';

ColorManagement.enabled = false;

/** What is to be seen now: two scenes and a place between them. */
export interface Sight {
  readonly from: Scene;
  readonly to: Scene;
  /** 0..1 from `from` to `to`. */
  readonly share: number;
  /** Scenes before `from`, oldest first: where trails come from. */
  readonly past: readonly Scene[];
  readonly ticksPerSecond: number;
}

export interface ScreenPosition {
  /** CSS pixels of the window. */
  readonly x: number;
  readonly y: number;
  /** In front of the camera and inside the canvas. */
  readonly visible: boolean;
}

const MOST_GLOWS = 4;
/** On a map, what belongs to a seat and would be smaller than this shines as wide. */
const LEAST_PIXELS = 9;
/** Pixels from the thing at which it is steered with full force. */
const FULL_PULL = 80;

/** Draws scenes by their roles. It knows no world and touches no state. */
export class Stage {
  readonly rig = new CameraRig();
  private readonly renderer: WebGLRenderer;
  private readonly scenery = new Scenery();
  private readonly perspective = new PerspectiveCamera(38, 1, 0.5, 2000);
  private camera: Camera = this.perspective;
  private readonly balls = new Map<string, Ball>();
  private readonly paths = new Map<string, Ribbon>();
  private readonly crowds = new Map<string, BoxCrowd>();
  private readonly specks = new Map<string, Specks>();
  private statics: Mesh<BufferGeometry, ShaderMaterial>[] = [];
  private meshes: readonly SceneMesh[] = [];
  private bounds: Box = { min: [0, 0, 0], max: [1, 1, 1] };
  private look: Look;
  private subjects: Subjects = { ball: null, players: [], goals: [] };
  private playerSeats: number[] = [];

  constructor(canvas: HTMLCanvasElement, look: Look) {
    this.look = look;
    this.renderer = new WebGLRenderer({ canvas, alpha: true, antialias: true, powerPreference: 'high-performance' });
    this.renderer.outputColorSpace = LinearSRGBColorSpace;
    this.renderer.setClearColor(0x000000, 0);
  }

  /** `covered`: pixels at the top and the bottom that lie under the HUD. */
  resize(width: number, height: number, pixelRatio: number, covered: { readonly top: number; readonly bottom: number }): void {
    this.renderer.setPixelRatio(Math.min(pixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.perspective.aspect = width / Math.max(height, 1);
    this.perspective.updateProjectionMatrix();
    this.rig.map.resize(width, height, covered);
  }

  dispose(): void {
    this.clear();
    this.renderer.dispose();
  }

  /** A new game: its static geometry and its extent. */
  build(bounds: Box, meshes: readonly SceneMesh[]): void {
    this.clear();
    this.bounds = bounds;
    this.meshes = meshes;
    this.rig.frame(bounds, outlineOf(meshes), isEndless(meshes));
    const goals = ownGoals(meshes).map(centreOf);
    this.subjects = { ball: null, players: [], goals };
    for (const mesh of meshes) {
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', new BufferAttribute(mesh.positions, 3));
      geometry.setAttribute('normal', new BufferAttribute(mesh.normals, 3));
      geometry.setIndex(new BufferAttribute(mesh.indices, 1));
      const drawn = new Mesh(geometry, materialFor(mesh, isFlat(bounds)));
      drawn.frustumCulled = false;
      drawn.renderOrder = mesh.material.role === 'floor' ? 0 : mesh.material.role === 'line' ? 1 : 3;
      this.statics.push(drawn);
      this.scenery.add(drawn);
    }
    this.paint(this.look);
  }

  paint(look: Look): void {
    this.look = look;
    this.statics.forEach(({ material }, i) => this.paintStatic(this.meshes[i]!, material.uniforms));
    for (const ball of this.balls.values()) ball.painted = false;
  }

  private paintStatic({ material }: SceneMesh, uniforms: ShaderMaterial['uniforms']): void {
    const { look, bounds } = this;
    const own = colourOf(look, material);
    if (uniforms['stone'] !== undefined) {
      uniforms['stone'].value.set(look.stone);
      uniforms['sky']!.value.set(look.sky);
      uniforms['ground']!.value.set(look.ground);
      uniforms['edge']!.value.set(look.roles.hazard);
      return;
    }
    if (material.role !== 'floor') {
      uniforms['colour']!.value.set(own);
      if (uniforms['strength'] !== undefined) uniforms['strength'].value = look.glass;
      return;
    }
    uniforms['centre']!.value.set(look.floorCentre);
    uniforms['rim']!.value.set(look.floorEdge);
    uniforms['line']!.value.set(look.roles.line);
    uniforms['extent']!.value.set(...[0, 1, 2].map((k) => Math.max((bounds.max[k]! - bounds.min[k]!) / 2, 1)));
    ownGoals(this.meshes)
      .slice(0, MOST_GLOWS)
      .forEach((mesh, i) => {
        const centre = centreOf(mesh);
        uniforms['glowAt']!.value[i].set(centre.x, 0, centre.z, Math.abs(bounds.max[2] - bounds.min[2]) * 0.26);
        const tint = uniforms['glowColour']!.value[i].set(colourOf(look, mesh.material));
        // On paper light cannot be added, only taken away.
        if (look.light < 1) tint.set(1 - tint.r, 1 - tint.g, 1 - tint.b).multiplyScalar(-0.55);
      });
  }

  /** True while the camera still moves. */
  draw(sight: Sight, seconds: number): boolean {
    const spheres = this.drawSpheres(sight, seconds);
    this.subjects = {
      ball: this.centreOf(spheres.find(({ material }) => material.role === 'ball')),
      players: spheres.filter(({ material }) => material.seat !== undefined).map((shape) => this.balls.get(shape.key)!.centre),
      goals: this.subjects.goals,
    };
    this.playerSeats = spheres.flatMap(({ material }) => (material.seat === undefined ? [] : [material.seat]));
    const moving = this.rig.update(this.perspective, this.subjects, seconds);
    this.camera = this.rig.isDown ? this.rig.map.camera : this.perspective;
    this.drawTrails(spheres, sight);
    this.drawPaths(sight.from.shapes);
    this.drawCrowds(sight.from.shapes, spheres);
    this.renderer.render(this.scenery, this.camera);
    return moving;
  }

  private centreOf(shape: Sphere | undefined): Vector3 | null {
    return shape === undefined ? null : this.balls.get(shape.key)!.centre;
  }

  private drawSpheres({ from, to, share, ticksPerSecond }: Sight, seconds: number): Sphere[] {
    const next = new Map(to.shapes.map((shape) => [shape.key, shape]));
    const spheres = from.shapes.filter(isSphere);
    const floorY = this.bounds.min[1];
    const seen = new Set<string>();
    for (const shape of spheres) {
      seen.add(shape.key);
      const later = next.get(shape.key);
      const at =
        later !== undefined && isSphere(later) && moves(shape, later, (to.tick - from.tick) / ticksPerSecond)
          ? mix(shape, later, share)
          : shape;
      const ball = this.ballFor(shape);
      const cut = ball.centre.distanceTo(new Vector3(at.x, at.y, at.z)) > shape.radius * 4;
      ball.draw(shape, at, shape.ground ?? floorY, this.look, seconds, cut);
      if (this.rig.isDown && shape.material.seat !== undefined) ball.beSeen(LEAST_PIXELS * this.rig.map.unit());
    }
    for (const [key, ball] of this.balls) if (!seen.has(key)) ball.group.visible = false;
    return spheres;
  }

  private ballFor(shape: Sphere): Ball {
    let ball = this.balls.get(shape.key);
    if (ball === undefined) {
      ball = new Ball(shape);
      this.balls.set(shape.key, ball);
      this.scenery.add(ball.group);
    }
    if (!ball.painted) ball.paint(this.look, shape);
    return ball;
  }

  private drawTrails(spheres: readonly Sphere[], { from, past, ticksPerSecond }: Sight): void {
    for (const shape of spheres) {
      if (shape.trail === undefined) continue;
      const points: number[] = [];
      let later: Sphere = shape;
      let laterTick = from.tick;
      for (let i = past.length - 1; i >= 0 && past[i]!.tick >= from.tick - shape.trail; i--) {
        const before = past[i]!.shapes.find((other): other is Sphere => other.key === shape.key && isSphere(other));
        if (before === undefined || !moves(before, later, (laterTick - past[i]!.tick) / ticksPerSecond)) break;
        points.unshift(before.x, before.y, before.z);
        later = before;
        laterTick = past[i]!.tick;
      }
      points.push(shape.x, shape.y, shape.z);
      this.balls.get(shape.key)!.drawTrail(shape, points, this.camera.position);
    }
  }

  private drawPaths(shapes: readonly Shape[]): void {
    const seen = new Set<string>();
    for (const shape of shapes) {
      if (shape.shape !== 'path') continue;
      seen.add(shape.key);
      let ribbon = this.paths.get(shape.key);
      if (ribbon === undefined) {
        ribbon = new Ribbon(strokeOf(shape.material).dash);
        this.paths.set(shape.key, ribbon);
        this.scenery.add(ribbon.mesh);
      }
      this.drawPath(shape, ribbon);
    }
    for (const [key, ribbon] of this.paths) if (!seen.has(key)) ribbon.mesh.visible = false;
  }

  private drawCrowds(shapes: readonly Shape[], spheres: readonly Sphere[]): void {
    const lights = this.lightsOf(shapes, spheres);
    const seen = new Set<string>();
    for (const shape of shapes) {
      seen.add(shape.key);
      if (shape.shape === 'boxes') {
        const crowd = kept(this.crowds, shape.key, () => new BoxCrowd());
        if (crowd.mesh.parent === null) this.scenery.add(crowd.mesh);
        crowd.draw(shape, lights, this.look);
      } else if (shape.shape === 'points') {
        const crowd = kept(this.specks, shape.key, () => new Specks());
        if (crowd.points.parent === null) this.scenery.add(crowd.points);
        crowd.draw(shape, this.renderer.domElement.height, this.look);
      }
    }
    for (const [key, { mesh }] of this.crowds) mesh.visible = seen.has(key);
    for (const [key, { points }] of this.specks) points.visible = seen.has(key);
  }

  /** What glows lights what is around it, the larger the farther. */
  private lightsOf(shapes: readonly Shape[], spheres: readonly Sphere[]): Light[] {
    const lamps = spheres.filter(({ material }) => (material.glow ?? 0) > 0);
    const lights = lamps.map(({ key, radius, material }): Light => {
      const { x, y, z } = this.balls.get(key)!.centre;
      return { x, y: y + radius, z, reach: 3 + 22 * radius, strength: 2 * radius + 0.4, colour: colourOf(this.look, material) };
    });
    for (const shape of shapes) {
      if (shape.shape !== 'points' || shape.points.length === 0) continue;
      const [x, y, z] = shape.points;
      lights.push({ x: x!, y: y! + 1, z: z!, reach: 6, strength: 0.9, colour: colourOf(this.look, shape.material) });
    }
    return lights.sort((a, b) => b.reach * b.strength - a.reach * a.strength);
  }

  private drawPath({ points, width, material }: Path, ribbon: Ribbon): void {
    const { uniforms } = ribbon.mesh.material;
    uniforms['colour']!.value.set(colourOf(this.look, material));
    const { alpha, bright } = strokeOf(material);
    uniforms['alpha']!.value = alpha;
    ribbon.draw(points, width, bright, this.camera.position, true);
  }

  /** Which way the camera looks over the floor, and its right-hand side. */
  heading(): { readonly forward: Vector3; readonly right: Vector3 } {
    const forward = this.camera.getWorldDirection(new Vector3()).setY(0);
    // Straight down, forward is what points up in the window.
    if (forward.lengthSq() < 1e-6) forward.setFromMatrixColumn(this.camera.matrixWorld, 1).setY(0);
    forward.normalize();
    return { forward, right: forward.clone().cross(new Vector3(0, 1, 0)) };
  }

  /** From a seat's first thing over the floor to what is under a place of the window; full length from some way on. */
  towards(seat: number, place: { readonly x: number; readonly y: number }): Vector3 | null {
    const thing = this.subjects.players[this.firstOf(seat)];
    if (thing === undefined) return null;
    const { left, top, width, height } = this.renderer.domElement.getBoundingClientRect();
    const at = new Vector3(((place.x - left) / width) * 2 - 1, 1 - ((place.y - top) / height) * 2, -1);
    const here = thing.clone().project(this.camera);
    const pixels = Math.hypot(((at.x - here.x) * width) / 2, ((at.y - here.y) * height) / 2);
    const near = at.clone().unproject(this.camera);
    const ray = at.setZ(1).unproject(this.camera).sub(near);
    const share = (thing.y - near.y) / ray.y;
    // Above the horizon: as far as the eye goes.
    const way = (share > 0 && Number.isFinite(share) ? near.addScaledVector(ray, share) : near.add(ray)).sub(thing).setY(0);
    return way.lengthSq() === 0 ? way : way.setLength(Math.min(pixels / FULL_PULL, 1));
  }

  /** The place of a seat's first thing among what the follow camera can follow. */
  firstOf(seat: number): number {
    return Math.max(0, this.playerSeats.indexOf(seat));
  }

  /** How many different subjects a camera has. */
  subjectsOf(mode: CameraRig['mode']): number {
    return mode === 'follow' ? this.playerSeats.length : mode === 'goal' ? this.subjects.goals.length : 1;
  }

  screenPosition(key: string): ScreenPosition | null {
    const ball = this.balls.get(key);
    if (ball === undefined || !ball.group.visible) return null;
    const { left, top, width, height } = this.renderer.domElement.getBoundingClientRect();
    const p = ball.centre.clone().project(this.camera);
    return {
      x: left + ((p.x + 1) / 2) * width,
      y: top + ((1 - p.y) / 2) * height,
      visible: Math.abs(p.x) <= 1 && Math.abs(p.y) <= 1 && p.z < 1,
    };
  }

  private clear(): void {
    for (const mesh of this.statics) {
      this.scenery.remove(mesh);
      mesh.geometry.dispose();
      mesh.material.dispose();
    }
    for (const ball of this.balls.values()) {
      this.scenery.remove(ball.group);
      ball.dispose();
    }
    for (const ribbon of this.paths.values()) {
      this.scenery.remove(ribbon.mesh);
      ribbon.dispose();
    }
    for (const crowd of this.crowds.values()) {
      this.scenery.remove(crowd.mesh);
      crowd.dispose();
    }
    for (const crowd of this.specks.values()) {
      this.scenery.remove(crowd.points);
      crowd.dispose();
    }
    this.statics = [];
    this.balls.clear();
    this.paths.clear();
    this.crowds.clear();
    this.specks.clear();
  }
}

/** What is there by a name, made when it is first asked for. */
function kept<T>(things: Map<string, T>, key: string, make: () => T): T {
  let thing = things.get(key);
  if (thing === undefined) things.set(key, (thing = make()));
  return thing;
}

function isSphere(shape: Shape): shape is Sphere {
  return shape.shape === 'sphere';
}

/** Did it move there, or was it put there? What moves cannot be much further than its speed carries it. */
function moves(from: Sphere, to: Sphere, seconds: number): boolean {
  if (from.velocity === undefined || to.velocity === undefined) return true;
  const speed = Math.max(Math.hypot(...from.velocity), Math.hypot(...to.velocity));
  return Math.hypot(to.x - from.x, to.y - from.y, to.z - from.z) <= speed * seconds * 1.5 + from.radius;
}

function mix(from: Sphere, to: Sphere, share: number): { x: number; y: number; z: number } {
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share, z: from.z + (to.z - from.z) * share };
}

/** One a seat. */
function ownGoals(meshes: readonly SceneMesh[]): SceneMesh[] {
  const goals = meshes.filter(({ material }) => material.role === 'goal' && material.seat !== undefined);
  return goals.filter((mesh, i) => goals.findIndex(({ material }) => material.seat === mesh.material.seat) === i);
}

/** Enough of the geometry's points to frame it. */
function outlineOf(meshes: readonly SceneMesh[]): Vector3[] {
  return meshes.flatMap(({ positions }) => {
    const step = Math.max(1, Math.floor(positions.length / 3 / 200));
    return Array.from({ length: Math.floor(positions.length / 3 / step) }, (_, i) => new Vector3().fromArray(positions, i * step * 3));
  });
}

function centreOf({ positions }: SceneMesh): Vector3 {
  const low = new Vector3(Infinity, Infinity, Infinity);
  const high = low.clone().negate();
  const point = new Vector3();
  for (let i = 0; i < positions.length; i += 3) {
    point.fromArray(positions, i);
    low.min(point);
    high.max(point);
  }
  return low.add(high).multiplyScalar(0.5);
}

function materialFor({ material: { role, alpha = 1, glow = 0 } }: SceneMesh, flat: boolean): ShaderMaterial {
  if (role === 'floor') {
    const colours = () => Array.from({ length: MOST_GLOWS }, () => new Color(0));
    return new ShaderMaterial({
      vertexShader: floor.vertex,
      fragmentShader: floor.fragment,
      uniforms: {
        centre: { value: new Color() },
        rim: { value: new Color() },
        line: { value: new Color() },
        extent: { value: new Vector3() },
        glowAt: { value: Array.from({ length: MOST_GLOWS }, () => new Vector4()) },
        glowColour: { value: colours() },
      },
      side: DoubleSide,
    });
  }
  // On a map one looks at walls from above: there they are rocks, and not panes to look through.
  if (role === 'wall' && flat) {
    const colour = () => ({ value: new Color() });
    return new ShaderMaterial({
      vertexShader: rock.vertex,
      fragmentShader: rock.fragment,
      uniforms: { stone: colour(), sky: colour(), ground: colour(), edge: colour() },
      side: DoubleSide,
    });
  }
  if (role === 'wall' || role === 'goal') {
    const isGoal = role === 'goal';
    return new ShaderMaterial({
      vertexShader: glass.vertex,
      fragmentShader: glass.fragment,
      uniforms: {
        colour: { value: new Color() },
        base: { value: (isGoal ? 0.07 + 0.2 * glow : 0.025) * alpha },
        edge: { value: (isGoal ? 0.5 : 0.34) * alpha },
        etch: { value: (isGoal ? 0.28 * (1 - glow) : 0.1) * alpha },
        spacing: { value: isGoal ? 1.25 : 5 },
        strength: { value: 1 },
      },
      transparent: true,
      depthWrite: false,
      side: DoubleSide,
    });
  }
  return new ShaderMaterial({
    vertexShader: plain.vertex,
    fragmentShader: plain.fragment,
    uniforms: { colour: { value: new Color() }, alpha: { value: (role === 'line' ? 0.4 : 1) * alpha } },
    transparent: true,
    depthWrite: false,
    polygonOffset: true,
    polygonOffsetFactor: -1,
    polygonOffsetUnits: -1,
    side: DoubleSide,
  });
}
