import {
  firstDifference,
  hash,
  InputError,
  type LedgerEntry,
  readSeed,
  restore,
  restoreAction,
  type Seed,
  shown,
  snapshot,
  type TickState,
  type World,
  type WorldEvent,
  writeAction,
} from '@lockstep/kernel';

/** How the contract is tried out on one world. */
export interface WorldCase<Action> {
  /** What `readConfig` gets; the first preset unless said otherwise. */
  readonly config?: unknown;
  readonly seed: Seed | string;
  /** How long the games are; a game that ends sooner is played to its end. */
  readonly ticks: number;
  /** Actions as the world's door would hand them out; a pure function, see `scripted`. */
  actionAt(tick: number, seat: number): Action;
  /** Each must be refused by `readAction`. */
  readonly badActions: readonly unknown[];
  /** Each must be refused by `readConfig`. */
  readonly badConfigs: readonly unknown[];
}

/** One promise: throws with what was broken. */
export type Check = <C, S extends TickState, A, V, B>(world: World<C, S, A, V, B>, test: WorldCase<A>) => void;

/** The promises every world makes, by the words that name them. `describeWorld` turns each into a test. */
export const contract: Readonly<Record<string, Check>> = {
  '[W1] same seed and actions, same hash at every tick': sameHashes,
  '[W2] restore brings back every field, and the future with it': restoreIsComplete,
  '[W3] every tick can be taken back and played again': everyTickTakenBack,
  '[W4] two games in one process do not touch each other': gamesDoNotTouch,
  '[W5] observing and briefing change nothing and give fresh plain JSON': observingChangesNothing,
  '[W6] no clock and no dice but the state’s own': noClockNoDice,
  '[W7] a ledger on request changes nothing; events are the same plain data': ledgerChangesNothing,
  '[W8] bad actions and configs are refused at the door, by path': badInputRefused,
  '[W9] every preset is valid and a config survives being written': presetsHold,
  '[W10] an action survives its field list, which has one length': actionFieldsHold,
  '[W11] idle and forfeit are legal at any time': idleAndForfeitAreLegal,
  '[W12] a tick counts itself, leaves its actions alone, and the result fits the seats': ticksAndResults,
};

class Game<C, S extends TickState, A, V, B> {
  readonly config: C;
  readonly seats: number;
  readonly state: S;
  readonly world: World<C, S, A, V, B>;
  readonly test: WorldCase<A>;

  constructor(world: World<C, S, A, V, B>, test: WorldCase<A>, seedOffset = 0n) {
    this.world = world;
    this.test = test;
    this.config = world.readConfig('config' in test ? test.config : Object.values(world.presets)[0]);
    this.seats = world.seats(this.config);
    this.state = world.create(this.config, BigInt.asUintN(64, readSeed(test.seed) + seedOffset));
  }
  actions(): A[] {
    return Array.from({ length: this.seats }, (_, seat) => this.test.actionAt(this.state.tick, seat));
  }
  /** False when the game is over. */
  tick(events: WorldEvent[] = [], ledger?: LedgerEntry[]): boolean {
    if (this.state.tick >= this.test.ticks || this.world.result(this.state) !== null) return false;
    this.world.step(this.state, this.actions(), events, ledger);
    return true;
  }
  /** Plays on to the given tick, or to the end. */
  playTo(tick: number): this {
    while (this.state.tick < tick && this.tick());
    return this;
  }
  hash(): string {
    return hash(this.world, this.state);
  }
}

function must(holds: boolean, otherwise: () => string): asserts holds {
  if (!holds) throw new Error(otherwise());
}

function mustEqual(expected: unknown, got: unknown, path: string, when: string): void {
  const difference = firstDifference(expected, got, path);
  must(difference === null, () => `${when}: ${difference}`);
}

export function sameHashes<C, S extends TickState, A, V, B>(world: World<C, S, A, V, B>, test: WorldCase<A>): void {
  const first = new Game(world, test);
  const second = new Game(world, test);
  do {
    const [one, two] = [first.hash(), second.hash()];
    must(
      one === two,
      () => `tick ${first.state.tick} differs between two runs: ${firstDifference(first.state, second.state) ?? `${one} vs ${two}`}`,
    );
  } while (first.tick() && second.tick());
  must(first.state.tick > 0, () => 'the game was over before its first tick: nothing was tried');
}

