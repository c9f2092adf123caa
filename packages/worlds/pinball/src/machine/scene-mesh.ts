import type { Material, Mesh } from '@lockstep/kernel';
import type { Point } from '../physics/index.ts';

/** Lines through points [x, z] as flat bands at a height: a rectangle a segment, longer by half a width at both ends. */
export function ribbons(key: string, lines: readonly (readonly Point[])[], width: number, height: number, material: Material): Mesh {
  const positions: number[] = [];
  const indices: number[] = [];
  for (const line of lines) {
    for (let i = 1; i < line.length; i++) {
      const [ax, az] = line[i - 1]!;
      const [bx, bz] = line[i]!;
      const length = Math.sqrt((bx - ax) * (bx - ax) + (bz - az) * (bz - az));
      if (length === 0) continue;
      const [ux, uz] = [((bx - ax) / length) * (width / 2), ((bz - az) / length) * (width / 2)];
      const at = positions.length / 3;
      positions.push(ax - ux + uz, height, az - uz - ux, ax - ux - uz, height, az - uz + ux);
      positions.push(bx + ux - uz, height, bz + uz + ux, bx + ux + uz, height, bz + uz - ux);
      indices.push(at, at + 1, at + 2, at, at + 2, at + 3);
    }
  }
  const normals = new Float32Array(positions.length);
  for (let i = 1; i < normals.length; i += 3) normals[i] = 1;
  return { key, positions: Float32Array.from(positions), normals, indices: Uint32Array.from(indices), material };
}
