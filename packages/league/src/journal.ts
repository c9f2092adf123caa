import { InputError, objectAt } from '@lockstep/kernel';
import { type GameLine, readGameLine } from './result.ts';

/** What a run's journal.ndjson holds: the plan in its first line, then a line for every game that was played, in the order of their ends. */
export interface Journal {
  /** The plan of the run as whoever began it wrote it; null in a bare file of results. */
  readonly plan: unknown;
  readonly games: readonly GameLine[];
  /** Characters up to the end of the last whole line. What follows was cut off in the writing and is to be cut away before more is appended. */
  readonly whole: number;
}

/**
 * Reads a journal as a killed process may have left it. Only the end can be half a line, for lines are only ever appended; anything else
 * that is wrong was somebody's hand, and is refused.
 */
export function readJournal(text: string, path: string): Journal {
  const whole = text.lastIndexOf('\n') + 1;
  const lines = text.slice(0, whole).split('\n').slice(0, -1);
  let plan: unknown = null;
  const games: GameLine[] = [];
  const seen = new Map<string, number>();
  lines.forEach((line, i) => {
    if (line.trim() === '') return;
    const at = `${path}:${i + 1}`;
    const raw = parse(line, at);
    if (i === 0 && kindOf(raw) === 'run') {
      plan = objectAt(raw, at, ['kind', 'plan'])['plan'];
      return;
    }
    const game = readGameLine(raw, at);
    const before = seen.get(game.id);
    if (before !== undefined) throw new InputError(`${at}.id`, `another than in line ${before}`, game.id);
    seen.set(game.id, i + 1);
    games.push(game);
  });
  return { plan, games, whole };
}

export function writePlanLine(plan: unknown): string {
  return JSON.stringify({ kind: 'run', plan });
}

function parse(line: string, at: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    throw new InputError(at, 'a line of JSON', line);
  }
}

function kindOf(raw: unknown): unknown {
  return typeof raw === 'object' && raw !== null ? (raw as { kind?: unknown }).kind : undefined;
}
