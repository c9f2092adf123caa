import { firstDifference, lengthOf, type Script, type Span, thrustAt } from './script.ts';
import { angleOf, FULL, magnitudeOf, thrustOf } from './thrust.ts';

/** What was asked for since the first press: degrees to turn by, and how much longer. */
interface Asked {
  readonly degrees: number;
  readonly length: number;
}

/** No two points so far apart are rounded to the same whole numbers: at either end of the thrust there is no use in going on. */
const WITHIN_LENGTHS = 3;

/**
 * Turns and lengthens the thrusts of a span press by press. They are always the whole numbers nearest to what was asked for in all, so that
 * rounding never adds up, and a press always changes something where anything can be changed.
 */
export class Aim {
  readonly span: Span;
  /** As it is after the last press. */
  script: Script;
  private readonly start: Script;
  private asked: Asked = { degrees: 0, length: 0 };
  /** Presses that can be taken back by their opposite, with what was asked for before each. */
  private readonly presses: { readonly by: Asked; readonly before: Asked }[] = [];

  constructor(script: Script, span: Span) {
    this.start = script;
    this.script = script;
    this.span = span;
  }

  press(by: Asked): Script {
    const last = this.presses.at(-1);
    if (last !== undefined && last.by.degrees === -by.degrees && last.by.length === -by.length) {
      this.presses.pop();
      this.asked = last.before;
      this.script = this.at(this.asked);
      return this.script;
    }
    const before = this.asked;
    // Where the whole numbers stay the same, on to the next ones that do not.
    const most = by.degrees === 0 ? WITHIN_LENGTHS : 360;
    const further = { degrees: Math.sign(by.degrees), length: Math.sign(by.length) };
    let asked = sum(before, by);
    for (let tries = 0; tries < most; tries++, asked = sum(asked, further)) {
      const script = this.at(asked);
      if (firstDifference(script, this.script) === null) continue;
      this.presses.push({ by, before });
      this.asked = asked;
      this.script = script;
      break;
    }
    return this.script;
  }

  private at({ degrees, length }: Asked): Script {
    const { start, span } = this;
    if (degrees === 0 && length === 0) return start;
    const next = start.slice();
    for (let tick = Math.max(span.from, 0); tick < Math.min(span.to, lengthOf(start)); tick++) {
      const thrust = thrustAt(start, tick);
      const magnitude = magnitudeOf(thrust);
      // What is turned out of rest has full thrust.
      const from = magnitude === 0 && degrees !== 0 ? FULL : magnitude;
      const { vx, vy } = thrustOf(angleOf(thrust) + degrees, from + length);
      next[2 * tick] = vx;
      next[2 * tick + 1] = vy;
    }
    return next;
  }
}

function sum(a: Asked, b: Asked): Asked {
  return { degrees: a.degrees + b.degrees, length: a.length + b.length };
}
