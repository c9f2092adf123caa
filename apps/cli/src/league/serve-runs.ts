import { open, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

interface Answer {
  readonly type: string;
  readonly body: Uint8Array;
}

const JSON_TYPE = 'application/json; charset=utf-8';
/** A name of a folder or of a replay: one piece of a path, never a way out. */
const PIECE = /^(?!\.{1,2}$)[^/\\\0]+$/;

/**
 * What the league page asks for:
 * `/api/runs` the runs there are, `/api/runs/NAME/journal?from=BYTES` what was appended since, `/api/runs/NAME/replays/FILE` a replay.
 */
export async function answerOfRuns(folder: string, url: string): Promise<Answer | null> {
  let pieces: string[];
  const [path, query = ''] = url.split('?', 2) as [string, string?];
  try {
    pieces = path.split('/').slice(2).map(decodeURIComponent); // prettier-ignore
  } catch {
    return null;
  }
  const [runs, name, what, file, ...more] = pieces;
  if (runs !== 'runs' || more.length > 0) return null;
  if (name === undefined) return { type: JSON_TYPE, body: new TextEncoder().encode(JSON.stringify(await listRuns(folder))) };
  if (!PIECE.test(name)) return null;
  if (what === 'journal' && file === undefined) return journalFrom(join(folder, name, 'journal.ndjson'), Number(new URLSearchParams(query).get('from') ?? 0));
  if (what !== 'replays' || file === undefined || !PIECE.test(file) || !file.endsWith('.replay')) return null;
  return readFile(join(folder, name, 'replays', file)).then(
    (body) => ({ type: 'application/octet-stream', body }),
    () => null,
  );
} // prettier-ignore

/** Newest first. */
async function listRuns(folder: string): Promise<{ name: string; bytes: number; changed: number; going: boolean }[]> {
  const names = await readdir(folder).catch(() => []);
  const runs = await Promise.all(
    names.map(async (name) => {
      const journal = await stat(join(folder, name, 'journal.ndjson')).catch(() => null);
      if (journal === null) return [];
      const lock = await stat(join(folder, name, 'lock')).catch(() => null);
      return [{ name, bytes: journal.size, changed: Math.round(journal.mtimeMs), going: lock !== null }];
    }),
  );
  return runs.flat().sort((a, b) => b.changed - a.changed);
}

async function journalFrom(path: string, from: number): Promise<Answer | null> {
  const file = await open(path).catch(() => null);
  if (file === null) return null;
  try {
    const { size } = await file.stat();
    const start = Number.isSafeInteger(from) && from >= 0 ? Math.min(from, size) : 0;
    const body = new Uint8Array(size - start);
    await file.read(body, 0, body.length, start);
    return { type: 'application/x-ndjson; charset=utf-8', body };
  } finally {
    await file.close();
  }
}
