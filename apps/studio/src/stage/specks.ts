import type { Points as PointsShape } from '@lockstep/kernel';
import { AdditiveBlending, BufferAttribute, BufferGeometry, NormalBlending, Points, ShaderMaterial } from 'three';
import type { Look } from '../theme.ts';

const VERTEX = /* glsl */ `
attribute vec4 tint;
uniform float size;
uniform float scale;
varying vec4 vTint;
void main() {
  vTint = tint;
  vec4 at = viewMatrix * vec4(position, 1.0);
  gl_Position = projectionMatrix * at;
  gl_PointSize = max(1.5, size * scale * projectionMatrix[1][1] / gl_Position.w);
}`;

/** A soft round speck with a bright core; on paper it covers instead of adding. */
const FRAGMENT = /* glsl */ `
uniform float ink;
varying vec4 vTint;
void main() {
  float d = length(gl_PointCoord - 0.5) * 2.0;
  float core = exp(-d * d * 5.0);
  vec3 colour = mix(vTint.rgb * vec3(0.55, 0.85, 1.0), vec3(1.0), core * 0.6);
  gl_FragColor = vec4(mix(colour, vTint.rgb * vec3(0.1, 0.4, 0.55), ink), vTint.a * core * smoothstep(1.0, 0.6, d));
}`;

/** A crowd of specks that shine. */
export class Specks {
  readonly points: Points<BufferGeometry, ShaderMaterial>;

  constructor() {
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: { size: { value: 1 }, scale: { value: 1 }, ink: { value: 0 } },
      transparent: true,
      depthWrite: false,
    });
    this.points = new Points(new BufferGeometry(), material);
    this.points.frustumCulled = false;
    this.points.renderOrder = 6;
  }

  /** `height`: of the picture, in pixels of the card. */
  draw({ points, colours, size }: PointsShape, height: number, look: Look): void {
    const { geometry, material } = this.points;
    geometry.dispose();
    const fresh = new BufferGeometry();
    fresh.setAttribute('position', new BufferAttribute(points, 3));
    fresh.setAttribute('tint', new BufferAttribute(colours, 4));
    this.points.geometry = fresh;
    material.uniforms['size']!.value = size;
    material.uniforms['scale']!.value = height / 2;
    material.uniforms['ink']!.value = look.light < 1 ? 1 : 0;
    material.blending = look.light < 1 ? NormalBlending : AdditiveBlending;
  }

  dispose(): void {
    this.points.geometry.dispose();
    this.points.material.dispose();
  }
}
