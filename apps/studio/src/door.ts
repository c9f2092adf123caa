import type { Scene } from '@lockstep/kernel';
import type { Loop } from './loop.ts';
import type { Player } from './player.ts';
import type { ScreenPosition } from './stage/stage.ts';
import type { Tape } from './tape.ts';

/** The test door: the run as a person sees it, never the internals. */
export interface StudioDoor {
  /** Settled when the first scene has been drawn. */
  readonly ready: Promise<void>;
  readonly headTick: number;
  readonly shownTick: number;
  readonly verifiedTick: number;
  readonly playing: boolean;
  readonly scores: readonly number[];
  readonly scene: Scene | null;
  /** Of the shown tick. */
  readonly hash: string | null;
  /** From the first call on frames come by hand only: time passes by `ms`, the scenes are waited for, the stage draws. */
  frame(ms: number): Promise<void>;
  screenPosition(key: string): ScreenPosition | null;
}

export function openDoor(player: Player, tape: () => Tape, loop: Loop): StudioDoor {
  return {
    ready: player.until(() => player.shown.value !== null),
    get headTick() {
      return tape().head.value;
    },
    get shownTick() {
      return tape().shown.value?.scene.tick ?? -1;
    },
    get verifiedTick() {
      return tape().verified.value;
    },
    get playing() {
      return tape().playing.value;
    },
    get scores() {
      return tape().shown.value?.scene.scores ?? [];
    },
    get scene() {
      return tape().shown.value?.scene ?? null;
    },
    get hash() {
      return tape().shown.value?.hash ?? null;
    },
    frame: (ms) => loop.byHand(ms),
    screenPosition: (key) => loop.screenPosition(key),
  };
}