export function restoreIsComplete<C, S extends TickState, A, V, B>(world: World<C, S, A, V, B>, test: WorldCase<A>): void {
  for (const part of [0, 0.3, 0.7]) {
    const game = new Game(world, test).playTo(Math.floor(test.ticks * part));
    const kept = snapshot(world, game.state);
    const keptHash = game.hash();
    const twin = structuredClone(game.state);
    const future = game.playTo(test.ticks).hash();

    restore(world, game.state, kept);
    mustEqual(twin, structuredClone(game.state), 'state', `tick ${twin.tick} was not brought back by restore`);
    must(game.hash() === keptHash, () => `tick ${twin.tick}: the hash is another after restore`);
    must(game.playTo(test.ticks).hash() === future, () => `the future from tick ${twin.tick} is another after restore`);

    // a keyframe of a file meets a state that has never played
    const fresh = new Game(world, test, 1n);
    restore(world, fresh.state, kept);
    mustEqual(twin, structuredClone(fresh.state), 'state', `tick ${twin.tick} was not brought back into a fresh state`);
    must(fresh.playTo(test.ticks).hash() === future, () => `the future from tick ${twin.tick} is another in a fresh state`);
  }
}

export function everyTickTakenBack<C, S extends TickState, A, V, B>(world: World<C, S, A, V, B>, test: WorldCase<A>): void {
  const game = new Game(world, test);
  for (;;) {
    const { tick } = game.state;
    const before = snapshot(world, game.state);
    if (!game.tick()) return;
    const first = game.hash();
    const firstState = structuredClone(game.state);
    restore(world, game.state, before);
    game.tick();
    must(game.hash() === first, () => `tick ${tick} replayed differently: ${firstDifference(firstState, structuredClone(game.state))}`);
  }
}

export function gamesDoNotTouch<C, S extends TickState, A, V, B>(world: World<C, S, A, V, B>, test: WorldCase<A>): void {
  const alone = new Game(world, test).playTo(test.ticks).hash();
  const game = new Game(world, test);
  const other = new Game(world, test, 1n);
  for (let i = 0; game.tick(); i++) {
    if (i % 3 === 0) other.tick();
    if (i % 50 === 0) new Game(world, test, 2n).tick();
  }
  must(game.hash() === alone, () => 'a game came out differently because others were played beside it');
}

export function observingChangesNothing<C, S extends TickState, A, V, B>(world: World<C, S, A, V, B>, test: WorldCase<A>): void {
  const alone = new Game(world, test).playTo(test.ticks).hash();
  const game = new Game(world, test);
  const config = JSON.stringify(world.writeConfig(game.config));
  const every = Math.max(1, Math.floor(test.ticks / 10));
  do {
    if (game.state.tick % every !== 0) continue;
    const before = structuredClone(game.state);
    for (let seat = 0; seat < game.seats; seat++) {
      for (const [name, look] of [
        ['brief', () => world.brief(game.state, seat)],
        ['observe', () => world.observe(game.state, seat)],
      ] as const) {
        const what = `${name}(seat ${seat}) at tick ${before.tick}`;
        const seen = look();
        mustEqual(before, structuredClone(game.state), 'state', `${what} changed the state`);
        mustBeJson(seen, name);
        const text = JSON.stringify(seen);
        scribble(seen);
        mustEqual(before, structuredClone(game.state), 'state', `scribbling on what ${what} gave changed the state`);
        must(JSON.stringify(look()) === text, () => `scribbling on what ${what} gave changed what it gives next`);
      }
    }
  } while (game.tick());
  must(game.hash() === alone, () => 'a game came out differently because it was observed');
  must(JSON.stringify(world.writeConfig(game.config)) === config, () => 'a game came out with another config because it was observed');
}

