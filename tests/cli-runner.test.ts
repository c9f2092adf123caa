import { existsSync, readFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { jsonLines, workshop } from './cli-run.ts';

const { folder, lockstep } = workshop();
const vectors = fileURLToPath(new URL('../../shared/vectors/codeball/', import.meta.url));
const linesOf = (name: string): string[] => gunzipSync(readFileSync(vectors + name)).toString('utf8').trimEnd().split('\n'); // prettier-ignore
const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8');
const still = { target_velocity_x: 0, target_velocity_y: 0, target_velocity_z: 0, jump_speed: 0, use_nitro: false };

/** A port that nobody uses now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

/** A strategy of 2018: tries until the runner listens, says who it is, then answers every line after the rules. Gives what it was told. */
function strategy(port: number, answer: (tick: number) => string): Promise<string[]> {
  return new Promise((done) => {
    const attempt = (): void => {
      const told: string[] = [];
      let text = '';
      const socket = connect(port, '127.0.0.1', () => socket.write('json\n0000000000000000\n'));
      socket.on('error', () => setTimeout(attempt, 20));
      socket.on('close', () => told.length > 0 && done(told));
      socket.on('data', (chunk) => {
        const lines = (text + chunk.toString('utf8')).split('\n');
        text = lines.pop()!;
        for (const line of lines) if (told.push(line) > 1) socket.write(answer(told.length - 2));
      });
    };
    attempt();
  });
}

/** What the runner kept for its pictures only. */
const withoutPictures = (line: string): string =>
  line
    .replaceAll(/"applied_nitro":(null|\{[^}]*\})/g, '"applied_nitro":null')
    .replace(/"hits":\[.*?\],"ball"/, '"hits":[],"ball"')
    .replace(/"rotation":\{[^}]*\}/, '"rotation":{"i":0.0,"j":0.0,"k":0.0,"w":1.0}');

describe.skipIf(!existsSync(vectors))("the contest's own games, by the runner's own options", () => {
  it.each(['official_g0', 'official_g1'])(
    '%s: strategies on real sockets answer with the recorded texts; the log file is the recorded one, letter by letter',
    { timeout: 120_000 },
    async (name) => {
      const log = linesOf(`${name}_rawlog.log.gz`);
      const actions = linesOf(`${name}_wire_actions.jsonl.gz`).map((line) => JSON.parse(line) as { p1: string; p2: string });
      const { seed, max_tick_count, team_size } = JSON.parse(log[0]!) as Record<string, number>;
      const [one, two] = (JSON.parse(log[1]!) as { names: [string, string] }).names;
      const [port1, port2] = [await freePort(), await freePort()];
      const run = lockstep(
        ...`runner --p1 tcp-${port1} --p2 tcp-${port2} --p1-name ${one} --p2-name ${two} --seed=${seed} --noshow --json`.split(' '),
        ...`--team-size ${team_size} --nitro=true --duration ${max_tick_count} --log-file ${name}.log --results-file ${name}.txt`.split(
          ' ',
        ),
        ...`--p1-dump ${name}.dump --record ${name}.replay`.split(' '),
      );
      const told = strategy(port1, (tick) => `${actions[tick]!.p1}|\n<end>\n`);
      void strategy(port2, (tick) => `${actions[tick]!.p2}\n`);
      const { code, out } = await run;
      expect([code, jsonLines(out)[0]]).toMatchObject([0, { faults: [], ticks: max_tick_count, bots: [one, two] }]);
      const written = textOf(`${name}.log`).trimEnd().split('\n');
      expect(written).toHaveLength(log.length);
      expect(written.map(withoutPictures)).toEqual(log.map(withoutPictures));
      const { scores } = JSON.parse(log.at(-1)!) as { scores: [number, number] };
      const [a, b] = scores;
      expect(textOf(`${name}.txt`)).toBe(`${a >= b ? 1 : 2}:${a}:ok\n${b >= a ? 1 : 2}:${b}:ok\n${seed}\n`);
      expect(textOf(`${name}.dump`)).toBe(`${(await told).join('\n')}\n`);
      expect(await lockstep('replay', 'verify', `${name}.replay`)).toMatchObject({ code: 0 });
    },
  );
});

