import { type Motion, MOTION_SIZE } from './roots.ts';

/** What a ball's next event is. */
export const NOTHING = 0;
export const AT_PART = 1;
export const AT_MOVER = 2;
export const AT_BALL = 3;
/** It leaves its cell of the balls' lists. */
export const AT_CELL = 4;
/** Its piece of flight ends: look for what comes next. */
export const AT_PAUSE = 5;

/**
 * Memory for a step, by column: the flight that each ball is on and what it meets next. During a step x, y, vx, vy of the state are those at
 * the start of the ball's present piece of flight, at `time`; on it the ball follows x + vx t + ax t²/2. Everything is set when a step begins.
 */
export class Work {
  /** The length of the step. */
  readonly step = new Float64Array(1);
  /** Are there balls that could hit each other? A single one needs no cells. */
  together = false;
  /** And so few, on straight ways, that they need none either. */
  everybody = false;
  readonly time: Float64Array;
  readonly ax: Float64Array;
  readonly ay: Float64Array;
  /** Gravity where the ball is: ax, ay unless it lies on something. */
  readonly gx: Float64Array;
  readonly gy: Float64Array;
  /** Among balls: x, y, vx, vy, ax, ay, time and layer of each, side by side. */
  readonly flight: Float64Array;
  /** Raised whenever the ball's flight changes: older forecasts about it are void. */
  readonly version: Int32Array;

  /** [PB-6.2] Up to two surfaces the ball lies on, as parts or, from `parts.count` on, movers; -1 is none. */
  readonly under1: Int32Array;
  readonly under1X: Float64Array;
  readonly under1Y: Float64Array;
  readonly under2: Int32Array;
  readonly under2X: Float64Array;
  readonly under2Y: Float64Array;

  /** [PB-6.3] The arc along which the ball slides, -1 for none: until when, its speed squared at the start, its velocity at the end. */
  readonly slide: Int32Array;
  readonly slideEnd: Float64Array;
  readonly slideSquare: Float64Array;
  readonly slideVx: Float64Array;
  readonly slideVy: Float64Array;

  /** Hits in this step, and how many of the last came without a way between them. */
  readonly hits: Int32Array;
  readonly tiny: Int32Array;
  /** Was the last hit that of a mover? */
  readonly pushed: Int32Array;

  /** The earliest event of each kind, and the first of them all. */
  readonly partTime: Float64Array;
  readonly part: Int32Array;
  readonly moverTime: Float64Array;
  readonly mover: Int32Array;
  readonly ballTime: Float64Array;
  readonly ball: Int32Array;
  readonly ballVersion: Int32Array;
  readonly cellTime: Float64Array;
  readonly event: Int32Array;
  readonly eventTime: Float64Array;

  /** The heap: owners are balls, then movers; `due` is when they want to be served. */
  readonly due: Float64Array;
  readonly heap: Int32Array;
  readonly slot: Int32Array;
  heapSize = 0;

  readonly moverStart: Float64Array;
  readonly cosine: Float64Array;
  readonly sine: Float64Array;
  /** The place for which cosine and sine are. */
  readonly turnedTo: Float64Array;
  readonly jammed: Int32Array;

  /** 1 for a ball to which nothing can happen in the step; its gravity, its way at most and its cell of the grid; each mover's rate. */
  readonly quiet: Int32Array;
  readonly quietX: Float64Array;
  readonly quietY: Float64Array;
  readonly quietWay: Float64Array;
  readonly quietCell: Int32Array;
  readonly quietRate: Float64Array;

  anyQuiet = false;

  /** For `isClear`, and what it knows of movers besides. */
  readonly wayAhead = new Float64Array(1);
  readonly fromMovers = new Float64Array(1);
  /** How far each ball has come in the step, at most. */
  readonly path: Float64Array;
  /** The state before the step, in case it has to be done again. */
  readonly saved: Float64Array;
  readonly savedBits: Int32Array;

  /** Where in a flight the search for parts begins and ends, in seconds since its start. */
  readonly searchFrom = new Float64Array(1);
  readonly searchUntil = new Float64Array(1).fill(Infinity);
  /** Parts already looked at in the present search. */
  readonly seen: Int32Array;
  search = 0;

  /** The flight that is being looked at. */
  readonly motion: Motion = new Float64Array(MOTION_SIZE);
  /** Results of the geometry functions: normal x, y and distance. */
  readonly out = new Float64Array(3);

  constructor(balls: number, movers: number, parts: number, beyondWords: number) {
    const nums = (): Float64Array => new Float64Array(balls);
    const ints = (): Int32Array => new Int32Array(balls);
    this.time = nums();
    this.ax = nums();
    this.ay = nums();
    this.gx = nums();
    this.gy = nums();
    this.flight = new Float64Array(8 * balls);
    this.version = ints();
    this.under1 = ints();
    this.under1X = nums();
    this.under1Y = nums();
    this.under2 = ints();
    this.under2X = nums();
    this.under2Y = nums();
    this.slide = ints();
    this.slideEnd = nums();
    this.slideSquare = nums();
    this.slideVx = nums();
    this.slideVy = nums();
    this.hits = ints();
    this.tiny = ints();
    this.pushed = ints();
    this.partTime = nums();
    this.part = ints();
    this.moverTime = nums();
    this.mover = ints();
    this.ballTime = nums();
    this.ball = ints();
    this.ballVersion = ints();
    this.cellTime = nums();
    this.event = ints();
    this.eventTime = nums();
    this.due = new Float64Array(balls + movers);
    this.heap = new Int32Array(balls + movers);
    this.slot = new Int32Array(balls + movers);
    this.moverStart = new Float64Array(movers);
    this.cosine = new Float64Array(movers);
    this.sine = new Float64Array(movers);
    this.turnedTo = new Float64Array(movers).fill(NaN);
    this.jammed = new Int32Array(movers);
    this.quiet = ints();
    this.quietX = nums();
    this.quietY = nums();
    this.quietWay = nums();
    this.path = nums();
    this.saved = new Float64Array(6 * balls + 2 * movers);
    this.savedBits = new Int32Array(balls * beyondWords);
    this.quietCell = ints();
    this.quietRate = new Float64Array(movers);
    this.seen = new Int32Array(parts);
  }
}
