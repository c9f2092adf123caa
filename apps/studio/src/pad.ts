/** What is held on a gamepad of the standard layout: a stick or the cross, and two buttons. */
export interface PadHeld {
  /** To the right and upwards, 0..1 long. */
  readonly x: number;
  readonly y: number;
  readonly jump: boolean;
  readonly boost: boolean;
}

const DEAD = 0.2;
const [UP, DOWN, LEFT, RIGHT] = [12, 13, 14, 15] as const;
const JUMP = [0, 1];
const BOOST = [2, 3, 5, 7];

/** The first gamepad on which anything is held; null where there is none. */
export function readPad(): PadHeld | null {
  const pads = typeof navigator.getGamepads === 'function' ? navigator.getGamepads() : [];
  for (const pad of pads) {
    const held = pad === null || !pad.connected ? null : heldOn(pad);
    if (held !== null) return held;
  }
  return null;
}

function heldOn({ axes, buttons }: Gamepad): PadHeld | null {
  const isDown = (at: number): boolean => buttons[at]?.pressed === true;
  let x = (axes[0] ?? 0) + Number(isDown(RIGHT)) - Number(isDown(LEFT));
  let y = -(axes[1] ?? 0) + Number(isDown(UP)) - Number(isDown(DOWN));
  const length = Math.hypot(x, y);
  if (length < DEAD) [x, y] = [0, 0];
  else if (length > 1) [x, y] = [x / length, y / length];
  const [jump, boost] = [JUMP.some(isDown), BOOST.some(isDown)];
  return x === 0 && y === 0 && !jump && !boost ? null : { x, y, jump, boost };
}
