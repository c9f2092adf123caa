import { type ConformReport, InputError, type LedgerEntry, readSeed, type WorldEvent } from '@lockstep/kernel';
import { Action } from './action.ts';
import { ArenaShape } from './arena-shape.ts';
import { Contact, touchArena } from './arena.ts';
import { readConfig } from './door.ts';
import { type Config, STANDARD_RULES } from './rules.ts';
import type { State } from './state.ts';
import { type OneBody, runOneBody } from './one-body.ts';
import { step } from './step.ts';
import { world } from './world.ts';

/**
 * Re-plays a recording and compares every number, the sign of zero aside (the recordings do not keep it). Three forms are known by
 * their first line: a game (rules, then states and actions in turn), arena points, and one-body ticks.
 */
export function conform(lines: Iterable<string>): ConformReport {
  const records = parse(lines);
  const first = records.next();
  if (first.done === true) throw new InputError('line 1', 'a recording', 'an empty file');
  const head = first.value;
  if ('max_tick_count' in head) return conformGame(head, records);
  if ('d' in head && 'n' in head) return conformArena(head, records);
  if ('e' in head && 'p2' in head) return conformTicks(head, records);
  throw new InputError('line 1', 'the rules of a game, an arena point or a one-body tick', shortened(head));
}

type Record_ = Record<string, unknown> & { readonly line: number };

function* parse(lines: Iterable<string>): Generator<Record_> {
  let number = 0;
  for (const line of lines) {
    number++;
    if (line.trim() === '') continue;
    let record: unknown;
    try {
      record = JSON.parse(line);
    } catch {
      throw new InputError(`line ${number}`, 'JSON', line.slice(0, 40));
    }
    if (typeof record !== 'object' || record === null || Array.isArray(record))
      throw new InputError(`line ${number}`, 'a JSON object', record);
    yield { ...record, line: number };
  }
}

interface GameState {
  t: number;
  s: number[];
  r: number | null;
  b: number[];
  o: (number | null)[][];
  k: (number | null)[];
}

/** States and actions take turns, a state first and last: every tick that is played is compared. */
function conformGame(head: Record_, records: Iterator<Record_>): ConformReport {
  const { seed, line: _line, ...rules } = head;
  const counts = { ticks: 0, contacts: 0, goals: 0 };
  const first = following(records);
  if (first === null) throw new InputError('line 2', 'a state', 'the end of the file');
  const start = stateAt(first);
  const config = readConfig({ nitro: start.k.length > 0, rules });
  const state = world.create(config, readSeed(seed, 'line 1.seed'));
  const withLedger = world.create(config, readSeed(seed));
  for (let recorded = start; ;) {
    const difference = differenceOf(state, recorded) ?? differenceOf(withLedger, recorded);
    const next = following(records);
    if (difference !== null || next === null) return { form: 'game', counts, difference };
    const actions = actionsAt(next, config);
    const events: WorldEvent[] = [];
    const ledger: LedgerEntry[] = [];
    step(state, actions, events);
    step(withLedger, actions, [], ledger);
    counts.ticks++;
    counts.goals += events.filter((event) => event.kind === 'goal').length;
    counts.contacts += ledger.filter((entry) => entry.kind === 'restitution').length;
    const after = following(records);
    if (after === null) throw new InputError(`after line ${next.line}`, 'the state after these actions', 'the end of the file');
    recorded = stateAt(after);
  }
}

function stateAt(record: Record_): GameState {
  const path = `line ${record.line}`;
  const { s, r, b, o, k } = record;
  if (!isRow(s, 2) || !isRow(b, 6) || !Array.isArray(o) || !o.every((robot) => isRow(robot, 12)) || !Array.isArray(k) || r === undefined)
    throw new InputError(path, 'a state {t, s, r, b, o, k}', shortened(record));
  return record as unknown as GameState;
}

function actionsAt(record: Record_, { rules }: Config): Action[] {
  const n = rules.team_size;
  const rows: unknown = record['a'];
  const path = `line ${record.line}`;
  if (!Array.isArray(rows) || rows.length !== 2 * n) throw new InputError(path, `actions of ${2 * n} robots`, shortened(record));
  const actions = [new Action(n), new Action(n)];
  rows.forEach((row: unknown, index) => {
    if (!isRow(row, 5) || row.includes(null) || (row[4] !== 0 && row[4] !== 1))
      throw new InputError(`${path}.a[${index}]`, 'four numbers, and 0 or 1 for nitro', row);
    const robot = actions[index < n ? 0 : 1]!.robots[index % n]!;
    [robot.target_velocity_x, robot.target_velocity_y, robot.target_velocity_z] = row as [number, number, number];
    robot.jump_speed = Math.min(Math.max(row[3]!, 0), rules.ROBOT_MAX_JUMP_SPEED);
    robot.use_nitro = row[4] === 1;
  });
  return actions;
}

/** So many numbers, or null where there is none. */
function isRow(value: unknown, length: number): value is (number | null)[] {
  return Array.isArray(value) && value.length === length && value.every((one) => one === null || typeof one === 'number');
}

