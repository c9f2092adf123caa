import { FULL, nearestThrust, type Thrust } from './thrust.ts';

/** By place on the keyboard, whatever its letters. */
const KEYS: Readonly<Record<string, readonly [x: number, y: number]>> = { KeyW: [0, -1], KeyS: [0, 1], KeyA: [-1, 0], KeyD: [1, 0] };
/** A stick that is let go is seldom at zero. */
const DEAD = 0.15;
/** The pointer so many pixels away from the ship is full thrust. */
const ARM = 110;

/** What a person holds: keys, a gamepad's stick, or the pointer. */
export class Hands {
  private readonly held = new Set<string>();
  /** From where the ship is now to the pointer, in pixels; null while no pointer steers. */
  pointer: (() => { readonly x: number; readonly y: number }) | null = null;

  /** True for a key that steers. */
  key(code: string, down: boolean): boolean {
    if (KEYS[code] === undefined) return false;
    if (down) this.held.add(code);
    else this.held.delete(code);
    return true;
  }

  letGo(): void {
    this.held.clear();
    this.pointer = null;
  }

  /** Whoever pulls first in this order: keys, gamepad, pointer. */
  thrust(): Thrust {
    let [x, y] = [0, 0];
    for (const code of this.held) {
      x += KEYS[code]![0];
      y += KEYS[code]![1];
    }
    if (x !== 0 || y !== 0) return pulled(x, y, 1);
    for (const pad of navigator.getGamepads()) {
      const [padX = 0, padY = 0] = pad?.axes ?? [];
      const pull = Math.hypot(padX, padY);
      if (pull > DEAD) return pulled(padX, padY, Math.min((pull - DEAD) / (1 - DEAD) / 0.98, 1));
    }
    if (this.pointer === null) return { vx: 0, vy: 0 };
    const { x: aimX, y: aimY } = this.pointer();
    return pulled(aimX, aimY, Math.min(Math.hypot(aimX, aimY) / ARM, 1));
  }
}

function pulled(x: number, y: number, share: number): Thrust {
  const length = Math.hypot(x, y);
  return length === 0 ? { vx: 0, vy: 0 } : nearestThrust((x / length) * share * FULL, (y / length) * share * FULL);
}
