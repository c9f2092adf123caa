import { useSignal } from '@preact/signals';
import { isSeed } from '../link.ts';
import { freshSeed } from '../shell.ts';
import { filled, words } from '../words.ts';
import type { Explorer } from './explorer.ts';
import { type Knob, KNOBS } from './fountain.ts';
import { explorerWords } from './words.ts';

export function ExplorerPanel({ explorer }: { explorer: Explorer }) {
  if (explorer.view.value === 'particles') return <Knobs explorer={explorer} />;
  return (
    <div class="explorer-panel">
      <p class="dim">{explorerWords.value.keys}</p>
      <Counts explorer={explorer} />
      <Jump explorer={explorer} />
      <Keeping explorer={explorer} />
      <Replay explorer={explorer} />
      <Fresh explorer={explorer} />
    </div>
  );
}

function Counts({ explorer }: { explorer: Explorer }) {
  const w = explorerWords.value;
  const view = explorer.top.value;
  if (view === null) return null;
  return (
    <section>
      <h3>{w.counts}</h3>
      <dl class="explorer-counts figures">
        {(['stored', 'simulated', 'updated', 'chunksStored'] as const).map((name) => (
          <div key={name}>
            <dt>{w[name]}</dt>
            <dd data-testid={`count-${name}`}>{view[name]}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const CHUNK = /^[−-]?\d{1,10}$/;
const numberOf = (text: string): number =>
  Number(
    text
      .trim()
      .replaceAll(/[\s,_]/g, '')
      .replace('−', '-'),
  );
const isChunk = (text: string): boolean => {
  const plain = text.trim().replaceAll(/[\s,_]/g, '');
  return CHUNK.test(plain) && numberOf(text) === (numberOf(text) | 0);
};

function Jump({ explorer }: { explorer: Explorer }) {
  const w = explorerWords.value;
  /** What was typed; until then, where the hero is. */
  const typed = useSignal<readonly string[] | null>(null);
  const to = typed.value ?? explorer.chunk.value.map(String);
  const isOk = to.every(isChunk);
  const submit = (event: Event): void => {
    event.preventDefault();
    const [x, y, z] = to.map(numberOf);
    if (isOk) {
      void explorer.keeping.jump(x!, y!, z!);
      typed.value = null;
    }
  };
  return (
    <section>
      <h3>{w.jump}</h3>
      <form class="explorer-jump" onSubmit={submit}>
        {(['x', 'y', 'z'] as const).map((axis, i) => (
          <label key={axis}>
            <span>{axis}</span>
            <input
              class="figures"
              value={to[i]}
              aria-label={`${w.chunk} ${axis}`}
              aria-invalid={!isChunk(to[i]!)}
              autocomplete="off"
              onInput={(event) => (typed.value = to.with(i, event.currentTarget.value))}
            />
          </label>
        ))}
        {!isOk && (
          <p class="wrong" role="alert">
            {w.badChunk}
          </p>
        )}
        <div class="explorer-row">
          <button type="submit" class="main-button" disabled={!isOk}>
            {w.jumpNow}
          </button>
          <button type="button" class="chip" onClick={() => (typed.value = ['2000000000', '2000000000', '2000000000'])}>
            {w.far}
          </button>
          <button type="button" class="chip" onClick={() => (typed.value = explorer.keeping.home.map(String))}>
            {w.home}
          </button>
        </div>
      </form>
    </section>
  );
}

function Keeping({ explorer }: { explorer: Explorer }) {
  const w = explorerWords.value;
  const saved = explorer.keeping.saved.value;
  return (
    <section>
      <h3>{w.keep}</h3>
      <p class="dim">{w.keepWhy}</p>
      {saved !== null && (
        <p class="figures" data-testid="saved">
          {filled(w.savedAt, { tick: saved.tick, n: saved.chunks })}
        </p>
      )}
      <div class="explorer-row">
        <button type="button" class="chip" onClick={() => void explorer.keeping.saveNow()}>
          {w.save}
        </button>
        <button type="button" class="chip" onClick={() => void explorer.keeping.export()}>
          {w.export}
        </button>
        <label class="chip explorer-file">
          {w.import}
          <input
            type="file"
            accept=".world"
            onChange={(event) => {
              const { files } = event.currentTarget;
              if (files !== null) void explorer.keeping.open([...files]);
              event.currentTarget.value = '';
            }}
          />
        </label>
      </div>
    </section>
  );
}

/** The game for others: whoever has the file can verify it. */
function Replay({ explorer }: { explorer: Explorer }) {
  const w = explorerWords.value;
  return (
    <section>
      <h3>{w.replay}</h3>
      <p class="dim">{w.replayWhy}</p>
      <div class="explorer-row">
        <button type="button" class="chip" onClick={() => void explorer.keeping.saveReplay()}>
          {words.value.save}
        </button>
        <button type="button" class="chip" onClick={() => void explorer.keeping.watchReplay()}>
          {w.watch}
        </button>
      </div>
    </section>
  );
}

function Fresh({ explorer }: { explorer: Explorer }) {
  const w = explorerWords.value;
  const seed = useSignal(freshSeed());
  const isOk = isSeed(seed.value.trim());
  return (
    <section>
      <h3>{w.fresh}</h3>
      <label class="row">
        <span>{w.seed}</span>
        <input class="figures" value={seed.value} aria-invalid={!isOk} onInput={(event) => (seed.value = event.currentTarget.value)} />
      </label>
      {!isOk && (
        <p class="wrong" role="alert">
          {words.value.badSeed}
        </p>
      )}
      <div class="explorer-row">
        <button type="button" class="chip" disabled={!isOk} onClick={() => void explorer.keeping.begin(seed.value.trim())}>
          {w.fresh}
        </button>
      </div>
    </section>
  );
}

/** [SW-R39] The fountain's numbers, live. */
function Knobs({ explorer }: { explorer: Explorer }) {
  const w = explorerWords.value;
  const { fountain } = explorer;
  return (
    <div class="explorer-panel">
      <label class="explorer-check">
        <input
          type="checkbox"
          checked={fountain.showsGrid.value}
          onChange={(event) => {
            fountain.showsGrid.value = event.currentTarget.checked;
          }}
        />
        {w.grid}
      </label>
      <p class="dim">{w.gridWhy}</p>
      {(Object.keys(KNOBS) as Knob[]).map((knob) => {
        const { min, max, step } = KNOBS[knob];
        return (
          <label key={knob} class="explorer-knob">
            <span>{w[knob]}</span>
            <output class="figures" data-testid={`knob-${knob}`}>
              {fountain.knobs.value[knob]}
            </output>
            <input
              type="range"
              min={min}
              max={max}
              step={step}
              value={fountain.knobs.value[knob]}
              aria-label={w[knob]}
              onInput={(event) => fountain.set(knob, Number(event.currentTarget.value))}
            />
          </label>
        );
      })}
      <div class="explorer-row">
        <button type="button" class="chip" onClick={() => fountain.restart()}>
          {w.burst}
        </button>
      </div>
    </div>
  );
}
