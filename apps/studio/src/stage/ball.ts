import type { Sphere } from '@lockstep/kernel';
import {
  AdditiveBlending,
  Color,
  ConeGeometry,
  Group,
  Matrix3,
  Matrix4,
  Mesh,
  NormalBlending,
  PlaneGeometry,
  Quaternion,
  ShaderMaterial,
  SphereGeometry,
  Vector3,
} from 'three';
import { colourOf, type Look } from '../theme.ts';
import { Ribbon } from './ribbon.ts';
import { body, flame, FOOTPRINT_REACH, halo, mark } from './shaders.ts';

const UP = new Vector3(0, 1, 0);
const ROUND = new SphereGeometry(1, 48, 32);
const FLAT = new PlaneGeometry(1, 1).rotateX(-Math.PI / 2);
const SQUARE = new PlaneGeometry(1, 1);
/** A unit cone along +y with its base at the origin. */
const CONE = new ConeGeometry(0.55, 1, 24, 6, true).translate(0, 0.5, 0);

/** Footprints are drawn this many radii wide. */
const FOOTPRINT = 4 * FOOTPRINT_REACH;
const FLASH_SECONDS = 0.35;

/** One sphere of the scene, drawn: its body, footprint, flame, halo and trail. */
export class Ball {
  readonly group = new Group();
  readonly centre = new Vector3();
  /** False until it wears the theme's colours. */
  painted = false;
  private readonly body: Mesh<SphereGeometry, ShaderMaterial>;
  private readonly mark: Mesh<PlaneGeometry, ShaderMaterial>;
  private readonly flame: Mesh<ConeGeometry, ShaderMaterial>;
  private readonly halo: Mesh<PlaneGeometry, ShaderMaterial>;
  private readonly trail: Ribbon | null;
  private readonly turn = new Quaternion();
  private flash = 0;
  private pulsed = false;
  private placed = false;

  constructor(shape: Sphere) {
    const colour = () => ({ value: new Color() });
    this.body = new Mesh(
      ROUND,
      new ShaderMaterial({
        vertexShader: body.vertex,
        fragmentShader: body.fragment,
        uniforms: {
          colour: colour(),
          pattern: colour(),
          sky: colour(),
          ground: colour(),
          rim: colour(),
          skin: { value: new Matrix3() },
          kind: { value: shape.rolls ? (shape.material.role === 'ball' ? 1 : 2) : 0 },
          glow: { value: 0 },
          alpha: { value: 1 },
        },
      }),
    );
    this.mark = new Mesh(
      FLAT,
      new ShaderMaterial({
        vertexShader: mark.vertex,
        fragmentShader: mark.fragment,
        uniforms: {
          shadow: colour(),
          colour: colour(),
          dark: { value: 0 },
          spread: { value: 1 },
          gauge: { value: -1 },
          shine: { value: 0 },
        },
        transparent: true,
        depthWrite: false,
        polygonOffset: true,
        polygonOffsetFactor: -2,
        polygonOffsetUnits: -2,
      }),
    );
    this.mark.renderOrder = 2;
    this.flame = new Mesh(CONE, glowing(flame.vertex, flame.fragment));
    this.flame.renderOrder = 5;
    this.halo = new Mesh(SQUARE, glowing(halo.vertex, halo.fragment));
    this.halo.renderOrder = 5;
    this.trail = shape.trail === undefined ? null : new Ribbon(0);
    this.group.add(this.body, this.mark, this.flame, this.halo);
    if (this.trail !== null) this.group.add(this.trail.mesh);
  }

  paint(look: Look, { material }: Sphere): void {
    this.painted = true;
    const own = colourOf(look, material);
    const { uniforms } = this.body.material;
    uniforms['colour']!.value.set(own);
    uniforms['pattern']!.value.set(look.pattern);
    uniforms['sky']!.value.set(look.sky);
    uniforms['ground']!.value.set(look.ground);
    uniforms['rim']!.value.set(look.rim).multiplyScalar(look.light);
    this.mark.material.uniforms['colour']!.value.set(own);
    this.mark.material.uniforms['shadow']!.value.set(look.shadow);
    // Light adds to the night; on paper it would vanish, so there it covers.
    const blending = look.light === 1 ? AdditiveBlending : NormalBlending;
    for (const { material } of [this.flame, this.halo]) {
      material.uniforms['colour']!.value.set(own);
      material.blending = blending;
    }
    if (this.trail !== null) this.trail.mesh.material.uniforms['colour']!.value.set(look.roles.ghost);
  }

