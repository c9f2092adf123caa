import { type Bot, InputError, readSeed, type WorldEvent } from '@lockstep/kernel';
import { Controls, pinball, type PinballView, type Play, type State } from '@lockstep/pinball';
import { readReplay, ReplayWriter, verifyReplay } from '@lockstep/replay';
import { shotFan } from './fan.ts';
import { Game } from './game.ts';
import type { Command, Reading, Report, Sheet, Shot } from './protocol.ts';
import { Script } from './script.ts';

const { world, bots } = pinball;

/** Longest time without looking at the post, in milliseconds. */
const SLICE = 12;

/** What the page plays, played here a second time. */
let checked: { readonly run: number; game: Game } | null = null;
/** A game that a bot plays on. */
let played: { readonly run: number; readonly game: Game; readonly bot: Bot<PinballView, Play>; sent: number; until: number } | null = null;

const bell = new MessageChannel();
let awake = false;
bell.port1.addEventListener('message', () => {
  awake = false;
  playOn();
});
bell.port1.start();

self.addEventListener('message', ({ data }: MessageEvent<Command>) => {
  switch (data.type) {
    case 'check':
      check(data);
      break;
    case 'write':
      void write(data.id, data.sheet, data.player);
      break;
    case 'read':
      void read(data.id, data.bytes, data.name);
      break;
    case 'bot':
      employ(data.run, data.sheet);
      break;
    case 'until':
      if (played?.run === data.run) played.until = data.tick;
      wake();
      break;
    case 'fan':
      send({ type: 'fan', id: data.id, shots: [...shotFan(world.readConfig(data.config), data.flipper)] satisfies Shot[] });
      break;
  }
});

function wake(): void {
  if (awake || played === null) return;
  awake = true;
  bell.port2.postMessage(null);
}

function check({ run, config, seed, keep, more, head, hash }: Extract<Command, { type: 'check' }>): void {
  if (checked?.run !== run) checked = { run, game: new Game(world.readConfig(config), seed) };
  const { script } = checked.game;
  const cut = keep < script.length;
  if (cut || head < checked.game.head) checked.game = new Game(checked.game.config, seed, Script.of(script.rows.slice(0, keep * 6)));
  checked.game.script.append(more);
  const { game } = checked;
  while (game.head < head && game.result === null) game.advance();
  send({ type: 'checked', run, head, ok: game.hash === hash && game.head === head });
}

function employ(run: number, { config, seed, rows, ticks }: Sheet): void {
  const game = Game.played(world.readConfig(config), seed, Script.of(rows), ticks);
  const bot = bots['wizard']!(world.brief(game.state, 0), 0) as Bot<PinballView, Play>;
  played = { run, game, bot, sent: game.script.length, until: game.head };
}

/** The bot is asked tick after tick, as far ahead as the page wants to see it. */
function playOn(): void {
  if (played === null) return;
  const { run, game, bot } = played;
  const end = performance.now() + SLICE;
  const from = game.head;
  while (game.head < played.until && game.result === null && performance.now() < end) {
    const play = bot.act(world.observe(game.state, 0));
    game.advance(world.readAction(play, game.state, 0));
  }
  if (game.head > from) send({ type: 'played', run, rows: game.script.from(played.sent), head: game.head });
  played.sent = game.script.length;
  if (game.head < played.until && game.result === null) wake();
}

/** The game as a replay file, played once more from the start. */
async function write(id: number, { config: raw, seed, rows, ticks }: Sheet, player: string): Promise<void> {
  const config = world.readConfig(raw);
  const script = Script.of(rows);
  const writer = new ReplayWriter({ world, config, seed: readSeed(seed), bots: [{ name: player, kind: 'person', sha256: null }] });
  const state: State = world.create(config, readSeed(seed));
  while (state.tick < ticks && world.result(state) === null) {
    const events: WorldEvent[] = [];
    const actions = [script.read(state.tick, new Controls())];
    writer.note(actions);
    world.step(state, actions, events);
    writer.afterStep(state, events);
  }
  send({ type: 'written', id, bytes: new Uint8Array(await writer.finish(world.result(state), [])) });
}

/** Reads a replay and plays it again, from config, seed and actions. What does not come out as it says is refused in one line. */
async function read(id: number, bytes: Uint8Array, name: string): Promise<void> {
  try {
    const replay = await readReplay(bytes, name);
    const began = performance.now();
    const { ok, difference } = verifyReplay(world, replay);
    const took = performance.now() - began;
    if (!ok) return send({ type: 'read', id, reading: null, wrong: `${name}: ${difference}` });
    const config = world.readConfig(replay.config);
    const script = new Script();
    for (let tick = 0; tick < replay.ticks; tick++) script.note(tick, controlsOf(replay.rows, tick));
    const game = Game.played(config, String(replay.seed), script, replay.ticks);
    const reading: Reading = {
      config: world.writeConfig(config),
      seed: String(replay.seed),
      rows: script.from(0),
      ticks: replay.ticks,
      table: config.ours ?? config.machine.layout.name,
      score: game.state.score,
      player: replay.bots[0]?.name ?? '',
      over: replay.result !== null,
      took,
    };
    send({ type: 'read', id, reading, wrong: '' });
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    send({ type: 'read', id, reading: null, wrong: error.message });
  }
}

const WIDTH = 6;

function controlsOf(rows: Float64Array, tick: number): Controls {
  const controls = new Controls();
  const at = tick * WIDTH;
  controls.left = rows[at] === 1;
  controls.right = rows[at + 1] === 1;
  controls.plunger = rows[at + 2]!;
  controls.nudgeX = rows[at + 3]!;
  controls.nudgeY = rows[at + 4]!;
  return controls;
}

function send(report: Report): void {
  self.postMessage(report);
}
