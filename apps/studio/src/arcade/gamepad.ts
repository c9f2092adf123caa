import { CONTROLS, type Hands } from './hands.ts';

/** Of the standard layout; the others are the machine's own. */
const START = 9;
const BACK = 8;
/** A stick held farther than this is a button; a plunger follows it from the dead zone on. */
const STICK = 0.6;
const DEAD = 0.15;

interface Wishes {
  start(): void;
  rewind(on: boolean): void;
  /** Any button goes down: true if that was to start a game. */
  any(): boolean;
}

/** Looks at all gamepads, once a frame. */
export class Gamepads {
  private readonly down = new Set<string>();
  private pulls = false;
  private readonly hands: Hands;
  private readonly wishes: Wishes;

  constructor(hands: Hands, wishes: Wishes) {
    this.hands = hands;
    this.wishes = wishes;
  }

  poll(): void {
    const pads = typeof navigator.getGamepads === 'function' ? navigator.getGamepads() : [];
    for (const pad of pads) if (pad !== null && pad.connected) this.look(pad);
  }

  private changed(key: string, now: boolean): boolean {
    if (this.down.has(key) === now) return false;
    if (now) this.down.add(key);
    else this.down.delete(key);
    return true;
  }

  private look({ index, buttons, axes }: Gamepad): void {
    const pressed = (at: number): boolean => buttons[at]?.pressed === true;
    if (this.changed(`${index} start`, pressed(START)) && pressed(START)) this.wishes.start();
    if (this.changed(`${index} back`, pressed(BACK))) this.wishes.rewind(pressed(BACK));
    for (const { name, buttons: own, axis } of CONTROLS) {
      for (const at of own) this.button(name, `pad ${index} ${at}`, pressed(at));
      if (axis === null) continue;
      const far = (axes[axis[0]] ?? 0) * axis[1];
      if (name === 'plunger') this.pull(far);
      else this.button(name, `pad ${index} axis ${axis[0]} ${axis[1]}`, far > STICK);
    }
  }

  private button(name: string, source: string, now: boolean): void {
    // What starts a game does not play in it as well.
    if (this.changed(source, now) && !(now && this.wishes.any())) this.hands.press(name, source, now);
  }

  private pull(far: number): void {
    const pulls = far > DEAD;
    if (pulls || this.pulls) this.hands.pull(pulls ? (far - DEAD) / (1 - DEAD) : 0);
    this.pulls = pulls;
  }
}