/** The record as it stands in the file. */
function shortened(record: Record_): unknown {
  return { ...record, line: undefined };
}

function differenceOf(state: State, recorded: GameState): string | null {
  const { ball } = state;
  const at = `tick ${recorded.t}`;
  const robots = Array.from(state.order, (index) => {
    const { id, x, y, z, vx, vy, vz, radius, nitro, touch, nx, ny, nz } = state.robots[index]!;
    return [id, x, y, z, vx, vy, vz, radius, nitro, touch ? nx : null, touch ? ny : null, touch ? nz : null];
  });
  return (
    differ(`${at}: state.tick`, [state.tick], [recorded.t]) ??
    differ(`${at}: state.scores`, [state.scoreA, state.scoreB], recorded.s) ??
    differ(`${at}: state.resetTicks`, [state.resetTicks === 0 ? null : state.resetTicks], [recorded.r]) ??
    differ(`${at}: state.ball (x y z vx vy vz)`, [ball.x, ball.y, ball.z, ball.vx, ball.vy, ball.vz], recorded.b) ??
    differ(`${at}: state.robots`, [robots.length], [recorded.o.length]) ??
    firstOf(robots, (robot, i) =>
      differ(`${at}: state.order[${i}] (id x y z vx vy vz radius nitro nx ny nz)`, robot, recorded.o[i] ?? []),
    ) ??
    differ(
      `${at}: state.packs`,
      state.packs.map((pack) => (pack.respawnTicks === 0 ? null : pack.respawnTicks)),
      recorded.k,
    )
  );
}

function firstOf<T>(list: readonly T[], differs: (item: T, index: number) => string | null): string | null {
  for (let i = 0; i < list.length; i++) {
    const found = differs(list[i]!, i);
    if (found !== null) return found;
  }
  return null;
}

/** The first place where two lists differ, the sign of zero aside. */
function differ(path: string, ours: readonly (number | null)[], theirs: readonly (number | null)[]): string | null {
  if (ours.length !== theirs.length) return `${path}: ${ours.length} values vs ${theirs.length} recorded`;
  for (let i = 0; i < ours.length; i++) {
    if (ours[i] !== theirs[i]) return `${path}[${i}]: ${String(ours[i])} vs ${String(theirs[i])} recorded`;
  }
  return null;
}

function conformArena(head: Record_, records: Iterator<Record_>): ConformReport {
  const shape = new ArenaShape(STANDARD_RULES.arena);
  const contact = new Contact();
  const counts = { points: 0 };
  for (let record: Record_ | null = head; record !== null; record = following(records)) {
    const { p, d, n, b } = record as unknown as { p: number[]; d: number; n: number[]; b: string };
    if (!isRow(p, 3) || !isRow(n, 3) || typeof d !== 'number')
      throw new InputError(`line ${record.line}`, 'an arena point {p, d, n, b}', shortened(record));
    // A body so large that it reaches every surface: the nearest one is found however far it is.
    touchArena(shape, { x: p[0]!, y: p[1]!, z: p[2]!, radius: Infinity }, contact);
    const difference = differ(
      `point ${counts.points + 1} (${b}): distance, normal`,
      [contact.distance, contact.nx, contact.ny, contact.nz],
      [d, ...n],
    );
    if (difference !== null) return { form: 'arena points', counts, difference };
    counts.points++;
  }
  return { form: 'arena points', counts, difference: null };
}

function conformTicks(head: Record_, records: Iterator<Record_>): ConformReport {
  const config = readConfig({ nitro: true, draws: 'none' });
  const counts = { ticks: 0 };
  for (let record: Record_ | null = head; record !== null; record = following(records)) {
    const body = record as unknown as OneBody & {
      p2: number[];
      v2: number[];
      nitro2?: number;
      radius2?: number;
      touch2?: number[] | null;
    };
    const isTouch = body.touch2 === null || isRow(body.touch2, 3);
    const robotOk = body.e === 'ball' || (typeof body.nitro === 'number' && isRow(body.a?.tv, 3) && isTouch);
    if (!isRow(body.p, 3) || !isRow(body.v, 3) || !isRow(body.p2, 3) || !isRow(body.v2, 3) || !robotOk)
      throw new InputError(`line ${record.line}`, 'a one-body tick {e, p, v, p2, v2, …}', shortened(record));
    const after = runOneBody(config, body);
    const at = `case ${counts.ticks + 1} (${body.e})`;
    const difference =
      differ(`${at}: position`, after.p, body.p2) ??
      differ(`${at}: velocity`, after.v, body.v2) ??
      (body.e === 'ball'
        ? null
        : (differ(`${at}: nitro, radius`, [after.nitro, after.radius], [body.nitro2 ?? null, body.radius2 ?? null]) ??
          differ(`${at}: touch`, after.touch ?? [], body.touch2 ?? [])));
    if (difference !== null) return { form: 'one-body ticks', counts, difference };
    counts.ticks++;
  }
  return { form: 'one-body ticks', counts, difference: null };
}

function following(records: Iterator<Record_>): Record_ | null {
  const next = records.next();
  return next.done === true ? null : next.value;
}
