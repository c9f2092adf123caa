import { Deed } from '@lockstep/sparse';
import { isForMatch } from '../keys.ts';
import { readPad } from '../pad.ts';
import { helpOpen } from '../shell.ts';

const KEYS = { KeyW: 'north', KeyS: 'south', KeyA: 'west', KeyD: 'east', KeyJ: 'sword', KeyK: 'sword' } as const;
type What = (typeof KEYS)[keyof typeof KEYS];

/** What a person holds: keys, a place of the picture, a gamepad. */
export class Hands {
  private readonly held = new Set<What>();
  /** A way over the floor, east and north, at most 1 long, where a pointer asks for one. */
  pointed: readonly [x: number, y: number] | null = null;

  /** The answer stops listening. */
  listen(): () => void {
    const what = ({ code }: KeyboardEvent): What | undefined => KEYS[code as keyof typeof KEYS];
    const down = (event: KeyboardEvent): void => {
      if (isForMatch(event)) this.hold(what(event), true);
    };
    const up = (event: KeyboardEvent): void => this.hold(what(event), false);
    const letGo = (): void => this.letGo();
    addEventListener('keydown', down);
    addEventListener('keyup', up);
    addEventListener('blur', letGo);
    const stop = helpOpen.subscribe((open) => {
      if (open) letGo();
    });
    return () => {
      removeEventListener('keydown', down);
      removeEventListener('keyup', up);
      removeEventListener('blur', letGo);
      stop();
    };
  }

  hold(what: What | undefined, isDown: boolean): void {
    if (what === undefined) return;
    if (isDown) this.held.add(what);
    else this.held.delete(what);
  }

  letGo(): void {
    this.held.clear();
    this.pointed = null;
  }

  /** `turned`: which ways over the floor go forward and to the right in the picture. */
  deed(turned: { readonly forward: readonly [number, number]; readonly right: readonly [number, number] }): Deed {
    const pad = readPad();
    const pull = (plus: What, minus: What): number => Number(this.held.has(plus)) - Number(this.held.has(minus));
    const ahead = pull('north', 'south') + (pad?.y ?? 0);
    const aside = pull('east', 'west') + (pad?.x ?? 0);
    const [x, y] = this.pointed ?? [
      turned.forward[0] * ahead + turned.right[0] * aside,
      turned.forward[1] * ahead + turned.right[1] * aside,
    ];
    const length = Math.max(1, Math.hypot(x, y));
    const deed = new Deed();
    deed.x = x / length;
    deed.y = y / length;
    deed.sword = this.held.has('sword') || pad?.jump === true || pad?.boost === true;
    return deed;
  }
}