/** Plain data that JSON brings back, the sign of zero aside. */
export function mustBeJson(value: unknown, path: string): void {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return;
  if (typeof value === 'number') {
    must(Number.isFinite(value), () => `${path}: JSON cannot hold ${value}`);
    return;
  }
  must(typeof value === 'object' && value !== undefined, () => `${path}: JSON cannot hold ${shown(value)} (${typeof value})`);
  const odd = ArrayBuffer.isView(value) || value instanceof Map || value instanceof Set;
  must(!odd, () => `${path}: expected plain data, got ${value.constructor.name}`);
  for (const [key, part] of Object.entries(value)) {
    if (part !== undefined || Array.isArray(value)) mustBeJson(part, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`);
  }
}

/** Changes every number, string, flag and list it can reach. */
function scribble(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const bag = value as Record<string, unknown>;
  for (const key of Object.keys(bag)) {
    const part = bag[key];
    scribble(part);
    if (typeof part === 'object' && part !== null) continue;
    Reflect.set(bag, key, typeof part === 'number' ? part + 12345.5 : typeof part === 'boolean' ? !part : 'scribble');
  }
  if (Array.isArray(value) && !Object.isFrozen(value)) value.push('scribble');
}

export function noClockNoDice<C, S extends TickState, A, V, B>(world: World<C, S, A, V, B>, test: WorldCase<A>): void {
  const no = (what: string) => (): never => {
    throw new Error(`${world.name} called ${what} inside the simulation`);
  };
  const undo = [
    swap(Math, 'random', no('Math.random')),
    swap(performance, 'now', no('performance.now')),
    swap(globalThis, 'Date', new Proxy(Date, { construct: no('new Date'), apply: no('Date'), get: no('Date') })),
  ];
  try {
    const game = new Game(world, test);
    do {
      world.brief(game.state, 0);
      world.observe(game.state, 0);
      game.hash();
    } while (game.tick());
  } finally {
    for (const back of undo) back();
  }
}

/** Puts something else in a global's place; the answer puts it back. */
function swap(owner: object, name: string, value: unknown): () => void {
  const own = Object.getOwnPropertyDescriptor(owner, name);
  Object.defineProperty(owner, name, { value, configurable: true, writable: true });
  return () => {
    if (own === undefined) Reflect.deleteProperty(owner, name);
    else Object.defineProperty(owner, name, own);
  };
}

export function ledgerChangesNothing<C, S extends TickState, A, V, B>(world: World<C, S, A, V, B>, test: WorldCase<A>): void {
  const plain = new Game(world, test);
  const noted = new Game(world, test);
  for (;;) {
    const events: WorldEvent[] = [];
    const notedEvents: WorldEvent[] = [];
    const ledger: LedgerEntry[] = [];
    const { tick } = plain.state;
    if (!plain.tick(events)) return;
    noted.tick(notedEvents, ledger);
    must(plain.hash() === noted.hash(), () => `tick ${tick}: asking for the ledger changed ${firstDifference(plain.state, noted.state)}`);
    mustEqual(events, notedEvents, 'events', `tick ${tick}: asking for the ledger changed the events`);
    events.forEach((event, i) => mustBeJson(event, `events[${i}]`));
    ledger.forEach((entry, i) => mustBeJson(entry, `ledger[${i}]`));
  }
}

export function badInputRefused<C, S extends TickState, A, V, B>(world: World<C, S, A, V, B>, test: WorldCase<A>): void {
  must(test.badActions.length > 0 && test.badConfigs.length > 0, () => 'give some bad actions and bad configs to try');
  const game = new Game(world, test).playTo(test.ticks >> 1);
  const before = game.hash();
  for (const bad of test.badActions) {
    mustRefuse(() => world.readAction(bad, game.state, 0), /^action\b[^\n]*: expected [^\n]*, got [^\n]*$/, 'readAction', bad);
  }
  must(game.hash() === before, () => 'reading actions changed the state');
  for (const bad of test.badConfigs) mustRefuse(() => world.readConfig(bad), /^\S[^\n]*: expected [^\n]*, got [^\n]*$/, 'readConfig', bad);
}

function mustRefuse(act: () => unknown, form: RegExp, door: string, bad: unknown): void {
  let taken: unknown;
  try {
    taken = act();
  } catch (error) {
    must(error instanceof InputError, () => `${door} met ${shown(bad)} with ${String(error)}, which is no InputError`);
    must(
      form.test(error.message),
      () => `${door} refused ${shown(bad)} with ${JSON.stringify(error.message)}, which does not match ${form}`,
    );
    return;
  }
  throw new Error(`${door} took ${shown(bad)} and made ${shown(taken)} of it`);
}

export function presetsHold<C, S extends TickState, A, V, B>(world: World<C, S, A, V, B>, _test: WorldCase<A>): void {
  const names = Object.keys(world.presets);
  must(names.length > 0, () => 'a world needs at least one preset');
  for (const name of names) {
    mustBeJson(world.presets[name], `presets.${name}`);
    const config = world.readConfig(world.presets[name]);
    const written = world.writeConfig(config);
    mustBeJson(written, `writeConfig(${name})`);
    const again = world.readConfig(JSON.parse(JSON.stringify(written)));
    mustEqual(written, world.writeConfig(again), `writeConfig(${name})`, 'a config changed by being written and read');
    must(world.seats(config) >= 1 && Number.isInteger(world.seats(config)), () => `preset ${name} has ${world.seats(config)} seats`);
    const hashes = [config, again].map((from) => hash(world, world.create(from, 1n)));
    must(hashes[0] === hashes[1], () => `preset ${name}: a game of the config that was written and read begins differently`);
  }
}

export function actionFieldsHold<C, S extends TickState, A, V, B>(world: World<C, S, A, V, B>, test: WorldCase<A>): void {
  const game = new Game(world, test);
  let length = -1;
  for (let tick = 0; tick < test.ticks; tick++) {
    for (let seat = 0; seat < game.seats; seat++) {
      for (const action of [test.actionAt(tick, seat), world.idle(game.config, seat), world.forfeit(game.config, seat)]) {
        const before = structuredClone(action);
        const values = writeAction(world, action);
        mustEqual(before, structuredClone(action), 'action', 'writing an action changed it');
        if (length < 0) length = values.length;
        must(values.length === length, () => `an action took ${values.length} values at tick ${tick} and ${length} before`);
        const back = world.idle(game.config, seat);
        restoreAction(world, back, values);
        mustEqual(before, structuredClone(back), 'action', `an action of seat ${seat} at tick ${tick} did not survive its field list`);
      }
    }
  }
}

export function idleAndForfeitAreLegal<C, S extends TickState, A, V, B>(world: World<C, S, A, V, B>, test: WorldCase<A>): void {
  for (const silence of ['idle', 'forfeit'] as const) {
    const game = new Game(world, test).playTo(Math.floor(test.ticks / 3));
    for (let i = 0; i < test.ticks && world.result(game.state) === null; i++) {
      const from = i % (game.seats + 1); // seats from here on are silent, the others play on
      const actions = game.actions().map((action, seat) => (seat >= from ? world[silence](game.config, seat) : action));
      world.step(game.state, actions, []);
    }
    const first = world[silence](game.config, 0);
    const before = structuredClone(first);
    scribble(first);
    mustEqual(before, structuredClone(world[silence](game.config, 0)), silence, `scribbling on an action of ${silence} changed the next`);
  }
}

export function ticksAndResults<C, S extends TickState, A, V, B>(world: World<C, S, A, V, B>, test: WorldCase<A>): void {
  const game = new Game(world, test);
  must(game.state.tick === 0, () => `a new game is at tick ${game.state.tick}, not 0`);
  for (let tick = 0; tick < test.ticks; tick++) {
    const before = game.hash();
    const result = world.result(game.state);
    must(game.hash() === before, () => `asking for the result at tick ${tick} changed the state`);
    if (result !== null) {
      mustBeJson(result, 'result');
      must(result.scores.length === game.seats, () => `the result has ${result.scores.length} scores for ${game.seats} seats`);
      must(result.ranks.length === game.seats, () => `the result has ${result.ranks.length} ranks for ${game.seats} seats`);
      must(Math.min(...result.ranks) === 1, () => `the best rank is ${Math.min(...result.ranks)}, not 1`);
      return;
    }
    const actions = game.actions();
    const asked = structuredClone(actions);
    world.step(game.state, actions, []);
    must(game.state.tick === tick + 1, () => `after ${tick + 1} ticks the state says ${game.state.tick}`);
    mustEqual(asked, structuredClone(actions), 'actions', `the step of tick ${tick} changed its actions`);
  }
}
