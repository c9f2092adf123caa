/** Colours are those of the display: nothing here is converted, so a theme's colour is the colour seen. */

const WORLD_VERTEX = /* glsl */ `
varying vec3 vNormal;
varying vec3 vWorld;
void main() {
  vec4 world = modelMatrix * vec4(position, 1.0);
  vWorld = world.xyz;
  vNormal = normalize(mat3(modelMatrix) * normal);
  gl_Position = projectionMatrix * viewMatrix * world;
}`;

/** Anti-aliased lines at multiples of a step. */
const GRID = /* glsl */ `
float gridLine(float coordinate, float spacing, float width) {
  float at = coordinate / spacing;
  float fade = fwidth(at);
  float distance = abs(fract(at - 0.5) - 0.5);
  return (1.0 - smoothstep(width * 0.5 / spacing, width * 0.5 / spacing + fade * 1.2, distance)) * (1.0 - smoothstep(0.25, 0.6, fade));
}`;

/** Glass: seen more where it turns away, with etched lines that follow its curvature. The near side, seen from outside, steps back. */
export const glass = {
  vertex: WORLD_VERTEX,
  fragment: /* glsl */ `
uniform vec3 colour;
uniform float base;
uniform float edge;
uniform float etch;
uniform float spacing;
uniform float strength;
varying vec3 vNormal;
varying vec3 vWorld;
${GRID}
void main() {
  vec3 n = normalize(vNormal);
  vec3 v = normalize(cameraPosition - vWorld);
  float facing = dot(n, v);
  float fresnel = pow(1.0 - abs(facing), 3.0);
  vec3 flat3 = abs(n);
  float lines = max(gridLine(vWorld.y, spacing, 0.05) * (1.0 - flat3.y * flat3.y),
    max(gridLine(vWorld.x, spacing, 0.05) * (1.0 - flat3.x * flat3.x), gridLine(vWorld.z, spacing, 0.05) * (1.0 - flat3.z * flat3.z)));
  vec3 r = reflect(-v, n);
  float shine = smoothstep(0.75, 1.0, r.y) * 0.10 + smoothstep(0.93, 1.0, dot(r, normalize(vec3(0.35, 0.75, 0.55)))) * 0.22;
  float bend = 1.0 - max(flat3.x, max(flat3.y, flat3.z));
  float inside = smoothstep(-0.05, 0.05, facing);
  float alpha = mix(0.30, 1.0, inside) * (base + edge * fresnel + etch * lines + bend * 0.10) + inside * shine;
  gl_FragColor = vec4(mix(colour, vec3(1.0), inside * shine * 1.5), clamp(alpha * strength, 0.0, 0.85));
}`,
};

/** The floor: a pool of soft light, a faint grid, and a breath of each goal's colour in front of it. */
export const floor = {
  vertex: WORLD_VERTEX,
  fragment: /* glsl */ `
uniform vec3 centre;
uniform vec3 rim;
uniform vec3 line;
uniform vec3 extent;
uniform vec4 glowAt[4];
uniform vec3 glowColour[4];
varying vec3 vNormal;
varying vec3 vWorld;
${GRID}
void main() {
  vec2 p = vWorld.xz / extent.xz;
  vec3 colour = mix(centre, rim, smoothstep(0.05, 1.05, length(p)));
  for (int i = 0; i < 4; i++) {
    float d = length((vWorld - glowAt[i].xyz) / vec3(1.0, 1.0, 0.8)) / max(glowAt[i].w, 0.001);
    colour += glowColour[i] * 0.26 * exp(-d * d * 2.2) * step(0.001, glowAt[i].w);
  }
  float grid = max(gridLine(vWorld.x, 5.0, 0.05), gridLine(vWorld.z, 5.0, 0.05));
  gl_FragColor = vec4(mix(colour, line, grid * 0.09), 1.0);
}`,
};

export const plain = {
  vertex: WORLD_VERTEX,
  fragment: /* glsl */ `
uniform vec3 colour;
uniform float alpha;
void main() { gl_FragColor = vec4(colour, alpha); }`,
};

