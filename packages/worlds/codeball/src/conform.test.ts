import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { InputError } from '@lockstep/kernel';
import { describe, expect, it } from 'vitest';
import { danToArena, NaiveGame } from '../oracle/naive.ts';
import { Action } from './action.ts';
import { conform } from './conform.ts';
import { STANDARD_RULES } from './rules.ts';
import { world } from './world.ts';

/** Recordings of the contest's own runner, and of a model that reproduces them; third-party data that lives beside the project. */
const folder = fileURLToPath(new URL('../../../../../shared/vectors/codeball/', import.meta.url));
const files = existsSync(folder) ? readdirSync(folder) : [];
const linesOf = (file: string): string[] =>
  gunzipSync(readFileSync(folder + file))
    .toString('utf8')
    .trimEnd()
    .split('\n');
const named = (part: RegExp): string => files.find((file) => part.test(file))!;

/** A small recording of our own, so that the checks work where the vectors are not: a kick-off and three idle ticks. */
function ownRecording(): string[] {
  const config = world.readConfig({ nitro: true, ticks: 100 });
  const state = world.create(config, 31n);
  const lines = [JSON.stringify({ seed: 31, ...world.brief(state, 0) })];
  for (let t = 0; t <= 3; t++) {
    const o = world.observe(state, 0);
    lines.push(
      JSON.stringify({
        t,
        s: o.players.map((player) => player.score),
        r: null,
        b: [o.ball.x, o.ball.y, o.ball.z, o.ball.velocity_x, o.ball.velocity_y, o.ball.velocity_z],
        o: o.robots.map((r) => [
          r.id,
          r.x,
          r.y,
          r.z,
          r.velocity_x,
          r.velocity_y,
          r.velocity_z,
          r.radius,
          r.nitro_amount,
          r.touch_normal_x,
          r.touch_normal_y,
          r.touch_normal_z,
        ]),
        k: o.nitro_packs.map((pack) => pack.respawn_ticks),
      }),
    );
    if (t === 3) break;
    lines.push(JSON.stringify({ t, a: Array.from({ length: 4 }, (_, i) => [i, 0, -i, t * 5, 0]) }));
    const actions = [new Action(2), new Action(2)];
    actions.forEach((action, seat) =>
      action.robots.forEach((orders, i) => {
        const id = seat * 2 + i;
        Object.assign(orders, { target_velocity_x: id, target_velocity_z: -id, jump_speed: t * 5 });
      }),
    );
    world.step(state, actions, []);
  }
  return lines;
}

