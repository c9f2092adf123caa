import { InputError } from '@lockstep/kernel';
import { Instruction } from './action.ts';
import type { Circle, RaceMap } from './map.ts';
import { MAX_INSTRUCTION, MAX_POS, MAX_SIZE, MIN_POS } from './rules.ts';
import type { State } from './state.ts';

/** The text files of the public game. Blank lines are passed by; every complaint names the line. */

type Field = readonly [name: string, min: number, max: number];

const X: Field = ['x', MIN_POS, MAX_POS];
const Y: Field = ['y', MIN_POS, MAX_POS];
const RADIUS: Field = ['radius', 0, MAX_SIZE];
const CIRCLE = [X, Y, RADIUS];
const BOX: readonly Field[] = ['min_x', 'min_y', 'max_x', 'max_y'].map((name) => [name, MIN_POS, MAX_POS]);
const COUNT: readonly Field[] = [['count', 0, MAX_SIZE]];
const INSTRUCTION: readonly Field[] = [
  ['vx', -MAX_INSTRUCTION - 1, MAX_INSTRUCTION],
  ['vy', -MAX_INSTRUCTION - 1, MAX_INSTRUCTION],
];

/** Goes through a text line by line and knows where it is. */
class Lines {
  number = 0;
  private readonly lines: readonly string[];
  private readonly what: string;

  constructor(text: string, what: string) {
    const whole = text.trimEnd();
    this.lines = whole === '' ? [] : whole.split('\n');
    this.what = what;
  }
  get place(): string {
    return `${this.what} line ${this.number}`;
  }
  /** The next line that says something; undefined after the last. */
  next(): string | undefined {
    while (this.number < this.lines.length) {
      const line = this.lines[this.number++]!.trim();
      if (line !== '') return line;
    }
    this.number = this.lines.length + 1;
    return undefined;
  }
  /** The next line as whole numbers, one a field. `meaning` says what they are. */
  row(fields: readonly Field[], meaning: string): number[] {
    return numbersOf(this.next(), fields, this.place, meaning);
  }
  end(meaning: string): void {
    const rest = this.next();
    if (rest !== undefined) throw new InputError(this.place, `nothing after ${meaning}`, rest);
  }
}

function numbersOf(line: string | undefined, fields: readonly Field[], place: string, meaning: string): number[] {
  const words = line?.split(/\s+/) ?? [];
  if (words.length !== fields.length) throw new InputError(place, `${meaning} as "${fields.map(([name]) => name).join(' ')}"`, line);
  return words.map((word, i) => {
    const [name, min, max] = fields[i]!;
    const value = /^[+-]?[0-9]+$/.test(word) ? Number(word) + 0 : NaN;
    if (!(value >= min && value <= max)) throw new InputError(`${place}: ${name}`, `a whole number ${min}..${max}`, word);
    return value;
  });
}

/** [AR-4.1] `x y radius` / `min_x min_y max_x max_y` / `N` and N lines / `G` and G lines. */
export function readMap(text: string, what = 'map'): RaceMap {
  const lines = new Lines(text, what);
  const racer = circleOf(lines.row(CIRCLE, 'the racer'));
  const [min_x, min_y, max_x, max_y] = lines.row(BOX, 'the bounding box') as [number, number, number, number];
  if (min_x > max_x || min_y > max_y)
    throw new InputError(lines.place, 'a box with min at most max', `${min_x} ${min_y} ${max_x} ${max_y}`);
  const asteroids = readCircles(lines, 'asteroid');
  const goals = readCircles(lines, 'goal');
  lines.end(`the last of ${goals.length} goals`);
  return { racer, box: { min_x, min_y, max_x, max_y }, asteroids, goals };
}

function readCircles(lines: Lines, kind: string): Circle[] {
  const [count] = lines.row(COUNT, `the number of ${kind}s alone`) as [number];
  const circles: Circle[] = [];
  while (circles.length < count) circles.push(circleOf(lines.row(CIRCLE, `${kind} ${circles.length + 1} of ${count}`)));
  return circles;
}

function circleOf(row: readonly number[]): Circle {
  const [x, y, radius] = row as [number, number, number];
  return { x, y, radius };
}

