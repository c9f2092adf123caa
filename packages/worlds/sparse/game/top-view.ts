import { MOVABLE, TRAVERSABLE } from '../src/entity.ts';
import type { Box } from '../src/bounds.ts';
import { BOX } from '../src/shapes.ts';
import { OWN, type SimRegion } from '../src/sim-region.ts';
import { ownWithinBounds } from '../src/region.ts';
import { livingHeroes, wake } from './dungeon.ts';
import { BITE, FOLLOWS, GOLD, HEALS, RULES } from './rules.ts';
import type { State } from './state.ts';

/** A rectangle seen from above, in metres from the middle of the camera's chunk. */
export interface Flat {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

export type Mark = 'hero' | 'monster' | 'gold' | 'familiar' | 'fountain' | 'other';

/** [SW-R17] What the debug top view shows of a hero's region, on the hero's floor. */
export interface TopView {
  /** The camera's chunk, whose middle is the origin, and the camera in it. */
  readonly chunk: readonly [x: number, y: number, z: number];
  readonly x: number;
  readonly y: number;
  /** [SW-R16] */
  readonly camera: Flat;
  readonly sim: Flat;
  readonly updatable: Flat;
  readonly bounds: Flat;
  readonly chunks: readonly Flat[];
  readonly spaces: readonly Flat[];
  readonly marks: readonly { readonly mark: Mark; readonly id: number; readonly x: number; readonly y: number; readonly moves: boolean }[];
  /** Entities in memory, in the region, and moved by it; chunks in memory. */
  readonly stored: number;
  readonly simulated: number;
  readonly updated: number;
  readonly chunksStored: number;
}

/** Looks at the region of the first hero that stands; null when none does. It makes the region as the next tick would. */
export function topView(state: State): TopView | null {
  const [hero] = livingHeroes(state);
  const regions = wake(state);
  if (hero === undefined || regions === null) return null;
  const region = regions.list[0]!;
  ownWithinBounds(region);
  const row = region.ids.get(hero.id);
  const { camera, sim, updatable, bounds } = region.bounds;
  return {
    chunk: [region.originX, region.originY, region.originZ],
    x: region.px[row]!,
    y: region.py[row]!,
    camera: flat(camera),
    sim: flat(sim),
    updatable: flat(updatable),
    bounds: flat(bounds),
    chunks: chunksOf(region),
    spaces: spacesOf(region),
    marks: marksOf(state, region, hero.id),
    stored: state.store.count,
    simulated: region.count,
    updated: region.role.subarray(0, region.count).filter((role) => role === OWN).length,
    chunksStored: state.store.chunks.count,
  };
}

const flat = ({ minX, minY, maxX, maxY }: Box): Flat => ({ minX, minY, maxX, maxY });

/** The chunks that the region keeps, on the camera's floor. */
function chunksOf({ loaded, originX, originY }: SimRegion): Flat[] {
  const { ChunkDimX, ChunkDimY } = RULES;
  const chunks: Flat[] = [];
  for (let y = loaded.minY - originY; y <= loaded.maxY - originY; y++)
    for (let x = loaded.minX - originX; x <= loaded.maxX - originX; x++)
      chunks.push({ minX: (x - 0.5) * ChunkDimX, minY: (y - 0.5) * ChunkDimY, maxX: (x + 0.5) * ChunkDimX, maxY: (y + 0.5) * ChunkDimY });
  return chunks;
}

/** Every volume of every Space that reaches the camera's floor. */
function spacesOf(region: SimRegion): Flat[] {
  const { shapes } = region.store;
  const half = RULES.ChunkDimZ / 2;
  const spaces: Flat[] = [];
  const ids = [...region.id.subarray(0, region.count)].sort((a, b) => a - b);
  for (const row of ids.map((id) => region.ids.get(id))) {
    if ((region.flags[row]! & TRAVERSABLE) === 0) continue;
    const [x, y, z] = [region.px[row]!, region.py[row]!, region.pz[row]!];
    const corners = shapes.cornersOf(region.shape[row]!);
    for (let at = 0; at < corners.length; at += BOX) {
      if (z + corners[at + 2]! >= half || z + corners[at + 5]! <= -half) continue;
      spaces.push({ minX: x + corners[at]!, minY: y + corners[at + 1]!, maxX: x + corners[at + 3]!, maxY: y + corners[at + 4]! });
    }
  }
  return spaces;
}

function marksOf({ store }: State, region: SimRegion, hero: number): TopView['marks'] {
  const has = (row: number, parameter: number): boolean => store.parameters.get(region.storeRow[row]!, parameter) !== 0;
  const markOf = (row: number): Mark => {
    if (region.id[row] === hero) return 'hero';
    if (has(row, BITE)) return 'monster';
    if (has(row, GOLD)) return 'gold';
    if (has(row, FOLLOWS)) return 'familiar';
    return has(row, HEALS) ? 'fountain' : 'other';
  };
  const half = RULES.ChunkDimZ / 2;
  return Array.from({ length: region.count }, (_, row) => row)
    .filter((row) => (region.flags[row]! & TRAVERSABLE) === 0 && Math.abs(region.pz[row]!) <= half)
    .map((row) => ({
      mark: markOf(row),
      id: region.id[row]!,
      x: region.px[row]!,
      y: region.py[row]!,
      moves: (region.flags[row]! & MOVABLE) !== 0 && region.role[row] === OWN,
    }))
    .sort((a, b) => a.id - b.id);
}