describe('conform', () => {
  it('[CB-2.1] finds a true recording bit-exact and counts its ticks', () => {
    expect(conform(ownRecording())).toStrictEqual({ form: 'game', counts: { ticks: 3, contacts: 0, goals: 0 }, difference: null });
  });

  it('[CB-G4] finds a number that is wrong in its last bit, and names tick, field and both values', () => {
    const lines = ownRecording();
    const state = JSON.parse(lines[5]!) as { t: number; b: number[] };
    const true_ = state.b[1]!;
    const false_ = true_ * (1 + Number.EPSILON);
    expect(false_).not.toBe(true_);
    state.b[1] = false_;
    lines[5] = JSON.stringify(state);
    const { difference, counts } = conform(lines);
    expect(difference).toBe(`tick 2: state.ball (x y z vx vy vz)[1]: ${true_} vs ${false_} recorded`);
    expect(counts['ticks']).toBe(2);
  });

  it('[CB-G16] finds robots in another order, a wrong score, a wrong timer and a wrong action', () => {
    const altered = (line: number, change: (record: { s: number[]; k: (number | null)[]; o: unknown[]; a: number[][] }) => void) => {
      const lines = ownRecording();
      const record = JSON.parse(lines[line]!);
      change(record);
      lines[line] = JSON.stringify(record);
      return conform(lines).difference;
    };
    expect(altered(1, ({ o }) => o.reverse())).toMatch(/^tick 0: state\.order\[0\] .*\[0\]: 1 vs 4 recorded$/);
    expect(altered(3, ({ s }) => (s[0] = 1))).toBe('tick 1: state.scores[0]: 0 vs 1 recorded');
    expect(altered(3, ({ k }) => (k[2] = 599))).toBe('tick 1: state.packs[2]: null vs 599 recorded');
    expect(altered(3, ({ o }) => o.push(o[0]))).toBe('tick 1: state.robots[0]: 4 vs 5 recorded');
    expect(altered(2, ({ a }) => (a[3]![0] = 5))).toMatch(/^tick 1: state\.order\[/);
  });

  it('[CB-3.9] refuses what is no recording in one line', () => {
    const message = (lines: string[]) => {
      try {
        return conform(lines);
      } catch (error) {
        expect(error).toBeInstanceOf(InputError);
        return (error as Error).message;
      }
    };
    expect(message([])).toBe('line 1: expected a recording, got "an empty file"');
    expect(message(['{}'])).toBe('line 1: expected the rules of a game, an arena point or a one-body tick, got {}');
    expect(message(['hello'])).toBe('line 1: expected JSON, got "hello"');
    expect(message(['[1]'])).toBe('line 1: expected a JSON object, got [1]');
    const lines = ownRecording();
    expect(message([lines[0]!, '{"q":1}'])).toBe('line 2: expected a state {t, s, r, b, o, k}, got {"q":1}');
    expect(message([lines[0]!])).toBe('line 2: expected a state, got "the end of the file"');
    expect(message(lines.slice(0, 3))).toBe('after line 3: expected the state after these actions, got "the end of the file"');
    expect(message([...lines.slice(0, 2), '{"t":0,"a":[[1,2,3,4,0]]}', lines[3]!])).toMatch(/^line 3: expected actions of 4 robots, got /);
    expect(message([...lines.slice(0, 2), '{"t":0,"a":[["x",0,0,0,0],[],[],[]]}', lines[3]!])).toMatch(
      /^line 3\.a\[0\]: expected four numbers, and 0 or 1 for nitro, got /,
    );
    const twice = lines[2]!.replace(/,0\]/, ',2]');
    expect(message([...lines.slice(0, 2), twice, lines[3]!])).toMatch(/^line 3\.a\[0\]: expected four numbers, and 0 or 1 for nitro, got /);
    const robot = {
      e: 'robot',
      p: [0, 5, 0],
      v: [0, 0, 0],
      nitro: 0,
      a: { tv: [0, 0, 0], jump: 0, nitro: false },
      p2: [0, 5, 0],
      v2: [0, 0, 0],
    };
    expect(message([JSON.stringify(robot)])).toMatch(/^line 1: expected a one-body tick/);
    expect(message(['{"p":[0,1],"d":1,"n":[0,1,0],"b":"ground"}'])).toMatch(/^line 1: expected an arena point/);
    expect(message([lines[0]!.replace('"GRAVITY":30', '"GRAVITY":"x"'), lines[1]!])).toBe(
      'config.rules.GRAVITY: expected a number 0..1000, got "x"',
    );
    expect(message([lines[0]!.replace('"seed":31', '"seed":-1'), lines[1]!])).toMatch(/^line 1\.seed: expected a whole number/);
  });
});