export function writeMap({ racer, box, asteroids, goals }: RaceMap): string {
  const row = ({ x, y, radius }: Circle): string => `${x} ${y} ${radius}\n`;
  const rows = (circles: readonly Circle[]): string => `${circles.length}\n${circles.map(row).join('')}`;
  return `${row(racer)}${box.min_x} ${box.min_y} ${box.max_x} ${box.max_y}\n${rows(asteroids)}${rows(goals)}`;
}

export interface InstructionFile {
  readonly instructions: readonly Instruction[];
  /** Whether the file begins with the number of its instructions. */
  readonly counted: boolean;
}

/** [AR-4.2] A count line, if it is there, then `vx vy` lines. Refuses the first illegal instruction by line and tick. */
export function readInstructions(text: string, what = 'instructions'): InstructionFile {
  const lines = new Lines(text, what);
  let line = lines.next();
  const counted = line !== undefined && !/\s/.test(line);
  const count = counted ? numbersOf(line, COUNT, lines.place, 'the number of instructions')[0]! : Infinity;
  if (counted) line = lines.next();
  const instructions: Instruction[] = [];
  for (; line !== undefined && instructions.length < count; line = lines.next())
    instructions.push(instructionOf(line, lines.place, instructions.length));
  if (line !== undefined) throw new InputError(lines.place, `nothing after the last of ${count} instructions`, line);
  if (counted && instructions.length < count)
    throw new InputError(lines.place, `instruction ${instructions.length + 1} of ${count}`, undefined);
  return { instructions, counted };
}

function instructionOf(line: string, place: string, tick: number): Instruction {
  const at = `${place} (tick ${tick + 1})`;
  const instruction = new Instruction();
  const [vx, vy] = numbersOf(line, INSTRUCTION, at, 'an instruction') as [number, number];
  instruction.vx = vx;
  instruction.vy = vy;
  checkLength(instruction, at);
  return instruction;
}

/** [AR-2.1] "valid = vx*vx + vy*vy <= 127**2" */
export function checkLength({ vx, vy }: { readonly vx: number; readonly vy: number }, path: string): void {
  const most = MAX_INSTRUCTION * MAX_INSTRUCTION;
  if (vx * vx + vy * vy > most) throw new InputError(path, `vx*vx + vy*vy at most ${most}`, `${vx} ${vy}`);
}

export function writeInstructions(instructions: readonly Pick<Instruction, 'vx' | 'vy'>[], counted = true): string {
  const rows = instructions.map(({ vx, vy }) => `${vx + 0} ${vy + 0}\n`).join('');
  return counted ? `${instructions.length}\n${rows}` : rows;
}

/** [AR-4.3] One line of a states file, the state after a tick. */
export interface StateLine {
  readonly x: number;
  readonly y: number;
  readonly vx: number;
  readonly vy: number;
  /** 0 or 1 a goal, in file order. */
  readonly goals: string;
}

const FAR = Number.MAX_SAFE_INTEGER;
const STATE: readonly Field[] = [
  ['x', -FAR, FAR],
  ['y', -FAR, FAR],
  ['vx', MIN_POS, MAX_POS],
  ['vy', MIN_POS, MAX_POS],
];

/** A map without goals has states without the last word. */
export function readStates(text: string, what = 'states'): StateLine[] {
  const lines = new Lines(text, what);
  const states: StateLine[] = [];
  for (let line = lines.next(); line !== undefined; line = lines.next()) {
    const words = line.split(/\s+/);
    const goals = words.length > 4 ? words.pop()! : '';
    const [x, y, vx, vy] = numbersOf(words.join(' '), STATE, lines.place, 'a state') as [number, number, number, number];
    if (!/^[01]*$/.test(goals)) throw new InputError(`${lines.place}: goals`, '0 or 1 for each goal', goals);
    states.push({ x, y, vx, vy, goals });
  }
  return states;
}

export function writeStates(states: readonly StateLine[]): string {
  return states.map(({ x, y, vx, vy, goals }) => `${x} ${y} ${vx} ${vy} ${goals}\n`).join('');
}

export function stateLineOf({ x, y, vx, vy, reached }: State): StateLine {
  return { x: x + 0, y: y + 0, vx: vx + 0, vy: vy + 0, goals: reached.join('') };
}
