import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mapIntoChunkSpace, positionAt, subtract, Vector, WorldPosition } from './position.ts';
import { DEFAULT_RULES, GRAIN, grain, MAX_CHUNK, MIN_CHUNK, readRules, toGrain } from './rules.ts';

const rules = DEFAULT_RULES;
const chunk = fc.integer({ min: MIN_CHUNK, max: MAX_CHUNK });
const metres = fc.double({ min: -1e6, max: 1e6, noNaN: true });

/** Grains from the centre of chunk 0, exactly. */
function exact({ chunkX, x }: WorldPosition): bigint {
  return BigInt(chunkX) * BigInt(16 / GRAIN) + BigInt(x / GRAIN);
}

describe('rules', () => {
  it('[SW-R2] [SW-E1] a chunk is a small cuboid whose sides are powers of two, 16 m unless said otherwise', () => {
    expect([rules.ChunkDimX, rules.ChunkDimY, rules.ChunkDimZ]).toEqual([16, 16, 16]);
    expect(readRules({ ChunkDimZ: 4 })).toEqual({ ...rules, ChunkDimZ: 4 });
    expect(() => readRules({ ChunkDimX: 12 })).toThrow('rules.ChunkDimX: expected a power of two 1..1024, got 12');
    expect(() => readRules({ ChunkDim: 16 })).toThrow('rules.ChunkDim: expected only the fields');
    expect(() => readRules({ MaxEntityVelocity: -1 })).toThrow('rules.MaxEntityVelocity: expected a number 0.001..3000, got -1');
  });
});

describe('world positions', () => {
  it('[SW-R1] [SW-E2] chunk numbers are int32, over the whole range', () => {
    for (const number of [MIN_CHUNK, -1, 0, 1, MAX_CHUNK]) expect(positionAt(rules, number, number, number).chunkY).toBe(number);
    expect(() => positionAt(rules, MAX_CHUNK + 1, 0, 0)).toThrow(`position.chunkX: expected a whole number ${MIN_CHUNK}..${MAX_CHUNK}`);
    expect(() => positionAt(rules, 0.5, 0, 0)).toThrow('position.chunkX');
    expect(() => positionAt(rules, 0, 0, 0, NaN)).toThrow('position.x: expected a finite number');
  });

  it('[SW-R4] every place has one canonical form: the offset from the centre lies in [-8, 8), in whole grains', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 1e9 }), metres, (from, offset) => {
        const p = positionAt(rules, from, 0, 0, offset);
        expect(p.x >= -8 && p.x < 8 && p.x === toGrain(p.x)).toBe(true);
        expect(exact(p)).toBe(BigInt(from) * BigInt(16 / GRAIN) + BigInt(toGrain(offset) / GRAIN));
      }),
    );
    expect(positionAt(rules, 5, 0, 0, 8)).toEqual(positionAt(rules, 6, 0, 0, -8));
  });

  it('[SW-R4] the same object may be read and written', () => {
    const p = positionAt(rules, 1, 2, 3, 4, 5, 6);
    expect(mapIntoChunkSpace(rules, p, 100, -100, 0.5, p)).toEqual(positionAt(rules, 1, 2, 3, 104, -95, 6.5));
  });

  it('[SW-R1] nothing wraps: beyond the last chunk lies the edge', () => {
    const last = positionAt(rules, MAX_CHUNK, 0, 0, 1e6);
    expect([last.chunkX, last.x]).toEqual([MAX_CHUNK, 8 - GRAIN]);
    const first = positionAt(rules, MIN_CHUNK, 0, 0, -1e6);
    expect([first.chunkX, first.x]).toEqual([MIN_CHUNK, -8]);
  });

  it('[SW-E3] subtraction is exact for neighbours at any chunk, and rounded once for the rest', () => {
    fc.assert(
      fc.property(chunk, chunk, fc.double({ min: -8, max: 7, noNaN: true }), fc.double({ min: -8, max: 7, noNaN: true }), (a, b, x, y) => {
        const far = [positionAt(rules, a, 0, 0, x), positionAt(rules, b, 0, 0, y)] as const;
        expect(subtract(rules, ...far, new Vector()).x).toBe(Number(exact(far[0]) - exact(far[1])) * GRAIN);
        const next = a === MAX_CHUNK ? a - 1 : a + 1;
        const near = [positionAt(rules, a, 0, 0, x), positionAt(rules, next, 0, 0, y)] as const;
        expect(subtract(rules, ...near, new Vector()).x / GRAIN).toBe(Number(exact(near[0]) - exact(near[1])));
      }),
    );
  });

  it('[SW-E4] into a region, along with its camera, and back: nothing has moved', () => {
    fc.assert(
      fc.property(chunk, fc.double({ min: -8, max: 7.9, noNaN: true }), fc.array(fc.integer({ min: -500, max: 500 })), (at, x, moves) => {
        const p = positionAt(rules, at, 0, 0, x);
        let origin = at;
        let inRegion = p.x;
        for (const move of moves) {
          origin += move;
          inRegion -= move * 16;
        }
        const base = Object.assign(new WorldPosition(), { chunkX: origin });
        const back = mapIntoChunkSpace(rules, base, inRegion, 0, 0, new WorldPosition());
        expect([back.chunkX, back.x]).toEqual([p.chunkX, p.x]);
      }),
    );
  });

  it('[SW-E4] rounding to grains is symmetric, and changes no whole number of grains', () => {
    fc.assert(
      fc.property(fc.double({ min: -32_000, max: 32_000, noNaN: true }), (x) => {
        expect(grain(grain(x))).toBe(grain(x));
        expect(grain(-x) + grain(x)).toBe(0);
        expect(Math.abs(grain(x) - x)).toBeLessThanOrEqual(GRAIN / 2);
      }),
    );
  });
});