describe.skipIf(files.length === 0)('recorded vectors', () => {
  it.each(files.filter((file) => /^(official_g\d+_\dv\d|ref_)/.test(file)))(
    '[CB-G4] %s is bit-exact in every number of every tick',
    (file) => {
      const lines = linesOf(file);
      const report = conform(lines);
      expect(report.difference).toBeNull();
      expect(report.form).toBe('game');
      expect(report.counts['ticks']).toBe(lines.length / 2 - 1); // rules, states and actions; the last state has none
    },
  );

  it('[CB-2.3] every arena point is exact, and the oracle names the same surface', () => {
    const lines = linesOf('arena_vectors.jsonl.gz');
    expect(conform(lines)).toStrictEqual({ form: 'arena points', counts: { points: lines.length }, difference: null });
    // The recording has names of its own for the surfaces: one for each of ours.
    const names = new Map<string, Set<string>>();
    for (const line of lines) {
      const { p, b } = JSON.parse(line) as { p: [number, number, number]; b: string };
      const { branch } = danToArena({ x: p[0], y: p[1], z: p[2] }, STANDARD_RULES.arena);
      names.set(b, (names.get(b) ?? new Set()).add(branch));
    }
    const ours = [...names.values()].flatMap((branches) => [...branches]);
    expect(ours).toHaveLength(21);
    expect(new Set(ours).size).toBe(21);
  });

  it('[CB-2.1c] every one-body tick is exact', () => {
    const lines = linesOf('tick_vectors.jsonl.gz');
    const report = conform(lines);
    expect(report.difference).toBeNull();
    expect(report.counts['ticks']).toBe(lines.length);
  });

  it('[CB-2.1] a falsified arena point, one-body tick and game are found', () => {
    const arena = linesOf('arena_vectors.jsonl.gz').slice(0, 50);
    arena[40] = arena[40]!.replace(/"d":-?[\d.]+/, '"d":0.125');
    expect(conform(arena).difference).toMatch(/^point 41 \(.*\): distance, normal\[0\]: .* vs 0\.125 recorded$/);
    const ticks = linesOf('tick_vectors.jsonl.gz').slice(0, 50);
    ticks[30] = ticks[30]!.replace(/"v2":\[-?[\d.]+/, '"v2":[0.125');
    expect(conform(ticks).difference).toMatch(/^case 31 \(\w+\): velocity\[0\]: .* vs 0\.125 recorded$/);
    const game = linesOf(named(/^official_g1_2v2/)).slice(0, 400);
    game[301] = game[301]!.replace(/"b":\[-?[\d.e-]+/, '"b":[0.125');
    expect(conform(game).difference).toMatch(/^tick 150: state\.ball .*\[0\]: .* vs 0\.125 recorded$/);
  });

  it('[CB-2.1] the oracle reproduces the contest’s runner too', () => {
    const [head, ...records] = linesOf(named(/^official_g0_2v2/)).map((line) => JSON.parse(line));
    const { seed, ...rules } = head;
    const oracle = new NaiveGame(world.readConfig({ nitro: true, rules }), BigInt(seed));
    let ticks = 0;
    for (const record of records) {
      if ('a' in record) {
        oracle.step(recordedActions(record.a));
        ticks++;
        continue;
      }
      const { position: p, velocity: v } = oracle.ball;
      expect([p.x, p.y, p.z, v.x, v.y, v.z].map((n) => n + 0)).toStrictEqual(record.b);
      expect(oracle.robots.map((robot) => [robot.id, robot.position.x + 0, robot.nitro])).toStrictEqual(
        record.o.map((row: number[]) => [row[0], row[1], row[8]]),
      );
    }
    expect(ticks).toBe(500);
  });

  /** [tvx, tvy, tvz, jump, nitro] a robot, in world coordinates. */
  function recordedActions(rows: number[][]): Action[] {
    const actions = [new Action(rows.length / 2), new Action(rows.length / 2)];
    rows.forEach((row, i) => {
      const orders = actions[i < rows.length / 2 ? 0 : 1]!.robots[i % (rows.length / 2)]!;
      orders.target_velocity_x = row[0]!;
      orders.target_velocity_y = row[1]!;
      orders.target_velocity_z = row[2]!;
      orders.jump_speed = row[3]!;
      orders.use_nitro = row[4] === 1;
    });
    return actions;
  }

  /** Plain data with 0 for -0: the wire has both, the view one. */
  const unsigned = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

  it('[CB-3.5] what player 1 was sent over the wire is the view, field by field, in every tick', () => {
    const compact = linesOf(named(/^official_g4_2v2/)).map((line) => JSON.parse(line));
    const wire = linesOf('official_g4_p1dump_raw.jsonl.gz').map((line) => JSON.parse(line));
    const { seed, ...rules } = wire[0]; // the wire's rules carry the seed in addition
    const state = world.create(world.readConfig({ nitro: false, rules }), BigInt(seed));
    const brief = world.brief(state, 0);
    expect(brief).toStrictEqual(rules);
    expect(Object.keys(brief)).toStrictEqual(Object.keys(rules));
    const actions = compact.filter((record) => 'a' in record);
    for (let tick = 0; tick < wire.length - 1; tick++) {
      const view = world.observe(state, 0);
      expect(view).toStrictEqual(unsigned(wire[tick + 1]));
      expect(Object.keys(view.robots[0]!)).toStrictEqual(Object.keys(wire[tick + 1].robots[0]));
      if (tick < actions.length) world.step(state, recordedActions(actions[tick].a), []);
    }
    expect(state.tick).toBeGreaterThan(490);
  });

  it('[CB-G22] a recorded game with nitro has the packs that the view shows, in the same order', () => {
    const [head, ...states] = linesOf(named(/^official_g0_rawlog/)).map((line) => JSON.parse(line));
    const [, ...records] = linesOf(named(/^official_g0_2v2/)).map((line) => JSON.parse(line));
    const { seed, ...rules } = head;
    const state = world.create(world.readConfig({ nitro: true, rules }), BigInt(seed));
    const actions = records.filter((record) => 'a' in record);
    for (let tick = 0; tick < 500; tick++) {
      const packs = world.observe(state, 0).nitro_packs;
      expect(
        packs.map(({ x, y, z, radius, respawn_ticks }) => ({ position: { x, y, z }, radius, nitro_amount: 100, respawn_ticks })),
      ).toStrictEqual(states[tick].nitro_packs);
      world.step(state, recordedActions(actions[tick].a), []);
    }
    expect(state.tick).toBe(500);
  });
});
