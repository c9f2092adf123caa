import type { Material, Point } from '../physics/index.ts';

/** [PB-M1] A table as people write it: plain JSON. Lengths in centimetres, angles in radians, speeds in centimetres a second; y runs away from the player. */
export interface Layout {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** The ball's. */
  readonly radius: number;
  readonly gravity: Point;
  /** So many balls can be on the table at once. */
  readonly capacity: number;
  readonly materials: Readonly<Record<string, Material>>;
  readonly walls: readonly Wall[];
  readonly flippers: readonly Flipper[];
  readonly bumpers: readonly Bumper[];
  readonly slingshots: readonly Slingshot[];
  readonly plunger: Plunger;
  readonly targets: readonly Target[];
  readonly rollovers: readonly Rollover[];
  readonly lanes: readonly Line[];
  readonly spinners: readonly Spinner[];
  readonly gates: readonly Line[];
  readonly saucers: readonly Saucer[];
  readonly ramps: readonly Ramp[];
  readonly drain: { readonly from: Point; readonly to: Point };
  /** Seconds after the launch in which a drained ball comes back. */
  readonly ballSave: number;
  readonly tilt: Tilt;
  /** Named whole numbers that rules count with, and what they are when a game begins. */
  readonly counters: Readonly<Record<string, number>>;
  readonly rules: readonly Rule[];
  readonly missions: readonly Mission[];
  /** [PB-M5.4] The name of a rules module, or ''. */
  readonly module: string;
}

export type WallShape =
  | { readonly kind: 'polyline' | 'polygon'; readonly points: readonly Point[] }
  | {
      readonly kind: 'arc';
      readonly at: Point;
      readonly radius: number;
      readonly from: number;
      readonly to: number;
      readonly side: 'outside' | 'inside' | 'both';
    }
  | { readonly kind: 'post'; readonly at: Point; readonly radius: number }
  | { readonly kind: 'bar'; readonly from: Point; readonly to: Point; readonly radius: number };

export type Wall = WallShape & { readonly material: string; readonly layers: readonly number[] };

/** [PB-M3.1] Turns from the angle `rest` to `raised`; strengths are accelerations in radians a second squared. */
export interface Flipper {
  readonly name: string;
  readonly button: 'left' | 'right';
  readonly pivot: Point;
  readonly length: number;
  readonly baseRadius: number;
  readonly tipRadius: number;
  readonly rest: number;
  readonly raised: number;
  /** In balls. */
  readonly mass: number;
  readonly strength: number;
  /** The part of its strength that is left at the end of the stroke, and how near the end that is. */
  readonly hold: number;
  readonly endOfStroke: number;
  readonly spring: number;
  readonly material: string;
}

export interface Bumper {
  readonly name: string;
  readonly at: Point;
  readonly radius: number;
  readonly throwSpeed: number;
  readonly threshold: number;
}

export interface Slingshot {
  readonly name: string;
  readonly from: Point;
  readonly to: Point;
  readonly throwSpeed: number;
  readonly threshold: number;
}

/** [PB-M3.2] A slider across the lane; a ball is served on it at `at`. `speed` is that of a full pull. */
export interface Plunger {
  readonly at: Point;
  readonly width: number;
  readonly travel: number;
  readonly speed: number;
  /** Seeds change the speed of each ball's launch by up to this part of it. */
  readonly scatter: number;
}

export interface Target {
  readonly name: string;
  readonly kind: 'drop' | 'stand-up';
  readonly from: Point;
  readonly to: Point;
  readonly material: string;
  /** Slower hits do not count. */
  readonly threshold: number;
}

export interface Rollover {
  readonly name: string;
  readonly at: Point;
  readonly radius: number;
}

/** A lane tells who crosses it; a gate lets pass from the right of from → to only. */
export interface Line {
  readonly name: string;
  readonly from: Point;
  readonly to: Point;
}

/** [PB-M4.4] A plate over the way: a ball turns it and loses `drag` of its speed; `rub` is how soon it stands again, a second. */
export interface Spinner extends Line {
  readonly drag: number;
  readonly rub: number;
}

export interface Saucer {
  readonly name: string;
  readonly at: Point;
  readonly radius: number;
  /** Faster balls pass over it. */
  readonly catchSpeed: number;
  readonly seconds: number;
  readonly kick: Point;
}

/** [PB-M4.6] Balls that cross the entrance from the right of its line go on on `layer`, back again from the left; the exit ends it. */
export interface Ramp {
  readonly name: string;
  readonly layer: number;
  readonly entrance: { readonly from: Point; readonly to: Point };
  readonly exit: { readonly from: Point; readonly to: Point };
  readonly slope: { readonly points: readonly Point[]; readonly gravity: Point };
}

/** [PB-M3.3] How far the table gives way to a full nudge, and how far the plumb bob may swing. */
export interface Tilt {
  readonly nudge: number;
  readonly limit: number;
  readonly warnings: number;
}

/** [PB-M5] What follows when one of the switches `on` closes and all of `when` holds. */
export interface Rule extends Effects {
  readonly on: readonly string[];
  readonly when: readonly Condition[];
}

export interface Condition {
  readonly counter: string;
  readonly min: number;
  readonly max: number;
}

export interface Effects {
  /** Times the multiplier. */
  readonly score: number;
  readonly add: Readonly<Record<string, number>>;
  readonly set: Readonly<Record<string, number>>;
  /** Drop targets that come up again. */
  readonly raise: readonly string[];
  /** So many balls shall be in play. */
  readonly multiball: number;
  /** Seconds of ball save; beside a multiball, only if that begins now. */
  readonly save: number;
  readonly extraBalls: number;
  /** 0 leaves the multiplier as it is. */
  readonly multiplier: number;
}

/** [PB-M5.3] Steps in order, within a time; at the end its effects. */
export interface Mission extends Effects {
  readonly name: string;
  readonly starts: readonly string[];
  readonly when: readonly Condition[];
  readonly seconds: number;
  readonly steps: readonly { readonly on: readonly string[]; readonly times: number }[];
}
