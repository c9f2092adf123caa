import type { Box, Mesh } from '@lockstep/kernel';
import { MathUtils, type PerspectiveCamera, Vector3 } from 'three';
import { MapView } from './map-view.ts';

export type CameraName = 'orbit' | 'follow' | 'ball' | 'goal' | 'map';

/** A world that is a map: its things rise little over its floor. */
export function isFlat({ min, max }: Box): boolean {
  return (max[1] - min[1]) * 8 <= Math.max(max[0] - min[0], max[2] - min[2]);
}

/** A world without geometry of its own to show as a whole: it is seen from around whoever is in it. */
export const isEndless = (meshes: readonly Mesh[]): boolean => meshes.length === 0;

/** The cameras that suit a world, the one to begin with first. */
export function camerasFor(world: {
  readonly flat: boolean;
  readonly endless: boolean;
  readonly hasBall: boolean;
  readonly hasGoals: boolean;
}): CameraName[] {
  if (world.endless) return ['follow', 'map'];
  if (world.flat) return ['map', 'follow', 'orbit'];
  return ['orbit', 'follow', ...(world.hasBall ? (['ball'] as const) : []), ...(world.hasGoals ? (['goal'] as const) : []), 'map'];
}

/** What cameras can look at; made from roles, so it holds for any world. */
export interface Subjects {
  readonly ball: Vector3 | null;
  /** Things that belong to a seat. */
  readonly players: readonly Vector3[];
  readonly goals: readonly Vector3[];
}

const EASE = 5;
/** Whoever is followed is at most so far below the middle of the picture; 1 is its edge. */
const LOWEST = 0.35;

/** Where the camera is and where it wants to be. Moves are eased; the things it looks at never are. */
export class CameraRig {
  mode: CameraName = 'orbit';
  /** Which of several players or goals. */
  subject = 0;
  /** Set to move without easing. */
  still = false;

  private yaw = 0;
  private pitch = 0.5;
  private zoom = 1;
  private readonly bounds = { centre: new Vector3(), corners: [] as Vector3[], outline: [] as readonly Vector3[], size: 1 };
  private readonly place = new Vector3();
  private readonly aim = new Vector3();
  private jump = true;
  private portrait = false;
  private flat = false;
  private endless = false;
  readonly map = new MapView();

  /** Looks straight down, where drags move the map and nothing turns. */
  get isDown(): boolean {
    return this.mode === 'map' || (this.mode === 'follow' && this.flat && !this.endless);
  }

  /** `outline`: points that the overview must show; without any the corners of the box. */
  frame(box: Box, outline: readonly Vector3[], endless: boolean): void {
    this.endless = endless;
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map(
      (i) => new Vector3(i & 1 ? box.max[0] : box.min[0], i & 2 ? box.max[1] : box.min[1], i & 4 ? box.max[2] : box.min[2]),
    );
    this.bounds.corners = corners;
    this.bounds.outline = outline.length > 0 ? outline : corners;
    this.bounds.centre.copy(corners[0]!).add(corners[7]!).multiplyScalar(0.5);
    this.bounds.size = corners[0]!.distanceTo(corners[7]!);
    this.flat = isFlat(box);
    this.map.frame(box, outline, this.flat);
    this.reset();
  }

  reset(): void {
    // The longer side lies across a wide window and along a tall one.
    const [first, last] = [this.bounds.corners[0]!, this.bounds.corners[7]!];
    const longZ = last.z - first.z > last.x - first.x;
    this.yaw = (longZ === this.portrait ? 0 : Math.PI / 2) + (this.portrait ? 0 : 0.32);
    this.pitch = this.portrait ? 0.72 : 0.46;
    this.zoom = 1;
    this.jump = true;
    if (this.endless) {
      this.yaw = 0;
      this.pitch = 0.95;
    }
    this.map.reset();
  }

  choose(mode: CameraName, count: number): void {
    if (mode === this.mode) this.subject = count > 0 ? (this.subject + 1) % count : 0;
    else this.subject = 0;
    this.mode = mode;
    this.map.reset();
  }

  turn(dx: number, dy: number): void {
    this.yaw -= dx;
    this.pitch = MathUtils.clamp(this.pitch + dy, 0.04, 1.5);
  }

  scale(factor: number): void {
    this.zoom = MathUtils.clamp(this.zoom * factor, 0.2, 2);
  }

