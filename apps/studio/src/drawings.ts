import { type AnyEntry, InputError, intAt, objectAt, type Shape } from '@lockstep/kernel';
import type { Said } from './protocol.ts';

/** What bots drew and said beside their actions: the lines of a file that `lockstep match --debug-file` wrote. */
export class Drawings {
  private readonly byTick = new Map<number, { readonly seat: number; readonly debug: unknown }[]>();

  constructor(text: string, path: string) {
    text.split('\n').forEach((line, index) => {
      if (line.trim() === '') return;
      const where = `${path}: line ${index + 1}`;
      const { seat, tick, debug } = objectAt(parsed(line, where), where, ['seat', 'tick', 'debug']);
      const at = intAt(tick, `${where}: tick`, 0, 1e9);
      const said = this.byTick.get(at) ?? [];
      said.push({ seat: intAt(seat, `${where}: seat`, 0, 1000), debug });
      this.byTick.set(at, said);
    });
    if (this.byTick.size === 0) throw new InputError(path, 'lines with seat, tick and debug', 'none');
  }

  /** Of the view of this tick: shapes where the world knows how its bots draw, and everything as words. */
  at(tick: number, { stage }: AnyEntry): { readonly shapes: readonly Shape[]; readonly said: readonly Said[] } {
    const shapes: Shape[] = [];
    const said: Said[] = [];
    (this.byTick.get(tick) ?? []).forEach(({ seat, debug }, index) => {
      const sketch = stage.sketch?.(seat, debug) ?? null;
      const texts = sketch === null ? [typeof debug === 'string' ? debug : JSON.stringify(debug)] : sketch.texts;
      sketch?.shapes.forEach((shape, i) => shapes.push({ ...shape, key: `sketch ${index} ${i}` }));
      said.push({ seat, texts: texts.slice(0, MOST_TEXTS).map((text) => text.slice(0, LONGEST_TEXT)), shapes: sketch?.shapes.length ?? 0 });
    });
    return { shapes: shapes.slice(0, MOST_SHAPES), said };
  }
}

const MOST_SHAPES = 500;
const MOST_TEXTS = 50;
const LONGEST_TEXT = 500;

function parsed(line: string, path: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new InputError(path, 'a line of JSON', line);
  }
}
