import type { AnyEntry, Bot, Result, TickState, WorldEvent } from '@lockstep/kernel';
import type { Fault } from '@lockstep/match';
import { Playback, type Replay } from '@lockstep/replay';
import type { Hand } from './protocol.ts';
import type { Game } from './run.ts';

/** Who follows the game, and whose hand is on it. */
interface Company {
  handNow(): Hand | null;
  note(actions: readonly unknown[]): void;
}

/**
 * A game that was recorded, tick by tick. Where a person takes a seat, the others play on as they did; when the recording has nothing
 * more for them they stand still, until the game is over by its rules.
 */
export class RecordedGame implements Game {
  readonly state: TickState;
  readonly events: WorldEvent[] = [];
  readonly faults: Fault[] = [];
  result: Result | null;
  differs = false;
  private readonly entry: AnyEntry;
  private readonly replay: Replay;
  private readonly playback: Playback;
  private readonly company: Company;
  /** A person has changed it: what the file says of later ticks is about another game. */
  private changed = false;
  /** For what a person leaves to a bot. */
  private readonly helpers = new Map<number, Bot>();

  constructor(entry: AnyEntry, replay: Replay, company: Company) {
    this.entry = entry;
    this.replay = replay;
    this.company = company;
    this.playback = new Playback(entry.world, replay);
    this.state = this.playback.start();
    this.result = replay.ticks === 0 ? this.ending() : null;
  }

  step(): void {
    const { world } = this.entry;
    const { tick } = this.state;
    const actions = this.actionsAt(tick);
    this.company.note(actions);
    this.events.length = 0;
    world.step(this.state, actions, this.events);
    for (const fault of this.replay.faults) if (fault.tick === tick) this.faults.push(fault);
    if (!this.changed && !this.playback.agrees(this.state)) this.differs = true;
    const over = world.result(this.state);
    if (over !== null || (!this.changed && this.state.tick >= this.replay.ticks)) this.result = over ?? this.ending();
    if (this.result === null || this.changed) return;
    if (this.state.tick < this.replay.ticks || JSON.stringify(over) !== JSON.stringify(this.replay.result)) this.differs = true;
  }

  private actionsAt(tick: number): readonly unknown[] {
    const { world, stage } = this.entry;
    const { config } = this.playback;
    const seats = this.replay.widths.length;
    const recorded =
      tick < this.replay.ticks ? this.playback.actionsAt(tick) : Array.from({ length: seats }, (_, seat) => world.idle(config, seat));
    const hand = this.company.handNow();
    if (hand === null || stage.steer === undefined) return recorded;
    this.changed = true;
    const view = world.observe(this.state, hand.seat);
    const raw = stage.steer(hand.seat, hand.held, view, this.helperOf(hand.seat).act(view));
    const steered: unknown = world.readAction(raw, this.state, hand.seat);
    return recorded.map((action, seat) => (seat === hand.seat ? steered : action));
  }

  private helperOf(seat: number): Bot {
    const { world, bots } = this.entry;
    const helper = this.helpers.get(seat) ?? Object.values(bots)[0]!(world.brief(this.state, seat), seat);
    this.helpers.set(seat, helper);
    return helper;
  }

  /** Of a recording that was broken off. */
  private ending(): Result {
    const seats = this.replay.widths.map(() => 0);
    return this.replay.result ?? { scores: seats, ranks: seats.map(() => 1), reason: 'the recording ends here' };
  }
}
