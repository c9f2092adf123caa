import { TABLES } from '@lockstep/pinball';
import { sheetOpen } from '../shell.ts';
import type { Arcade } from './arcade.ts';
import { KINDS } from './parts.ts';
import { arcadeWords } from './words.ts';

/** Making a table: what to add, what is selected, files. */
export function WorkshopPanel({ arcade }: { arcade: Arcade }) {
  const w = arcadeWords.value;
  const { workshop } = arcade;
  const tool = workshop.tool.value;
  /** On a phone the panel makes room for the table. */
  const choose = (next: typeof tool) => {
    workshop.tool.value = tool === next ? null : next;
    sheetOpen.value = false;
  };
  return (
    <>
      <section>
        <div class="arcade-row">
          <button type="button" class="main-button" disabled={workshop.wrong.value !== null} onClick={() => arcade.playOwn()}>
            {w.play}
          </button>
          <button type="button" class="chip" disabled={!workshop.canUndo.value} onClick={() => workshop.undo()}>
            {w.undo}
            <kbd class="for-keys">U</kbd>
          </button>
          <button type="button" class="chip" disabled={!workshop.canRedo.value} onClick={() => workshop.redo()}>
            {w.redo}
            <kbd class="for-keys">Y</kbd>
          </button>
        </div>
        <p class={workshop.wrong.value === null ? 'good' : 'wrong'} data-testid="verdict">
          {workshop.wrong.value === null ? w.valid : workshop.wrong.value.replace(/^config\./, '')}
        </p>
      </section>
      <section>
        <h3>{w.add}</h3>
        <div class="arcade-row" role="group" aria-label={w.add}>
          {KINDS.map((kind) => (
            <button type="button" key={kind} class="chip" aria-pressed={tool === kind} onClick={() => choose(kind)}>
              {w.kinds[kind]}
            </button>
          ))}
          <button type="button" class="chip" aria-pressed={tool === 'ball'} onClick={() => choose('ball')}>
            {w.dropBall}
          </button>
        </div>
        <p class="dim">{tool === null ? w.selectIt : w.placeIt}</p>
      </section>
      <Selected arcade={arcade} />
      <section>
        <div class="arcade-row">
          <button type="button" class="chip" onClick={() => arcade.exportTable()}>
            {w.exportTable}
          </button>
          <label class="chip arcade-file">
            {w.importTable}
            <input
              type="file"
              accept=".json,.replay"
              onChange={(event) => {
                void arcade.open([...(event.currentTarget.files ?? [])]);
                event.currentTarget.value = '';
              }}
            />
          </label>
          {Object.keys(TABLES).map((name) => (
            <button type="button" key={name} class="chip" onClick={() => workshop.startFrom(name)}>
              {w.startFrom} {w.tables[name] ?? name}
            </button>
          ))}
        </div>
      </section>
    </>
  );
}

/** The numbers and words of the selected part. */
function Selected({ arcade: { workshop } }: { arcade: Arcade }) {
  const w = arcadeWords.value;
  const path = workshop.selected.value;
  const part = workshop.part(path);
  if (path === null || part === null) return null;
  const set = (key: string, value: unknown) => workshop.set(path, { ...part, [key]: value });
  return (
    <section data-testid="selected" data-path={path}>
      <h3 class="mono">{path}</h3>
      <div class="arcade-fields">
        {Object.entries(part).map(([key, value]) => (
          <Field key={`${path} ${key}`} name={key} value={value} draft={workshop.draft.value} set={(next) => set(key, next)} />
        ))}
      </div>
      {path.includes('[') && (
        <button type="button" class="chip" onClick={() => workshop.remove()}>
          {w.remove}
          <kbd class="for-keys">Del</kbd>
        </button>
      )}
    </section>
  );
}

const CHOICES: Readonly<Record<string, readonly string[]>> = { button: ['left', 'right'], side: ['outside', 'inside', 'both'] };

function Field({
  name,
  value,
  draft,
  set,
}: {
  name: string;
  value: unknown;
  draft: Record<string, unknown>;
  set: (next: unknown) => void;
}) {
  const choices = name === 'material' ? Object.keys((draft['materials'] as object | undefined) ?? {}) : CHOICES[name];
  if (typeof value === 'number')
    return (
      <label>
        {name}
        <input type="number" step="any" value={Number(value.toFixed(4))} onChange={(event) => set(event.currentTarget.valueAsNumber)} />
      </label>
    );
  if (typeof value === 'string' && choices !== undefined)
    return (
      <label>
        {name}
        <select value={value} onChange={(event) => set(event.currentTarget.value)}>
          {choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      </label>
    );
  if (typeof value === 'string' && name === 'name')
    return (
      <label>
        {name}
        <input value={value} onChange={(event) => set(event.currentTarget.value)} />
      </label>
    );
  if (Array.isArray(value) && value.length === 2 && value.every((item) => typeof item === 'number'))
    return (
      <label>
        {name}
        <span class="arcade-pair">
          {value.map((item: number, i) => (
            <input
              key={i}
              type="number"
              step="any"
              aria-label={`${name} ${'xy'[i]}`}
              value={Number(item.toFixed(3))}
              onChange={(event) => set(value.with(i, event.currentTarget.valueAsNumber))}
            />
          ))}
        </span>
      </label>
    );
  return null;
}