/** A body: soft sky and key light, a rim, and a pattern fixed to its skin. */
export const body = {
  vertex: /* glsl */ `
varying vec3 vNormal;
varying vec3 vSkin;
varying vec3 vWorld;
uniform mat3 skin;
void main() {
  vec4 world = modelMatrix * vec4(position, 1.0);
  vWorld = world.xyz;
  vNormal = normalize(mat3(modelMatrix) * normal);
  vSkin = skin * normal;
  gl_Position = projectionMatrix * viewMatrix * world;
}`,
  fragment: /* glsl */ `
uniform vec3 colour;
uniform vec3 pattern;
uniform vec3 sky;
uniform vec3 ground;
uniform vec3 rim;
uniform float kind;
uniform float glow;
uniform float alpha;
varying vec3 vNormal;
varying vec3 vSkin;
varying vec3 vWorld;

/** Twelve patches at the corners of an icosahedron and the seams between them. */
float football(vec3 s) {
  const float a = 0.5257311, b = 0.8506508;
  float best = 0.0, second = 0.0;
  vec3 axes[6];
  axes[0] = vec3(a, b, 0.0); axes[1] = vec3(-a, b, 0.0); axes[2] = vec3(0.0, a, b);
  axes[3] = vec3(0.0, -a, b); axes[4] = vec3(b, 0.0, a); axes[5] = vec3(b, 0.0, -a);
  for (int i = 0; i < 6; i++) {
    float d = abs(dot(s, axes[i]));
    if (d > best) { second = best; best = d; } else if (d > second) { second = d; }
  }
  float soft = fwidth(best) + 0.001;
  float patch_ = smoothstep(0.925 - soft, 0.925 + soft, best);
  float seam = 1.0 - smoothstep(0.012, 0.012 + soft * 1.5, best - second);
  return max(patch_, seam * 0.55);
}
/** Two crossed bands. */
float bands(vec3 s) {
  float soft = fwidth(s.x) + 0.001;
  float one = 1.0 - smoothstep(0.13, 0.13 + soft, abs(s.x));
  float two = 1.0 - smoothstep(0.06, 0.06 + soft, abs(s.z));
  return max(one, two * 0.6);
}
void main() {
  vec3 n = normalize(vNormal);
  vec3 v = normalize(cameraPosition - vWorld);
  float mark = kind > 1.5 ? bands(normalize(vSkin)) * 0.55 : kind > 0.5 ? football(normalize(vSkin)) : 0.0;
  vec3 skinColour = mix(colour, pattern, mark);
  vec3 key = normalize(vec3(0.35, 0.9, 0.45));
  float lit = max(dot(n, key) * 0.6 + 0.4, 0.0);
  vec3 light = mix(ground, sky, n.y * 0.5 + 0.5) * 0.72 + vec3(0.5) * lit * lit;
  float spec = pow(max(dot(n, normalize(key + v)), 0.0), 60.0) * 0.35;
  float fresnel = pow(1.0 - max(dot(n, v), 0.0), 3.0);
  vec3 c = skinColour * light + rim * (spec + fresnel * 0.28) + skinColour * glow;
  gl_FragColor = vec4(c, alpha);
}`,
};

/** A rock seen from above: rounded by light, uneven to the eye, with a rim that warns. */
export const rock = {
  vertex: WORLD_VERTEX,
  fragment: /* glsl */ `
uniform vec3 stone;
uniform vec3 sky;
uniform vec3 ground;
uniform vec3 edge;
varying vec3 vNormal;
varying vec3 vWorld;
float speck(vec2 p) {
  vec3 q = fract(vec3(p.xyx) * 0.1031);
  q += dot(q, q.yzx + 33.33);
  return fract((q.x + q.y) * q.z);
}
float grain(vec2 p) {
  vec2 i = floor(p);
  vec2 f = fract(p);
  f = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
  return mix(mix(speck(i), speck(i + vec2(1.0, 0.0)), f.x), mix(speck(i + vec2(0.0, 1.0)), speck(i + vec2(1.0)), f.x), f.y);
}
float height(vec2 p) { return grain(p * 0.7) + 0.5 * grain(p * 1.5 + 7.0) + 0.22 * grain(p * 3.3 + 19.0); }
void main() {
  vec3 n = normalize(vNormal);
  vec2 at = vWorld.xz + 500.0;
  float here = height(at);
  vec2 slope = (vec2(height(at + vec2(0.12, 0.0)), height(at + vec2(0.0, 0.12))) - here) / 0.12;
  vec3 bent = normalize(n - vec3(slope.x, 0.0, slope.y) * 0.32);
  float lit = max(dot(bent, normalize(vec3(-0.5, 0.72, -0.48))), 0.0);
  vec3 light = mix(ground, sky, bent.y * 0.5 + 0.5) * 0.42 + vec3(0.72) * lit * lit;
  float warn = smoothstep(0.42, 0.02, n.y);
  gl_FragColor = vec4(mix(stone * light * (0.82 + 0.2 * here), edge, warn * 0.62), 1.0);
}`,
};

