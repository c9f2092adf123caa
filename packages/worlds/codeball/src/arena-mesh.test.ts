import { describe, expect, it } from 'vitest';
import { danToArena } from '../oracle/naive.ts';
import { arenaMeshes, arenaSurface } from './arena-mesh.ts';
import { readConfig } from './door.ts';
import { type Arena, STANDARD_RULES } from './rules.ts';

const odd: Arena = {
  width: 44,
  height: 16,
  depth: 120,
  bottom_radius: 2,
  top_radius: 4,
  corner_radius: 4,
  goal_top_radius: 2,
  goal_width: 10,
  goal_height: 9,
  goal_depth: 30,
  goal_side_radius: 2.5,
};
/** Everything that the door allows to touch, touches: no room between goal and corner, nor between goal and ceiling rounding. */
const tight: Arena = { ...STANDARD_RULES.arena, corner_radius: 14, goal_height: 12, bottom_radius: 5, goal_top_radius: 5, top_radius: 7 };

const HAIRS = [0, 1e-9, -1e-9];

describe.each([
  ['the standard arena', STANDARD_RULES.arena],
  ['a long narrow one', odd],
  ['one without slack', tight],
])('arena mesh of %s', (_, arena) => {
  const { positions, normals, triangles, parts } = arenaSurface(readConfig({ rules: { arena } }).rules.arena);

  it('[CB-2.3] every vertex lies on the zero set of dan_to_arena, and the normal there is its normal', () => {
    let worst = 0;
    let worstTurn = 1;
    // A hair inside the normal is defined; a hair in z, because at z = depth/2 + goal_side_radius itself the document has no top corner.
    const look = (i: number, inside: number, dz: number) => {
      const [x, y, z] = [0, 1, 2].map((k) => positions[i + k]! + normals[i + k]! * inside);
      return danToArena({ x: x!, y: y!, z: z! + dz }, arena);
    };
    for (let i = 0; i < positions.length; i += 3) {
      worst = Math.max(worst, Math.min(...HAIRS.map((dz) => Math.abs(look(i, 0, dz).distance))));
      const found = HAIRS.map((dz) => look(i, 1e-4, dz)).find(({ distance }) => Math.abs(distance - 1e-4) < 1e-6);
      expect(found, `near ${positions.slice(i, i + 3).join(' ')}`).toBeDefined();
      const { x, y, z } = found!.normal;
      worstTurn = Math.min(worstTurn, x * normals[i]! + y * normals[i + 1]! + z * normals[i + 2]!);
    }
    expect(worst).toBeLessThan(1e-6);
    expect(worstTurn).toBeGreaterThan(1 - 1e-6);
  });

  it('is closed: every edge belongs to two triangles that run along it in opposite directions', () => {
    const edges = new Map<string, number>();
    for (let t = 0; t < triangles.length; t += 3) {
      for (let k = 0; k < 3; k++) {
        const [from, to] = [triangles[t + k]!, triangles[t + ((k + 1) % 3)]!];
        const edge = `${from}-${to}`;
        edges.set(edge, (edges.get(edge) ?? 0) + 1);
      }
    }
    const wrong = [...edges].filter(([edge, count]) => count !== 1 || edges.get(edge.split('-').reverse().join('-')) !== 1);
    expect(wrong).toEqual([]);
  });

  it('triangles face the inside, where the normals point', () => {
    let volume = 0;
    const at = (v: number) => positions.subarray(3 * v, 3 * v + 3);
    for (let t = 0; t < triangles.length; t += 3) {
      const [a, b, c] = [at(triangles[t]!), at(triangles[t + 1]!), at(triangles[t + 2]!)];
      volume -=
        (a[0]! * (b[1]! * c[2]! - b[2]! * c[1]!) + a[1]! * (b[2]! * c[0]! - b[0]! * c[2]!) + a[2]! * (b[0]! * c[1]! - b[1]! * c[0]!)) / 6;
    }
    const box = arena.width * arena.height * arena.depth + 2 * arena.goal_width * arena.goal_height * arena.goal_depth;
    expect(volume / box).toBeGreaterThan(0.8);
    expect(volume / box).toBeLessThan(1);
  });

  it('reaches floor, ceiling, both sides and the back walls of both goals, each goal on its own side', () => {
    const range = (k: number, of = (_z: number) => true) => {
      const values = positions.filter((_, i) => i % 3 === k && of(positions[i - k + 2]!));
      return [Math.min(...values), Math.max(...values)];
    };
    const back = arena.depth / 2 + arena.goal_depth;
    expect(range(0)).toEqual([-arena.width / 2, arena.width / 2]);
    expect(range(1)).toEqual([0, arena.height]);
    expect(range(2)).toEqual([-back, back]);
    expect(range(1, (z) => z > arena.depth / 2 + arena.goal_side_radius)).toEqual([0, arena.goal_height]);
    for (const [part, side] of [
      ['goalA', -1],
      ['goalB', 1],
    ] as const) {
      const zs = parts.flatMap((of, t) =>
        of === part ? [...triangles.subarray(3 * t, 3 * t + 3)].map((v) => positions[3 * v + 2]! * side) : [],
      );
      expect(Math.max(...zs)).toBe(back);
      expect(Math.min(...zs)).toBeGreaterThan(0);
    }
  });
});

it('meshes are single precision copies of the surface, cut by material, plus the field lines', () => {
  const meshes = arenaMeshes(readConfig('finals'));
  expect(meshes.map(({ key, material }) => [key, material.role])).toEqual([
    ['floor', 'floor'],
    ['wall', 'wall'],
    ['goalA', 'goal'],
    ['goalB', 'goal'],
    ['mouthA', 'goal'],
    ['mouthB', 'goal'],
    ['lines', 'line'],
  ]);
  for (const { positions, normals, indices } of meshes) {
    expect(normals.length).toBe(positions.length);
    expect(Math.max(...indices)).toBe(positions.length / 3 - 1);
    expect(positions.every(Number.isFinite)).toBe(true);
  }
});
