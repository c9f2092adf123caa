import { closeSync, existsSync, ftruncateSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '@lockstep/kernel';
import { type GameLine, type Journal, readJournal, writeGameLine, writePlanLine } from '@lockstep/league';
import { makeFolder, reasonOf, writeAtomically } from '../files.ts';
import { remark } from '../output.ts';

const JOURNAL = 'journal.ndjson';
const LOCK = 'lock';

/**
 * A run on disk: `journal.ndjson`, to which a line is appended after every game, and the replays beside it. A line stands only after the
 * replay it names. Whatever kills the process, what stands in the journal was played and is not played again.
 */
export class RunFolder {
  readonly path: string;
  readonly games: Map<string, GameLine>;
  readonly plan: unknown;
  private readonly file: number;

  private constructor(path: string, file: number, { plan, games }: Journal) {
    this.path = path;
    this.file = file;
    this.plan = plan;
    this.games = new Map(games.map((game) => [game.id, game]));
  }

  /** A new one; refused where there is one already. */
  static create(path: string, plan: unknown): RunFolder {
    const journal = join(path, JOURNAL);
    if (existsSync(journal)) throw new InputError(path, 'a folder without a run (resume goes on with it)', 'one with a run');
    try {
      makeFolder(join(path, 'replays'));
      takeLock(path);
      writeAtomically(journal, new TextEncoder().encode(`${writePlanLine(plan)}\n`));
      return new RunFolder(path, openSync(journal, 'a'), { plan, games: [], whole: 0 });
    } catch (error) {
      if (error instanceof InputError) throw error;
      throw new InputError(path, 'a folder that can be written to', reasonOf(error));
    }
  }

  /** One that was begun, to go on with it: half a line at its end is cut away. */
  static resume(path: string): RunFolder {
    const text = readText(path);
    takeLock(path);
    const journal = readJournal(text, join(path, JOURNAL));
    if (journal.plan === null) throw new InputError(join(path, JOURNAL), 'a run with its plan in the first line', 'one without');
    const file = openSync(join(path, JOURNAL), 'r+');
    const whole = Buffer.byteLength(text.slice(0, journal.whole));
    if (journal.whole < text.length) remark(`${join(path, JOURNAL)}: its last line was cut off in the writing; that game is played again`);
    ftruncateSync(file, whole);
    closeSync(file);
    sweep(join(path, 'replays'));
    return new RunFolder(path, openSync(join(path, JOURNAL), 'a'), journal);
  }

  /** What is there, for looking only. */
  static read(path: string): Journal {
    return readJournal(readText(path), join(path, JOURNAL));
  }

  append(game: GameLine): void {
    writeSync(this.file, `${writeGameLine(game)}\n`);
    this.games.set(game.id, game);
  }

  /** Of a game, from the folder on; ids have slashes. */
  replayOf(id: string): string {
    return `replays/${id.replaceAll('/', '_')}.replay`;
  }

  close(): void {
    closeSync(this.file);
    rmSync(join(this.path, LOCK), { force: true });
  }
}

function readText(path: string): string {
  try {
    return readFileSync(join(path, JOURNAL), 'utf8');
  } catch (error) {
    throw new InputError(path, `a folder with a run (${JOURNAL})`, reasonOf(error));
  }
}

/** Drafts of replays whose writer was killed. */
function sweep(folder: string): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) if (name.endsWith('.tmp')) rmSync(join(folder, name), { force: true });
}

/** Two at once would play games twice. A lock whose process is gone is nobody's. */
function takeLock(path: string): void {
  const lock = join(path, LOCK);
  for (let tries = 0; tries < 2; tries++) {
    try {
      return writeFileSync(lock, String(process.pid), { flag: 'wx' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
        throw new InputError(path, 'a folder that can be written to', reasonOf(error));
    }
    const owner = Number(readFileSync(lock, 'utf8'));
    if (owner !== process.pid && isAlive(owner))
      throw new InputError(path, 'a run that nobody else plays', `one that process ${owner} plays`);
    rmSync(lock, { force: true });
  }
}

function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