  /** `cut`: it did not come here from where it was drawn last. */
  draw(shape: Sphere, at: { x: number; y: number; z: number }, floorY: number, look: Look, seconds: number, cut: boolean): void {
    const moved = new Vector3(at.x, at.y, at.z).sub(this.centre);
    if (this.placed && !cut && shape.rolls) this.roll(moved, shape.radius);
    this.placed = true;
    this.centre.set(at.x, at.y, at.z);
    this.group.visible = true;
    this.beat(shape.pulse ?? 0, seconds);

    const stretch = 1 + 0.22 * this.flash;
    const squeeze = 1 - 0.08 * this.flash;
    this.body.position.copy(this.centre);
    this.body.scale.set(shape.radius * squeeze, shape.radius * stretch, shape.radius * squeeze);
    const { alpha = 1, glow = 0 } = shape.material;
    const { material } = this.body;
    const { uniforms } = material;
    uniforms['skin']!.value.setFromMatrix4(new Matrix4().makeRotationFromQuaternion(this.turn.clone().invert()));
    uniforms['glow']!.value = (glow * 0.5 + this.flash * 0.6) * look.light;
    uniforms['alpha']!.value = alpha;
    if (material.transparent !== alpha < 1) {
      material.transparent = alpha < 1;
      material.needsUpdate = true;
    }
    this.drawMark(shape, floorY, look);
    this.drawFlame(shape);
    this.halo.position.copy(this.centre);
    this.halo.visible = glow > 0;
    this.halo.material.uniforms['size']!.value = shape.radius * 7;
    this.halo.material.uniforms['alpha']!.value = glow * 0.4;
  }

  /** So that it is found however small it is drawn: a light of at least this radius. */
  beSeen(radius: number): void {
    if (this.body.scale.x >= radius) return;
    this.halo.visible = true;
    this.halo.material.uniforms['size']!.value = radius * 4;
    this.halo.material.uniforms['alpha']!.value = 0.9;
  }

  drawTrail(shape: Sphere, past: readonly number[], camera: Vector3): void {
    if (this.trail === null) return;
    this.trail.mesh.material.uniforms['alpha']!.value = 0.3;
    this.trail.draw([...past, this.centre.x, this.centre.y, this.centre.z], shape.radius * 0.45, 'last', camera);
  }

  dispose(): void {
    for (const { material } of [this.body, this.mark, this.flame, this.halo]) material.dispose();
    this.trail?.dispose();
  }

  /** As if on the floor: around the horizontal axis across its way, once around for every circumference. */
  private roll(moved: Vector3, radius: number): void {
    const axis = UP.clone().cross(moved);
    const way = axis.length();
    if (way < 1e-9) return;
    this.turn.premultiply(new Quaternion().setFromAxisAngle(axis.divideScalar(way), way / radius));
  }

  /** The burst of one tick is too short to see: it rings on. */
  private beat(pulse: number, seconds: number): void {
    this.flash = Math.max(0, this.flash - seconds / FLASH_SECONDS);
    if (pulse > 0 && !this.pulsed) this.flash = Math.max(this.flash, 0.4 + 0.6 * pulse);
    this.pulsed = pulse > 0;
  }

  private drawMark(shape: Sphere, floorY: number, look: Look): void {
    const height = Math.max(0, this.centre.y - shape.radius - floorY) / shape.radius;
    const { uniforms } = this.mark.material;
    this.mark.position.set(this.centre.x, floorY + 0.02, this.centre.z);
    this.mark.scale.setScalar(shape.radius * FOOTPRINT);
    uniforms['dark']!.value = (0.62 / (1 + height * 0.55)) * (look.light === 1 ? 1 : 0.55) * (shape.material.alpha ?? 1);
    uniforms['spread']!.value = Math.min(1.15 + height * 0.12, 1.5);
    uniforms['gauge']!.value = shape.gauge ?? -1;
    uniforms['shine']!.value =
      shape.material.role === 'ball' ? 0 : (0.35 / (1 + height)) * look.light * (0.4 + (shape.material.glow ?? 0.6));
  }

  private drawFlame(shape: Sphere): void {
    const push = shape.thrust === undefined ? null : new Vector3(...shape.thrust);
    const strength = push?.length() ?? 0;
    this.flame.visible = strength > 0.02;
    if (push === null || !this.flame.visible) return;
    const away = push.divideScalar(-strength);
    this.flame.position.copy(this.centre).addScaledVector(away, shape.radius * 0.75);
    this.flame.quaternion.setFromUnitVectors(UP, away);
    const flicker = 0.88 + 0.12 * Math.sin(this.centre.x * 9 + this.centre.z * 7);
    this.flame.scale.set(shape.radius, shape.radius * 4.4 * Math.min(strength, 1) * flicker, shape.radius);
    this.flame.material.uniforms['alpha']!.value = 0.95;
  }
}

function glowing(vertexShader: string, fragmentShader: string): ShaderMaterial {
  return new ShaderMaterial({
    vertexShader,
    fragmentShader,
    uniforms: { colour: { value: new Color() }, alpha: { value: 0 }, size: { value: 1 } },
    transparent: true,
    depthWrite: false,
  });
}
