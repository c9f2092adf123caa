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
  throw new InputError('line 1', 'the rules of a game, an arena point or a one-body tick', head);
}

type Record_ = Record<string, unknown>;

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
    yield record as Record_;
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

function conformGame(head: Record_, records: Iterator<Record_>): ConformReport {
  const { seed, ...rules } = head;
  const counts = { ticks: 0, contacts: 0, goals: 0 };
  let run: { state: State; withLedger: State } | null = null;
  for (let next = records.next(); next.done !== true; next = records.next()) {
    const record = next.value;
    if ('s' in record) {
      const recorded = record as unknown as GameState;
      if (run === null) {
        const config = readConfig({ nitro: recorded.k.length > 0, rules });
        run = { state: world.create(config, readSeed(seed, 'line 1.seed')), withLedger: world.create(config, readSeed(seed)) };
      }
      const difference = differenceOf(run.state, recorded) ?? differenceOf(run.withLedger, recorded);
      if (difference !== null) return { form: 'game', counts, difference };
    } else if ('a' in record) {
      if (run === null) throw new InputError('line 2', 'a state', record);
      const actions = recordedActions(run.state.config, record['a'] as number[][]);
      const events: WorldEvent[] = [];
      const ledger: LedgerEntry[] = [];
      step(run.state, actions, events);
      step(run.withLedger, actions, [], ledger);
      counts.ticks++;
      counts.goals += events.filter((event) => event.kind === 'goal').length;
      counts.contacts += ledger.filter((entry) => entry.kind === 'restitution').length;
    } else throw new InputError(`after tick ${counts.ticks}`, 'a state or an action line', record);
  }
  return { form: 'game', counts, difference: null };
}

function recordedActions({ rules }: Config, rows: number[][]): Action[] {
  const n = rules.team_size;
  const actions = [new Action(n), new Action(n)];
  rows.forEach((row, index) => {
    const robot = actions[index < n ? 0 : 1]!.robots[index % n]!;
    robot.target_velocity_x = row[0]!;
    robot.target_velocity_y = row[1]!;
    robot.target_velocity_z = row[2]!;
    robot.jump_speed = Math.min(Math.max(row[3]!, 0), rules.ROBOT_MAX_JUMP_SPEED);
    robot.use_nitro = row[4] === 1;
  });
  return actions;
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
  const counts = { ticks: 0, contacts: 0 };
  for (let record: Record_ | null = head; record !== null; record = following(records)) {
    const body = record as unknown as OneBody & {
      p2: number[];
      v2: number[];
      nitro2?: number;
      radius2?: number;
      touch2?: number[] | null;
      c: string[];
    };
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
    counts.contacts += body.c.length;
  }
  return { form: 'one-body ticks', counts, difference: null };
}

function following(records: Iterator<Record_>): Record_ | null {
  const next = records.next();
  return next.done === true ? null : next.value;
}
