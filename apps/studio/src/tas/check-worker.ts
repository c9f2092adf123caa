import { asteracer, type Config, Instruction, readMap, type State } from '@lockstep/asteracer';
import type { CheckCommand, CheckReport } from './check-protocol.ts';
import { configFor, writeReplay } from './files.ts';

/** Ticks between two looks at the post. */
const SLICE = 20_000;

type Claim = Extract<CheckCommand, { type: 'check' }>;

let config: Config | null = null;
let claim: Claim | null = null;
let state: State | null = null;

const bell = new MessageChannel();
bell.port1.addEventListener('message', work);
bell.port1.start();

self.addEventListener('message', ({ data }: MessageEvent<CheckCommand>) => {
  if (data.type === 'track') config = configFor(readMap(data.map), data.rules);
  else if (data.type === 'replay') void save(data.run, data.script);
  else start(data);
});

function start(asked: Claim): void {
  claim = asked;
  state = asteracer.world.create(config!, 0n);
  bell.port2.postMessage(null);
}

function work(): void {
  if (claim === null || state === null) return;
  const { script, run, x, y, vx, vy } = claim;
  const same = (at: State) => at.x === x[at.tick] && at.y === y[at.tick] && at.vx === vx[at.tick] && at.vy === vy[at.tick];
  const end = Math.min(state.tick + SLICE, script.length / 2);
  const instruction = new Instruction();
  while (same(state) && state.tick < end) {
    instruction.vx = script[2 * state.tick]!;
    instruction.vy = script[2 * state.tick + 1]!;
    asteracer.world.step(state, [instruction], []);
  }
  const ok = same(state);
  send({ type: 'checked', run, verified: ok ? state.tick : state.tick - 1, diverged: ok ? null : state.tick });
  if (ok && state.tick < script.length / 2) bell.port2.postMessage(null);
  else claim = null;
}

async function save(run: number, script: Int8Array): Promise<void> {
  send({ type: 'replay', run, bytes: new Uint8Array(await writeReplay(config!, script)) });
}

function send(report: CheckReport): void {
  self.postMessage(report);
}
