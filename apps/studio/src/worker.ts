import { catalog } from '@lockstep/catalog';
import { InputError } from '@lockstep/kernel';
import { readReplay } from '@lockstep/replay';
import { Drawings } from './drawings.ts';
import type { Command, Report, Setup, Shot, WorldCard } from './protocol.ts';
import { KEYFRAME_EVERY, Run } from './run.ts';

/** Of the built-in bots by world, summed up when the studio was built (vite.config.ts). */
declare const BOTS_SHA256: Readonly<Record<string, string | null>>;

/** Longest time without looking at the post, in milliseconds. */
const SLICE = 12;
const CHECK_TICKS = 8;

interface Job {
  readonly wish: number;
  readonly ticks: readonly number[];
  next: number;
}

let run: Run | null = null;
/** What the bots of a recording drew. */
let drawings: Drawings | null = null;
let runId = 0;
let job: Job | null = null;
let fieldsWanted: number | null = null;
let reportedEvents = 0;
let reportedFaults = 0;
let reported = '';
let awake = false;

const bell = new MessageChannel();
bell.port1.addEventListener('message', guarded(work));
bell.port1.start();

self.addEventListener('message', ({ data }: MessageEvent<Command>) => guarded(() => obey(data))());
send({ type: 'catalog', worlds: catalog.map(cardOf) });

function obey(command: Command): void {
  if (command.type === 'start') {
    start(command);
  } else if (command.type === 'open') {
    void open(command);
  } else if (command.run === runId) {
    if (command.type === 'show') job = { wish: command.wish, ticks: command.ticks, next: 0 };
    else if (command.type === 'fields') fieldsWanted = command.tick;
    else if (command.type === 'take') run?.take(command.hand);
    else if (command.type === 'cut') cut(command);
    else if (run !== null) void save(run, runId);
  }
  wake();
}

function start({ run: id, setup }: Extract<Command, { type: 'start' }>): void {
  begin(id);
  refusing(() => present(Run.ofSetup(entryOf(setup.world), setup, BOTS_SHA256[setup.world]), setup));
}

async function open({ run: id, file }: Extract<Command, { type: 'open' }>): Promise<void> {
  begin(id);
  try {
    const replay = await readReplay(file.bytes, file.name);
    if (id !== runId) return;
    if (file.drawings !== undefined) drawings = new Drawings(file.drawings.text, file.drawings.name);
    const entry = entryOf(replay.world);
    const { world } = entry;
    const preset = Object.keys(world.presets).find((name) => same(world.writeConfig(world.readConfig(world.presets[name])), replay.config));
    const setup = { world: replay.world, preset: preset ?? '', seed: String(replay.seed), bots: replay.bots.map(({ name }) => name) };
    refusing(() => present(Run.ofReplay(entry, replay), setup));
  } catch (error) {
    if (error instanceof InputError) send({ type: 'refused', run: id, message: error.message });
    else crash(error);
  }
  wake();
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

function entryOf(name: string): (typeof catalog)[number] {
  const entry = catalog.find(({ world }) => world.name === name);
  if (entry === undefined) throw new InputError('world', `one of ${catalog.map(({ world }) => world.name).join(', ')}`, name);
  return entry;
}

function begin(id: number): void {
  runId = id;
  run = null;
  drawings = null;
  job = null;
  fieldsWanted = null;
  reportedEvents = 0;
  reportedFaults = 0;
  reported = '';
}

function present(made: Run, setup: Setup): void {
  run = made;
  const { ticksPerSecond } = entryOf(setup.world).world;
  const info = { setup, config: run.writtenConfig, ticksPerSecond, keyframeEvery: KEYFRAME_EVERY, ...run.scenery };
  const arrays = info.meshes.flatMap(({ positions, normals, indices }) => [positions.buffer, normals.buffer, indices.buffer]);
  send({ type: 'started', run: runId, info }, arrays as ArrayBuffer[]);
}

function refusing(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    send({ type: 'refused', run: runId, message: error.message });
  }
}

function cut({ next, tick }: Extract<Command, { type: 'cut' }>): void {
  runId = next;
  job = null;
  fieldsWanted = null;
  reported = '';
  run?.cut(tick);
  reportedEvents = run?.events.length ?? 0;
  reportedFaults = run?.faults.length ?? 0;
}

async function save(of: Run, id: number): Promise<void> {
  try {
    send({ type: 'replay', run: id, bytes: new Uint8Array(await of.toReplay()) });
  } catch (error) {
    crash(error);
  }
}

function wake(): void {
  if (awake) return;
  awake = true;
  bell.port2.postMessage(null);
}

/** One slice: first what the page waits for, then checking. */
function work(): void {
  awake = false;
  if (run === null) return;
  const end = performance.now() + SLICE;
  let more = job !== null && showSome(run, job, end);
  if (!more) job = null;
  if (fieldsWanted !== null && fieldsWanted <= run.head) {
    send({ type: 'fields', run: runId, tick: fieldsWanted, lines: run.fieldsAt(fieldsWanted) });
    fieldsWanted = null;
  }
  while (!more && run.check(CHECK_TICKS)) if (performance.now() >= end) more = true;
  reportProgress(run);
  if (more) wake();
}

/** True if scenes are left to make. */
function showSome(run: Run, job: Job, end: number): boolean {
  const shots: Shot[] = [];
  let over = false;
  while (job.next < job.ticks.length && !over && performance.now() < end) {
    const tick = job.ticks[job.next]!;
    while (run.head < tick && !over && performance.now() < end) over = !run.advance();
    if (run.head < tick) continue;
    shots.push(shotAt(run, tick));
    job.next++;
  }
  const left = job.next < job.ticks.length && !over;
  if (shots.length > 0 || !left) send({ type: 'shots', run: runId, wish: job.wish, shots, done: !left });
  return left;
}

function shotAt(run: Run, tick: number): Shot {
  const scene = run.sceneAt(tick);
  const hash = run.hashAt(tick);
  if (drawings === null) return { scene, hash };
  const { shapes, said } = drawings.at(tick, run.entry);
  return { scene: { ...scene, shapes: [...scene.shapes, ...shapes] }, hash, said };
}

function reportProgress(run: Run): void {
  const { head, verified, diverged, result, byHand, behind } = run;
  const now = `${head} ${verified} ${diverged} ${result === null} ${behind}`;
  if (now === reported) return;
  reported = now;
  const events = run.events.slice(reportedEvents);
  const faults = run.faults.slice(reportedFaults);
  reportedEvents += events.length;
  reportedFaults += faults.length;
  send({ type: 'progress', run: runId, progress: { head, verified, diverged, result, byHand, behind, events, faults } });
}

function cardOf({ world, bots, course, arcade, endless }: (typeof catalog)[number]): WorldCard {
  const presets = Object.keys(world.presets);
  const seats = Object.fromEntries(presets.map((name) => [name, world.seats(world.readConfig(world.presets[name]))]));
  return {
    name: world.name,
    presets,
    bots: Object.keys(bots),
    ticksPerSecond: world.ticksPerSecond,
    seats,
    course: course !== undefined,
    arcade: arcade === true,
    endless: endless === true,
  };
}

function guarded(act: () => void): () => void {
  return () => {
    try {
      act();
    } catch (error) {
      crash(error);
    }
  };
}

function crash(error: unknown): void {
  run = null;
  send({ type: 'crashed', run: runId, message: error instanceof Error ? error.message : String(error) });
}

function send(report: Report, transfer: Transferable[] = []): void {
  self.postMessage(report, { transfer });
}
