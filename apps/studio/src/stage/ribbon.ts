import { BufferAttribute, BufferGeometry, Color, DoubleSide, Mesh, ShaderMaterial, type Vector3 } from 'three';
import { ribbon } from './shaders.ts';

const MOST = 160;
/** At this distance an even band has its own width. */
const EVEN_AT = 90;

/** A band through points that always faces the camera. */
export class Ribbon {
  readonly mesh: Mesh<BufferGeometry, ShaderMaterial>;
  private readonly positions = new Float32Array(MOST * 2 * 3);
  private readonly alongs = new Float32Array(MOST * 2);
  private readonly fades = new Float32Array(MOST * 2);

  constructor(dash: number) {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(this.positions, 3));
    geometry.setAttribute('along', new BufferAttribute(this.alongs, 1));
    geometry.setAttribute('fade', new BufferAttribute(this.fades, 1));
    const index: number[] = [];
    for (let i = 0; i < MOST - 1; i++) index.push(2 * i, 2 * i + 1, 2 * i + 2, 2 * i + 1, 2 * i + 3, 2 * i + 2);
    geometry.setIndex(index);
    const material = new ShaderMaterial({
      vertexShader: ribbon.vertex,
      fragmentShader: ribbon.fragment,
      uniforms: { colour: { value: new Color() }, alpha: { value: 1 }, dash: { value: dash } },
      transparent: true,
      depthWrite: false,
      side: DoubleSide,
    });
    this.mesh = new Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 4;
  }

  /** `points`: three numbers each. Fades from full at the end named `bright` to nothing at the other, or not at all; `even` = as wide near as far. */
  draw(points: ArrayLike<number>, width: number, bright: 'first' | 'last' | 'both', camera: Vector3, even = false): void {
    const count = Math.min(Math.floor(points.length / 3), MOST);
    let way = 0;
    for (let i = 0; i < count; i++) {
      const [x, y, z] = [points[3 * i]!, points[3 * i + 1]!, points[3 * i + 2]!];
      const before = 3 * Math.max(i - 1, 0);
      const after = 3 * Math.min(i + 1, count - 1);
      const tx = points[after]! - points[before]!;
      const ty = points[after + 1]! - points[before + 1]!;
      const tz = points[after + 2]! - points[before + 2]!;
      if (i > 0) way += Math.hypot(x - points[before]!, y - points[before + 1]!, z - points[before + 2]!);
      const [vx, vy, vz] = [camera.x - x, camera.y - y, camera.z - z];
      const sx = ty * vz - tz * vy;
      const sy = tz * vx - tx * vz;
      const sz = tx * vy - ty * vx;
      const strength = count === 1 || bright === 'both' ? 1 : bright === 'last' ? i / (count - 1) : 1 - i / (count - 1);
      const near = even ? Math.min(Math.hypot(vx, vy, vz) / EVEN_AT, 1.5) : 1;
      const half = (near * width * (0.35 + 0.65 * strength)) / 2 / Math.max(Math.hypot(sx, sy, sz), 1e-6);
      this.positions.set([x + sx * half, y + sy * half, z + sz * half, x - sx * half, y - sy * half, z - sz * half], 6 * i);
      this.alongs.fill(way, 2 * i, 2 * i + 2);
      this.fades.fill(strength, 2 * i, 2 * i + 2);
    }
    const { geometry } = this.mesh;
    for (const name of ['position', 'along', 'fade']) geometry.getAttribute(name).needsUpdate = true;
    geometry.setDrawRange(0, Math.max(count - 1, 0) * 6);
    this.mesh.visible = count > 1;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}
