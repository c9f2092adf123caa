import type { SimRegion } from './sim-region.ts';

/** Kinds of events: four numbers each, kind, id of the mover, id of the other (0: the Spaces or the world end there), face 0..5. */
export const HIT = 0;
export const OVERLAP = 1;
/** It has gone as far as it may. */
export const SPENT = 2;

/** Something happened to a body while it moved. */
export interface RegionEvent {
  readonly kind: 'hit' | 'overlap' | 'spent';
  readonly mover: number;
  /** 0 when the Spaces or the world end there. */
  readonly other: number;
  /** The outward normal of the face that was hit: -1 or 1 on one axis. */
  readonly axis: number;
  readonly normal: number;
}

const KINDS = ['hit', 'overlap', 'spent'] as const;

/** The events of a tick by the mover's id, of one mover in the order in which they happened: the same for every split into regions. */
export function eventsOf(regions: readonly SimRegion[]): RegionEvent[] {
  const events: RegionEvent[] = [];
  for (const { events: list } of regions) {
    for (let at = 0; at < list.length; at += 4) {
      const face = list[at + 3]!;
      events.push({
        kind: KINDS[list[at]!]!,
        mover: list[at + 1]!,
        other: list[at + 2]!,
        axis: face >> 1,
        normal: (face & 1) === 0 ? -1 : 1,
      });
    }
  }
  return events.sort((a, b) => a.mover - b.mover);
}
