import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { workshop } from './cli-run.ts';

const { folder, lockstep } = workshop();

describe('bad input is one line and exit 2', () => {
  const line = async (expected: RegExp, ...args: string[]) => {
    const { code, out, err } = await lockstep(...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^lockstep: [^\n]+\n$/);
    expect(err).toMatch(expected);
  };
  const two = ['match', 'codeball', 'idle', 'idle'];

  it.each<[RegExp, string[]]>([
    [/unknown command 'mach' \(did you mean match\?\)/, ['mach']],
    [/unknown command 'verfy' \(did you mean verify\?\)/, ['replay', 'verfy', 'x']],
    [/unknown option '--recrod' \(did you mean --record\?\)/, [...two, '--recrod', 'x']],
    [/world: expected one of .*codeball.* \(did you mean codeball\?\), got "codebal"/, ['match', 'codebal', 'idle', 'idle']],
    [/bot: expected one of .* \(did you mean captain\?\), got "captian"/, ['match', 'codeball', 'captian', 'idle']],
    [/rules: expected one of round1, round2, finals \(did you mean finals\?\), got "final"/, [...two, '--rules', 'final']],
    [/seed: expected a whole number 0\.\.18446744073709551615, got "x"/, [...two, '--seed', 'x']],
    [/seed: expected a whole number 0\.\.18446744073709551615, got 18446744073709551616/, [...two, '--seed', '18446744073709551616']],
    [/seed: .* got "-1"/, [...two, '--seed=-1']],
    [/seed: .* got "1e3"/, [...two, '--seed', '1e3']],
    [/seeds: expected two seeds a\.\.b, got "5"/, [...two, '--seeds', '5']],
    [/seeds: expected 1\.\.1000000 seeds, the smaller first, got "5\.\.4"/, [...two, '--seeds', '5..4']],
    [/games: expected a whole number 1\.\.1000000, got 0/, [...two, '--games', '0']],
    [/config\.ticks: expected a whole number 1\.\.10000000, got "many"/, [...two, '--ticks', 'many']],
    [/config\.rules\.team_size: expected a whole number 1\.\.32, got 1000/, [...two, '--set', 'rules.team_size=1000']],
    [/config\.rules\.GRAVTY: expected a known field \(did you mean GRAVITY\?\), got 1/, [...two, '--set', 'rules.GRAVTY=1']],
    [/config\.drws: expected only the fields .* \(did you mean draws\?\), got "none"/, [...two, '--set', 'drws=none']],
    [/config\.draws: expected one of official, counter, none, got "maybe"/, [...two, '--draws', 'maybe']],
    [/config\.draws: expected one of .* \(did you mean official\?\), got "offical"/, [...two, '--draws', 'offical']],
    [/set: expected path=value, e\.g\. rules\.GRAVITY=10, got "gravity"/, [...two, '--set', 'gravity']],
    [/bots: expected 2, one a seat \(built in are captain, .*; others are named by their path\), got 0/, ['match', 'codeball']],
    [/bots: expected 2, one a seat \(.*\), got 1/, ['match', 'codeball', 'idle']],
    [/bots: expected 2, one a seat \(.*\), got 3/, [...two, 'idle']],
    [/bots: expected 1, one a seat \(built in are pilot, .*\), got 2/, ['match', 'asteracer', 'pilot', 'pilot']],
    [/\.\/no\.mjs: expected a readable file, got "no such file or folder"/, ['match', 'codeball', './no.mjs', 'idle']],
    [/record: expected a name with \{seed\} in it/, [...two, '--games', '2', '--seed', '1', '--record', 'x']],
    [/no\/where\/x: expected a file in a folder that can be written to/, [...two, '--seed', '1', '--record', 'no/where/x']],
    [/record: expected the name of a file, got ""/, [...two, '--record', '']],
    [/\.: expected the name of a file, got "a folder"/, [...two, '--record', '.']],
    [/games\/: expected the name of a file, got "a folder"/, [...two, '--record', 'games/']],
    [/ticks: expected at most \d+ in a game that is recorded, got 10000000/, [...two, '--ticks', '10000000', '--record', 'x']],
    [/jobs: expected a whole number 1\.\.1024, got "banana"/, [...two, '--seeds', '1..2', '--jobs', 'banana']],
    [/jobs: expected a whole number 1\.\.1024, got ""/, [...two, '-j', '']],
    [/timeout: expected a number 0\.001\.\.86400, got "soon"/, [...two, '--timeout', 'soon']],
    [/games: expected a whole number 1\.\.1000000, got "all"/, [...two, '--games', 'all']],
    [/games: expected at most 1, for seeds end at 18446744073709551615, got 2/, [...two, '--seed', '18446744073709551615', '--games', '2']],
    [/help: expected one of .* \(did you mean match\?\), got "mach"/, ['help', 'mach']],
    [/help: expected one of .* \(did you mean verify\?\), got "verfy"/, ['help', 'replay', 'verfy']],
    [/help: expected one of .* \(did you mean ledger\?\), got "ledgr"/, ['replay', 'help', 'ledgr']],
    [/missing required argument 'world'/, ['match']],
    [/nothing\.replay: expected a readable file, got "no such file or folder"/, ['replay', 'verify', 'nothing.replay']],
    [/\.: expected a readable file, got "a folder"/, ['replay', 'info', '.']],
    [/port: expected a whole number 0\.\.65535, got 70000/, ['studio', '--port', '70000']],
    [/port: expected a whole number 0\.\.65535, got "abc"/, ['studio', '--port', 'abc']],
    [/port: expected a whole number 0\.\.65535, got ""/, ['studio', '--port', '']],
    [/host: expected an address, e\.g\. 127\.0\.0\.1, got ""/, ['studio', '--host', '']],
    [/seconds: expected a number 0\.01\.\.3600, got "long"/, ['bench', 'codeball', '--seconds', 'long']],
    [/nothing\.gz: expected a readable file/, ['conform', 'codeball', 'nothing.gz']],
  ])('%s', async (expected, args) => {
    await line(expected, ...args);
  });

  it('modules that do not load or make no bot', async () => {
    writeFileSync(join(folder, 'syntax.mjs'), 'export function (');
    writeFileSync(join(folder, 'empty.mjs'), 'export const answer = 42;');
    writeFileSync(join(folder, 'lonely.mjs'), "import './friend.mjs';");
    await line(/syntax\.mjs: expected a module that loads, got "syntax\.mjs:1: SyntaxError/, 'match', 'codeball', './syntax.mjs', 'idle');
    await line(/expected a module that loads, got "no friend\.mjs, which is imported"/, 'match', 'codeball', './lonely.mjs', 'idle');
    await line(
      /empty\.mjs: expected an export createBot\(briefing, seat\), or a default one, got "exports answer"/,
      'match',
      'codeball',
      './empty.mjs',
      'idle',
    );
  });

  it('replays that are foreign, truncated or damaged', async () => {
    await lockstep('match', 'codeball', 'idle', 'chaser', '--seed', '1', '--ticks', '100', '--record', 'whole.replay');
    const whole = readFileSync(join(folder, 'whole.replay'));
    const damaged = Buffer.from(whole);
    damaged[200]! ^= 0xff;
    writeFileSync(join(folder, 'cut.replay'), whole.subarray(0, 500));
    writeFileSync(join(folder, 'damaged.replay'), damaged);
    writeFileSync(join(folder, 'foreign.replay'), 'PNG or so');
    await line(/cut\.replay: expected \d+ bytes \(the file is truncated\), got 500/, 'replay', 'verify', 'cut.replay');
    await line(/damaged\.replay: section head: expected CRC-32 \w+ \(it is damaged\)/, 'replay', 'info', 'damaged.replay');
    await line(/foreign\.replay: expected a lockstep replay/, 'replay', 'ledger', 'foreign.replay', '--tick', '1');
    await line(/tick: expected a whole number 0\.\.99, got 100/, 'replay', 'ledger', 'whole.replay', '--tick', '100');
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('recordings that are none', async () => {
    writeFileSync(join(folder, 'a.jsonl'), '{"max_tick_count":5,"seed":"1","team_size":2}\n{"t":0,"s":[0,0]}\n');
    writeFileSync(join(folder, 'b.jsonl'), 'hello\n');
    writeFileSync(join(folder, 'c.jsonl.gz'), Buffer.of(0x1f, 0x8b, 8, 0, 1));
    await line(/a\.jsonl: line 2: expected a state \{t, s, r, b, o, k\}/, 'conform', 'codeball', 'a.jsonl');
    await line(/b\.jsonl: line 1: expected JSON, got "hello"/, 'conform', 'codeball', 'b.jsonl');
    await line(/c\.jsonl\.gz: expected a whole gzip file/, 'conform', 'codeball', 'c.jsonl.gz');
  });
});
