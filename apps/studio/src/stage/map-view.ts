import type { Box } from '@lockstep/kernel';
import { MathUtils, OrthographicCamera, type Vector2, Vector3 } from 'three';

const EASE = 8;
const MARGIN = 12;
/** How much of the map's fit a followed thing is shown in. */
const NEARER = 0.34;
const MOST_ZOOM = 40;
/** The camera stands this many pixels' worth above: bands that are as wide near as far come out a few pixels wide. */
const HEIGHT = 800;

/** The view straight down: the whole map between the lines of the HUD, moved by drags and scaled about the pointer. */
export class MapView {
  readonly camera = new OrthographicCamera(-1, 1, 1, -1, 0.1, 1000);
  private readonly centre = new Vector3();
  private readonly size = new Vector3(1, 1, 1);
  private top = 1;
  private flat = true;
  /** Of the window, in pixels, and what the HUD covers of it. */
  private width = 1;
  private height = 1;
  private covered = { top: 0, bottom: 0 };
  private zoom = 1;
  /** How far the person has moved the map, in its own units, and where the middle of the view is now. */
  private readonly moved = new Vector3();
  private readonly middle = new Vector3();
  private nearness = 1;
  private jump = true;

  /** `outline`: points that must be seen besides the box, such as rocks that reach over its border. */
  frame({ min, max }: Box, outline: readonly Vector3[], flat: boolean): void {
    const low = new Vector3(...min);
    const high = new Vector3(...max);
    for (const point of outline) {
      low.min(point);
      high.max(point);
    }
    this.size.subVectors(high, low);
    this.centre.addVectors(low, high).multiplyScalar(0.5);
    this.top = high.y;
    this.flat = flat;
    this.jump = true;
  }

  resize(width: number, height: number, covered: { readonly top: number; readonly bottom: number }): void {
    this.width = Math.max(width, 1);
    this.height = Math.max(height, 1);
    this.covered = covered;
  }

  reset(): void {
    this.zoom = 1;
    this.moved.set(0, 0, 0);
  }

  /** By pixels of the window. */
  drag(dx: number, dy: number): void {
    const way = this.onMap(dx, dy).negate();
    this.moved.add(way);
    this.middle.add(way);
  }

  /** `at`: the place, in pixels from the middle of the window, that stays where it is. */
  scale(factor: number, at: Vector2): void {
    const before = this.onMap(at.x, at.y);
    this.zoom = MathUtils.clamp(this.zoom / factor, 0.5, MOST_ZOOM);
    const way = before.sub(this.onMap(at.x, at.y));
    this.moved.add(way);
    this.middle.add(way);
  }

  /** True while it still moves. */
  update(subject: Vector3 | null, seconds: number): boolean {
    const share = this.jump ? 1 : 1 - Math.exp(-seconds * EASE);
    this.jump = false;
    const nearness = subject === null ? 1 : NEARER;
    this.nearness += (nearness - this.nearness) * share;
    const wanted = (subject ?? this.centre).clone().add(this.moved);
    if (subject === null) wanted.add(this.onMap(0, (this.covered.bottom - this.covered.top) / 2));
    wanted.y = 0;
    const isElsewhere = this.middle.distanceTo(wanted) > 4 * this.width * this.unit();
    this.middle.lerp(wanted, isElsewhere ? 1 : share);
    this.place();
    return this.middle.distanceTo(wanted) > this.unit() * 0.3 || Math.abs(this.nearness - nearness) > 0.002;
  }

  private place(): void {
    const { camera, width, height } = this;
    const unit = this.unit();
    const above = Math.max(this.top + 5, HEIGHT * unit);
    camera.right = (width / 2) * unit;
    camera.left = -camera.right;
    camera.top = (height / 2) * unit;
    camera.bottom = -camera.top;
    camera.far = above + 100;
    camera.updateProjectionMatrix();
    camera.up.copy(this.up());
    camera.position.set(this.middle.x, above, this.middle.z);
    camera.lookAt(this.middle.x, 0, this.middle.z);
    camera.updateMatrixWorld();
  }

  /** What points up in the window. A map is never turned; a field's longer side lies along the window's. */
  private up(): Vector3 {
    return this.isTurned() ? new Vector3(-1, 0, 0) : new Vector3(0, 0, -1);
  }

  private isTurned(): boolean {
    return !this.flat && this.size.z > this.size.x !== this.height > this.width;
  }

  /** Units of the map a pixel. */
  unit(): number {
    const [across, down] = this.isTurned() ? [this.size.z, this.size.x] : [this.size.x, this.size.z];
    const free = { x: Math.max(this.width - 2 * MARGIN, 40), y: Math.max(this.height - this.covered.top - this.covered.bottom, 40) };
    return (Math.max(across / free.x, down / free.y) * this.nearness) / this.zoom;
  }

  /** A way in pixels of the window as one on the map. */
  private onMap(x: number, y: number): Vector3 {
    const unit = this.unit();
    const up = this.up();
    const right = new Vector3(0, -1, 0).cross(up);
    return right.multiplyScalar(x * unit).addScaledVector(up, -y * unit);
  }
}
