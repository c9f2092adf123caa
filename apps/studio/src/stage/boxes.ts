import type { Boxes } from '@lockstep/kernel';
import { BoxGeometry, Color, InstancedBufferAttribute, InstancedBufferGeometry, Mesh, ShaderMaterial, Vector4 } from 'three';
import { colourOf, type Look } from '../theme.ts';

/** What shines lights the boxes around it, down to nothing at its reach. */
export interface Light {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly reach: number;
  readonly strength: number;
  readonly colour: number;
}

const MOST_LIGHTS = 8;
const CUBE = new BoxGeometry(1, 1, 1).translate(0.5, 0.5, 0.5);

const VERTEX = /* glsl */ `
attribute vec3 low;
attribute vec3 high;
varying vec3 vNormal;
varying vec3 vWorld;
void main() {
  vWorld = mix(low, high, position);
  vNormal = normal;
  gl_Position = projectionMatrix * viewMatrix * vec4(vWorld, 1.0);
}`;

/** Stone under lamps: each light falls off to nothing, what no light reaches is almost dark; flags of stone show their joints from above. */
const FRAGMENT = /* glsl */ `
uniform vec3 colour;
uniform vec3 ambient;
uniform float flags;
uniform vec4 lightAt[${MOST_LIGHTS}];
uniform vec4 lightColour[${MOST_LIGHTS}];
uniform vec4 paper;
varying vec3 vNormal;
varying vec3 vWorld;
float speckle(vec2 p) { return fract(sin(dot(floor(p), vec2(12.9898, 78.233))) * 43758.5453); }
float joint(float at, float width) {
  float fade = fwidth(at);
  return 1.0 - smoothstep(width, width + fade * 1.5, abs(fract(at - 0.5) - 0.5));
}
void main() {
  vec3 n = normalize(vNormal);
  float top = step(0.5, n.y);
  vec3 stone = colour * (0.9 + 0.2 * flags * top * speckle(vWorld.xz));
  stone *= 1.0 - 0.35 * flags * top * max(joint(vWorld.x, 0.02), joint(vWorld.z, 0.02));
  vec3 light = ambient * (0.7 + 0.3 * n.y);
  for (int i = 0; i < ${MOST_LIGHTS}; i++) {
    vec3 to = lightAt[i].xyz - vWorld;
    float share = clamp(1.0 - length(to) / max(lightAt[i].w, 0.001), 0.0, 1.0);
    float turned = 0.45 + 0.55 * max(dot(n, normalize(to)), 0.0);
    light += lightColour[i].rgb * lightColour[i].a * share * share * turned;
  }
  float lit = clamp(max(light.r, max(light.g, light.b)), 0.0, 1.0);
  gl_FragColor = vec4(mix(stone * light, mix(paper.rgb, stone, lit), paper.a), 1.0);
}`;

/** A crowd of boxes, drawn at once. */
export class BoxCrowd {
  readonly mesh: Mesh<InstancedBufferGeometry, ShaderMaterial>;
  private shown: Float32Array | null = null;

  constructor() {
    const lights = () => ({ value: Array.from({ length: MOST_LIGHTS }, () => new Vector4()) });
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: {
        colour: { value: new Color() },
        ambient: { value: new Color() },
        flags: { value: 0 },
        lightAt: lights(),
        lightColour: lights(),
        paper: { value: new Vector4() },
      },
    });
    this.mesh = new Mesh(new InstancedBufferGeometry(), material);
    this.mesh.frustumCulled = false;
  }

  draw({ boxes, material }: Boxes, lights: readonly Light[], look: Look): void {
    if (this.shown === null || !sameNumbers(this.shown, boxes)) this.fill(boxes);
    const { uniforms } = this.mesh.material;
    const own = material.role === 'floor' ? look.flag : material.role === 'wall' ? look.stone : colourOf(look, material);
    uniforms['colour']!.value.set(own);
    uniforms['ambient']!.value.set(look.ground).multiplyScalar(0.5);
    uniforms['flags']!.value = material.role === 'floor' ? 1 : 0;
    const paper = new Color(look.floorEdge);
    uniforms['paper']!.value.set(paper.r, paper.g, paper.b, look.light < 1 ? 1 : 0);
    for (let i = 0; i < MOST_LIGHTS; i++) {
      const light = lights[i];
      const colour = new Color(light?.colour ?? 0);
      uniforms['lightAt']!.value[i].set(light?.x ?? 0, light?.y ?? 0, light?.z ?? 0, light?.reach ?? 0);
      uniforms['lightColour']!.value[i].set(colour.r, colour.g, colour.b, light?.strength ?? 0);
    }
  }

  private fill(boxes: Float32Array): void {
    this.shown = boxes;
    const count = boxes.length / 6;
    const [low, high] = [new Float32Array(count * 3), new Float32Array(count * 3)];
    for (let i = 0; i < count; i++) {
      low.set(boxes.subarray(i * 6, i * 6 + 3), i * 3);
      high.set(boxes.subarray(i * 6 + 3, i * 6 + 6), i * 3);
    }
    this.mesh.geometry.dispose();
    const geometry = new InstancedBufferGeometry();
    geometry.index = CUBE.index;
    geometry.setAttribute('position', CUBE.getAttribute('position'));
    geometry.setAttribute('normal', CUBE.getAttribute('normal'));
    geometry.setAttribute('low', new InstancedBufferAttribute(low, 3));
    geometry.setAttribute('high', new InstancedBufferAttribute(high, 3));
    geometry.instanceCount = count;
    this.mesh.geometry = geometry;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}

/** Scenes are fresh for every tick, walls seldom are: what is the same is not sent to the card again. */
function sameNumbers(a: Float32Array, b: Float32Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
