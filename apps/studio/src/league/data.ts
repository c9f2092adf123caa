import { computed, signal } from '@preact/signals';
import { bradleyTerry, compare, Cup, type CupOutcome, type GameLine, readCup, readJournal, type StageView } from '@lockstep/league';

/** One run as the server lists it. */
export interface RunCard {
  readonly name: string;
  readonly bytes: number;
  readonly changed: number;
  readonly going: boolean;
}

export const runs = signal<readonly RunCard[] | null>(null);
/** Why there are none: the server does not tell of runs. */
export const unreachable = signal(false);
export const chosen = signal<string | null>(null);
export const games = signal<readonly GameLine[]>([]);
export const plan = signal<unknown>(null);
export const wrong = signal<string | null>(null);

export const isSolo = computed(() => games.value.length > 0 && games.value.every(({ bots }) => bots.length === 1));
export const ratings = computed(() => (isSolo.value ? [] : bradleyTerry(compare(games.value))));

interface CupPlanLine {
  readonly kind: 'cup';
  readonly cup: unknown;
  readonly seats: Readonly<Record<string, number>>;
}

/** The cup of the run, played through the results that are there; null where the run is none. */
export const cup = computed((): { stages: readonly StageView[]; outcome: CupOutcome | null } | null => {
  const line = plan.value as CupPlanLine | null;
  if (line?.kind !== 'cup') return null;
  const known = new Map(games.value.map((game) => [game.id, game]));
  try {
    const found = new Cup(readCup(line.cup, 'cup', { presets: Object.keys(line.seats), seats: (preset) => line.seats[preset]! }));
    found.next(known);
    return { stages: found.stages(known), outcome: found.outcome };
  } catch {
    return null; // somebody's hand was in the plan: its games can still be looked at
  }
});

/** The journal as far as it is here, in bytes. */
let text = '';
let bytes = 0;
let of: string | null = null;

/** One question at a time: two answers to the same one would be counted twice. */
let asking: Promise<void> = Promise.resolve();

/** Asks what is new; only what was appended is sent. */
export function refresh(): Promise<void> {
  asking = asking.then(ask);
  return asking;
}

async function ask(): Promise<void> {
  try {
    const answer = await fetch('/api/runs');
    unreachable.value = !answer.ok;
    if (!answer.ok) return;
    const list = (await answer.json()) as RunCard[];
    if (JSON.stringify(list) !== JSON.stringify(runs.peek())) runs.value = list;
    if (chosen.peek() === null && list.length > 0) chosen.value = list[0]!.name;
    await follow(chosen.peek());
  } catch {
    unreachable.value = true;
  }
}

async function follow(name: string | null): Promise<void> {
  if (name === null) return;
  if (of !== name) [of, text, bytes] = [name, '', 0];
  const answer = await fetch(`/api/runs/${encodeURIComponent(name)}/journal?from=${bytes}`);
  if (!answer.ok || of !== name) return;
  const more = new Uint8Array(await answer.arrayBuffer());
  if (of !== name || (more.length === 0 && text !== '')) return;
  // half a line at the end is asked for again
  const whole = more.lastIndexOf(10) + 1;
  bytes += whole;
  text += new TextDecoder().decode(more.subarray(0, whole));
  try {
    const journal = readJournal(text, `${name}/journal.ndjson`);
    plan.value = journal.plan;
    games.value = journal.games;
    wrong.value = null;
  } catch (error) {
    wrong.value = error instanceof Error ? error.message : String(error);
  }
}

export function choose(name: string): void {
  if (chosen.value === name) return;
  chosen.value = name;
  games.value = [];
  plan.value = null;
  void refresh();
}

/** Where the studio watches a game. */
export function watchLink(run: string, { replay }: GameLine): string | null {
  if (replay === null) return null;
  const file = replay.replace(/^replays\//, '');
  return `/#replay=${encodeURIComponent(`/api/runs/${encodeURIComponent(run)}/replays/${encodeURIComponent(file)}`)}`;
}
