import { cos, type Material, type Mesh, sin } from '@lockstep/kernel';

/** Circles as [x, z, radius] of the scene. */
type Placed = readonly [x: number, z: number, radius: number];

/** Corners of one circle: many where there are few circles. */
const cornersFor = (count: number): number => (count <= 200 ? 40 : count <= 2000 ? 20 : count <= 20_000 ? 8 : 4);

/** Each circle as a disc a hair above the floor. */
export function discs(key: string, circles: readonly Placed[], material: Material): Mesh {
  return rings(key, circles, [1, 0], 0, material);
}

/** Each circle as a flat dome over it. */
export function domes(key: string, circles: readonly Placed[], material: Material): Mesh {
  return rings(key, circles, [1, 0.92, 0.72, 0.4, 0], 0.5, material);
}

/** Rings from the rim (1) to the middle (0) of every circle; at a share s of the radius they rise to bulge × √(1 - s²) × radius. */
function rings(key: string, circles: readonly Placed[], shares: readonly number[], bulge: number, material: Material): Mesh {
  const corners = cornersFor(circles.length);
  const around = Array.from({ length: corners }, (_, i) => {
    const angle = (2 * Math.PI * i) / corners;
    return [cos(angle), sin(angle)] as const;
  });
  const perCircle = shares.length * corners;
  const positions = new Float32Array(circles.length * perCircle * 3);
  const normals = new Float32Array(positions.length);
  const indices = new Uint32Array(circles.length * (shares.length - 1) * corners * 6);
  let at = 0;
  let index = 0;
  circles.forEach(([x, z, radius], c) => {
    shares.forEach((share, ring) => {
      const rise = Math.sqrt(1 - share * share);
      around.forEach(([u, v], i) => {
        positions.set([x + u * share * radius, 0.02 + bulge * rise * radius, z + v * share * radius], at);
        normals.set(bulge === 0 ? [0, 1, 0] : unit(u * share * bulge, rise, v * share * bulge), at);
        at += 3;
        if (ring === shares.length - 1) return;
        const a = c * perCircle + ring * corners + i;
        const b = c * perCircle + ring * corners + ((i + 1) % corners);
        indices.set([a, a + corners, b, b, a + corners, b + corners], index);
        index += 6;
      });
    });
  });
  return { key, positions, normals, indices, material };
}

function unit(x: number, y: number, z: number): [number, number, number] {
  const length = Math.sqrt(x * x + y * y + z * z);
  return [x / length, y / length, z / length];
}