/** How far footprints reach, in the shader's units; one of them is two radii of the body. The ring must end before. */
export const FOOTPRINT_REACH = 1.75;
const RING = { inner: 1.42, outer: 1.56 };

/** What lies on the floor under a body: its contact shadow, the light it throws, and a ring that shows its gauge. */
export const mark = {
  vertex: /* glsl */ `
varying vec2 vAt;
void main() {
  vAt = position.xz;
  gl_Position = projectionMatrix * viewMatrix * modelMatrix * vec4(position, 1.0);
}`,
  fragment: /* glsl */ `
uniform vec3 shadow;
uniform vec3 colour;
uniform float dark;
uniform float spread;
uniform float gauge;
uniform float shine;
varying vec2 vAt;
void main() {
  float r = length(vAt) * ${(2 * FOOTPRINT_REACH).toFixed(4)};
  float blob = dark * (1.0 - smoothstep(0.15, spread, r));
  float pool = shine * exp(-r * r * 0.9) * 0.5 * (1.0 - smoothstep(1.3, ${FOOTPRINT_REACH.toFixed(4)}, r));
  float around = fract(atan(vAt.x, vAt.y) / 6.2831853 + 1.0);
  float soft = min(fwidth(r) * 1.5, ${(FOOTPRINT_REACH - RING.outer).toFixed(4)});
  float band = smoothstep(${RING.inner} - soft, ${RING.inner}, r) * (1.0 - smoothstep(${RING.outer}, ${RING.outer} + soft, r));
  float ring = gauge < 0.0 ? 0.0 : band * (around < gauge ? 0.85 : 0.14);
  float alpha = max(ring, max(pool, blob));
  float own = clamp((ring + pool) / max(ring + pool + blob, 0.001), 0.0, 1.0);
  gl_FragColor = vec4(mix(shadow, colour, own), alpha);
}`,
};

/** A soft round light that faces the camera. */
export const halo = {
  vertex: /* glsl */ `
uniform float size;
varying vec2 vAt;
void main() {
  vAt = position.xy;
  vec4 centre = viewMatrix * modelMatrix * vec4(0.0, 0.0, 0.0, 1.0);
  gl_Position = projectionMatrix * (centre + vec4(position.xy * size, 0.0, 0.0));
}`,
  fragment: /* glsl */ `
uniform vec3 colour;
uniform float alpha;
varying vec2 vAt;
void main() {
  float r = length(vAt) * 2.0;
  gl_FragColor = vec4(colour, alpha * pow(max(1.0 - r, 0.0), 2.0));
}`,
};

export const flame = {
  vertex: /* glsl */ `
varying float vAlong;
varying vec3 vNormal;
varying vec3 vWorld;
void main() {
  vAlong = position.y;
  vec4 world = modelMatrix * vec4(position, 1.0);
  vWorld = world.xyz;
  vNormal = normalize(mat3(modelMatrix) * normal);
  gl_Position = projectionMatrix * viewMatrix * world;
}`,
  fragment: /* glsl */ `
uniform vec3 colour;
uniform float alpha;
varying float vAlong;
varying vec3 vNormal;
varying vec3 vWorld;
void main() {
  float along = clamp(vAlong, 0.0, 1.0);
  float body = abs(dot(normalize(vNormal), normalize(cameraPosition - vWorld)));
  float a = pow(1.0 - along, 1.1) * mix(0.45, 1.0, body) * alpha;
  gl_FragColor = vec4(mix(colour, vec3(1.0), pow(1.0 - along, 3.0) * 0.6), a);
}`,
};

/** A band that faces the camera; \`along\` is the way from its beginning in world units, \`fade\` 0..1. */
export const ribbon = {
  vertex: /* glsl */ `
attribute float along;
attribute float fade;
varying float vAlong;
varying float vFade;
void main() {
  vAlong = along;
  vFade = fade;
  gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
}`,
  fragment: /* glsl */ `
uniform vec3 colour;
uniform float alpha;
uniform float dash;
varying float vAlong;
varying float vFade;
void main() {
  float a = alpha * vFade;
  if (dash > 0.0) a *= smoothstep(0.0, 0.12, 0.25 - abs(fract(vAlong / dash) - 0.5));
  gl_FragColor = vec4(colour, a);
}`,
};