describe('lockstep runner', () => {
  it('helper and empty play by themselves, with --opt=value and the options that need no window', async () => {
    const { code, out, err } = await lockstep(
      ...'runner --p1=helper --p2=empty --p1-name=One --team-size=3 --nitro=true --duration=200 --seed=127287589 --noshow'.split(' '),
      ...'--no-countdown --fast-forward 100 --disable-random --results-file=r.txt --log-file=g.log'.split(' '),
    );
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('  One');
    expect(textOf('r.txt')).toMatch(/^[12]:\d+:ok\n[12]:\d+:ok\n127287589\n$/);
    const log = jsonLines(textOf('g.log')) as unknown as { seed?: number; robots: { id: number }[]; names: string[]; nitro_packs: unknown[] }[]; // prettier-ignore
    expect(log).toHaveLength(202);
    expect(log[0]).toMatchObject({ seed: 127287589, max_tick_count: 200, team_size: 3 });
    expect(log[1]!.names).toEqual(['One', 'idle']);
    expect(log[150]!.robots.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6]); // --disable-random: never shuffled
    expect(log[150]!.nitro_packs).toHaveLength(4);
  });

  it('a game may end at the first goal', async () => {
    const args = ['runner', '--p1', 'chaser', '--p2', 'empty', '--seed', '3', '--until-first-goal', '--noshow'];
    const { code, out } = await lockstep(...args, '--json', '--results-file', 'u.txt', '--record', 'u.replay');
    const [game] = jsonLines(out) as unknown as { ticks: number; scores: number[]; reason: string }[];
    expect([code, game]).toMatchObject([0, { reason: 'first goal', scores: [1, 0] }]);
    expect(game!.ticks).toBeLessThan(18_000);
    expect(textOf('u.txt')).toBe('1:1:ok\n2:0:ok\n3\n');
    expect(await lockstep('replay', 'verify', 'u.replay', '--rerun')).toMatchObject({ code: 0, out: expect.stringContaining('rerun-verified') as string }); // prettier-ignore
  });

  it('a strategy that leaves has crashed: the results file says so, and the others see it', async () => {
    const [port1, port2] = [await freePort(), await freePort()];
    const run = lockstep('runner', '--p1', `tcp-${port1}`, '--p2', `tcp-${port2}`, '--duration', '60', '--seed', '1', '--results-file', 'c.txt', '--noshow'); // prettier-ignore
    const say = (...ids: number[]): string => `${JSON.stringify(Object.fromEntries(ids.map((id) => [id, still])))}\n`;
    void strategy(port1, (tick) => (tick < 20 ? say(1, 2) : 'nonsense\n'));
    const told = await strategy(port2, () => say(3, 4));
    const { code, out } = await run;
    expect(code).toBe(3);
    expect(out).toContain(`tick 20, protocol: answer: expected JSON, got "nonsense"`);
    expect(textOf('c.txt')).toBe('1:0:crash\n1:0:ok\n1\n');
    const crashed = told.slice(1).map((line) => (JSON.parse(line) as { players: { strategy_crashed: boolean }[] }).players[0]!.strategy_crashed); // prettier-ignore
    expect(crashed).toEqual(Array.from({ length: 60 }, (_, tick) => tick > 20));
  });

  it.each([
    [
      ['--p1', 'keyboard'],
      /^lockstep: p1: expected tcp-PORT, helper, empty or a bot; `lockstep studio` takes a keyboard, got "keyboard"\n$/,
    ],
    [['--p1', 'tcp-31001', '--p2', 'tcp-31001'], /^lockstep: p2: expected another port than player 1's, got "tcp-31001"\n$/],
    [['--start-paused'], /^lockstep: start-paused: expected a window, and there is none here/],
    [['--replay', 'x.log'], /^lockstep: replay: expected nothing, for showing games is what `lockstep studio` does, got "x.log"\n$/],
    [['--nitro', 'maybe'], /^lockstep: nitro: expected one of true, false, got "maybe"\n$/],
    [['--team-size', '0'], /^lockstep: team-size: expected /],
    [['--duration', 'long'], /^lockstep: duration: expected .*, got "long"\n$/],
    [
      ['--log-file', '/nowhere/x'],
      /^lockstep: \/nowhere\/x: expected a file in a folder that can be written to, got "no such file or folder"\n$/,
    ],
  ])('%j is refused in one line', async (args, line) => {
    const { code, out, err } = await lockstep('runner', ...args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(line);
  });
});