  /** True while it still moves. */
  update(camera: PerspectiveCamera, subjects: Subjects, seconds: number): boolean {
    if (this.isDown) {
      const player = subjects.players[this.subject % Math.max(subjects.players.length, 1)];
      return this.map.update(this.mode === 'follow' || this.endless ? (player ?? null) : null, this.still ? Infinity : seconds);
    }
    const portrait = camera.aspect < 0.9 && !this.flat;
    if (portrait !== this.portrait) {
      this.portrait = portrait;
      this.reset();
    }
    const { place, aim } = this.wanted(camera, subjects);
    // nobody walks so far in a frame: there is nothing to be shown between here and there
    const isElsewhere = this.endless && this.aim.distanceTo(aim) > this.bounds.size;
    const share = this.jump || this.still || isElsewhere ? 1 : 1 - Math.exp(-seconds * EASE);
    this.jump = false;
    this.place.lerp(place, share);
    this.aim.lerp(aim, share);
    camera.position.copy(this.place);
    camera.lookAt(this.aim);
    camera.updateMatrixWorld();
    return this.place.distanceTo(place) > 0.02 || this.aim.distanceTo(aim) > 0.02;
  }

  private wanted(camera: PerspectiveCamera, { ball, players, goals }: Subjects): { place: Vector3; aim: Vector3 } {
    const player = players[this.subject % Math.max(players.length, 1)];
    const goal = goals[this.subject % Math.max(goals.length, 1)];
    if (this.mode === 'follow' && player !== undefined && this.endless) return this.around(player);
    if (this.mode === 'follow' && this.endless && !this.jump) return { place: this.place.clone(), aim: this.aim.clone() }; // whoever it was is no more
    if (this.mode === 'follow' && player !== undefined) return this.behind(camera, player, ball ?? this.bounds.centre);
    if (this.mode === 'ball' && ball !== null) {
      const place = this.direction()
        .multiplyScalar(this.bounds.size * 0.3 * this.zoom)
        .add(ball);
      place.y = Math.max(place.y, 2);
      return { place, aim: ball.clone() };
    }
    if (this.mode === 'goal' && goal !== undefined) return this.atGoal(goal, ball ?? this.bounds.centre);
    return this.overview(camera);
  }

  private around(player: Vector3): { place: Vector3; aim: Vector3 } {
    const away = this.direction().multiplyScalar(this.bounds.size * (this.portrait ? 0.52 : 0.36) * this.zoom);
    return { place: away.add(player), aim: player.clone() };
  }

  private direction(): Vector3 {
    const flat = Math.cos(this.pitch);
    return new Vector3(Math.sin(this.yaw) * flat, Math.sin(this.pitch), Math.cos(this.yaw) * flat);
  }

  /** As near as shows the whole of the bounds. */
  private overview(camera: PerspectiveCamera): { place: Vector3; aim: Vector3 } {
    const direction = this.direction();
    const aim = this.bounds.centre.clone();
    aim.y *= 0.55;
    const right = new Vector3(Math.cos(this.yaw), 0, -Math.sin(this.yaw));
    const up = direction.clone().cross(right);
    const tall = Math.tan(MathUtils.degToRad(camera.fov) / 2);
    let distance = 0;
    for (const point of this.bounds.outline) {
      const to = point.clone().sub(aim);
      const depth = to.dot(direction);
      distance = Math.max(distance, depth + Math.abs(to.dot(right)) / (tall * camera.aspect), depth + Math.abs(to.dot(up)) / tall);
    }
    return { place: direction.multiplyScalar(distance * 1.02 * this.zoom).add(aim), aim };
  }

  private behind(camera: PerspectiveCamera, player: Vector3, ball: Vector3): { place: Vector3; aim: Vector3 } {
    const away = player.clone().sub(ball).setY(0);
    if (away.lengthSq() < 0.01) away.set(0, 0, 1);
    away.normalize();
    // A tall window sees little to the sides: from further away, and from higher up.
    const [back, up] = this.portrait ? [0.22, 0.12] : [0.13, 0.05];
    const place = player
      .clone()
      .addScaledVector(away, this.bounds.size * back * this.zoom)
      .setY(player.y + this.bounds.size * up * this.zoom);
    const aim = player.clone().lerp(ball, 0.35);
    aim.y = player.y + (ball.y - player.y) * 0.2;
    // A far or high ball would push whoever is followed down under the HUD.
    const distance = Math.hypot(aim.x - place.x, aim.z - place.z);
    const lowest = Math.atan(Math.tan(MathUtils.degToRad(camera.fov) / 2) * LOWEST);
    const tilt = Math.atan2(up, back) - lowest;
    aim.y = Math.min(aim.y, place.y - distance * Math.tan(tilt));
    return { place, aim };
  }

  private atGoal(goal: Vector3, ball: Vector3): { place: Vector3; aim: Vector3 } {
    const out = goal.clone().sub(this.bounds.centre).setY(0).normalize();
    const place = goal
      .clone()
      .addScaledVector(out, this.bounds.size * 0.13 * this.zoom)
      .setY(goal.y + this.bounds.size * 0.1);
    return { place, aim: this.bounds.centre.clone().lerp(ball, 0.8) };
  }
}
