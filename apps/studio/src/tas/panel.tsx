import { RULE_NAMES, type RuleName } from '@lockstep/asteracer';
import { useRef } from 'preact/hooks';
import { KeyList } from '../ui/keycap.tsx';
import { counted, filled } from '../words.ts';
import { branchTree } from './document.ts';
import type { Editor } from './editor.ts';
import { Key } from './tools.tsx';
import { splits } from './tick-cache.ts';
import { tasWords } from './words.ts';

/** Beside the map: the run, its branches, times, solver, overlays and files. */
export function TasPanel({ editor }: { editor: Editor }) {
  const w = tasWords.value;
  return (
    <div class="tas-panel">
      <Run editor={editor} />
      <section>
        <h3>{w.branches}</h3>
        <Branches editor={editor} />
      </section>
      <Markers editor={editor} />
      <section>
        <h3>{w.splits}</h3>
        <Splits editor={editor} />
      </section>
      <section>
        <h3>{w.solver}</h3>
        <Search editor={editor} />
      </section>
      <section>
        <h3>{w.overlays}</h3>
        <label class="tas-check" title={w.fieldWhy}>
          <input
            type="checkbox"
            checked={editor.fieldShown.value}
            onChange={(event) => (editor.fieldShown.value = event.currentTarget.checked)}
          />
          {w.field}
        </label>
        <label class="tas-check" title={w.gapsWhy}>
          <input
            type="checkbox"
            checked={editor.gapsShown.value}
            onChange={(event) => (editor.gapsShown.value = event.currentTarget.checked)}
          />
          {w.gaps}
          {editor.gapsShown.value && <span class="dim figures">{editor.knownGaps.value?.length ?? w.computing}</span>}
        </label>
      </section>
      <section>
        <h3>{w.files}</h3>
        <Files editor={editor} />
      </section>
      <Keys />
    </div>
  );
}

function Run({ editor }: { editor: Editor }) {
  const { desk } = editor;
  const w = tasWords.value;
  const { course } = desk.flown.value;
  const { goals, asteroids } = desk.doc.value.map;
  const verdict =
    course.finish !== null
      ? filled(w.finished, { n: course.finish })
      : filled(counted(w.unfinished, goals.length), { reached: course.reached[course.length]! });
  let hits = 0;
  for (let tick = 1; tick <= course.length; tick++) hits += course.collided[tick]!;
  return (
    <section>
      <p class="tas-verdict">
        <b class="figures" data-testid="tas-length">
          {course.length}
        </b>{' '}
        {counted(w.ticks, course.length)} ·{' '}
        <span class={course.finish === null ? 'dim' : 'good'} data-testid="tas-verdict">
          {verdict}
        </span>
        <br />
        <span class="dim">
          {[counted(w.collisions, hits), counted(w.asteroids, asteroids.length), counted(w.goals, goals.length)].join(' · ')}
        </span>
      </p>
      <label class="row">
        <span>{w.rules}</span>
        <select value={desk.doc.value.rules} onChange={(event) => desk.setRules(event.currentTarget.value as RuleName)}>
          {RULE_NAMES.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <span class="actions">
        <button type="button" class="chip" onClick={() => void editor.orSay(() => desk.insertHere())}>
          {w.insert}
        </button>
        <button type="button" class="chip" onClick={() => desk.removeTarget()}>
          {w.remove}
        </button>
        <button type="button" class="chip" onClick={() => desk.trim()}>
          {w.trim}
        </button>
      </span>
    </section>
  );
}

function Branches({ editor: { desk } }: { editor: Editor }) {
  const w = tasWords.value;
  const { current, branches } = desk.doc.value;
  return (
    <ul class="tas-branches">
      {branchTree(desk.doc.value).map(({ branch: { id, name, script }, depth }) => (
        <li key={id} class={id === current ? 'current' : ''} style={{ paddingLeft: `${depth * 12}px` }}>
          {id === current ? (
            <label class="tas-branch">
              <input
                class="tas-name"
                value={name}
                aria-label={w.branchName}
                onInput={(event) => desk.renameBranch(id, event.currentTarget.value)}
              />
              <span class="dim figures">{script.length / 2}</span>
            </label>
          ) : (
            <button type="button" class="tas-branch" onClick={() => desk.switchTo(id)}>
              <span class="tas-name">{name}</span>
              <span class="dim figures">{script.length / 2}</span>
            </button>
          )}
          {id !== current && (
            <Key
              name={`${w.showGhost}: ${name}`}
              draw="M2 10c4-6 12-6 16 0-4 6-12 6-16 0zM10 8a2 2 0 1 0 0 4a2 2 0 1 0 0-4"
              on={desk.haunting.value.has(id)}
              press={() => desk.haunt(id, !desk.haunting.value.has(id))}
            />
          )}
          {branches.length > 1 && (
            <Key name={`${w.removeBranch}: ${name}`} draw="M5 5l10 10M15 5L5 15" press={() => desk.removeBranch(id)} />
          )}
        </li>
      ))}
      <li>
        <button type="button" class="chip" onClick={() => desk.fork()}>
          {w.fork}
        </button>
      </li>
    </ul>
  );
}

function Markers({ editor: { desk } }: { editor: Editor }) {
  const w = tasWords.value;
  const { markers } = desk.branch.value;
  if (markers.length === 0) return null;
  return (
    <section>
      <h3>{w.markers}</h3>
      <ul class="tas-branches">
        {markers.map(({ tick, name }) => (
          <li key={tick}>
            <label class="tas-branch">
              <input
                class="tas-name"
                value={name}
                placeholder={w.marker}
                aria-label={w.markerName}
                onInput={(event) => desk.renameMarker(tick, event.currentTarget.value)}
              />
            </label>
            <button type="button" class="tas-goto figures" onClick={() => desk.seek(tick)}>
              {tick}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Splits({ editor: { desk } }: { editor: Editor }) {
  const w = tasWords.value;
  const { course } = desk.flown.value;
  const ghosts = desk.ghosts.value;
  const rows = splits(
    course,
    ghosts.map((ghost) => ghost.course),
  );
  return (
    <>
      {ghosts.length === 0 && <p class="dim">{w.noGhost}</p>}
      <table class="tas-splits figures">
        {ghosts.length > 0 && rows.length > 0 && (
          <thead class="dim">
            <tr>
              <td />
              {[desk.branch.value, ...ghosts.map(({ branch }) => branch)].map(({ id, name }) => (
                <th key={id} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {rows.map(({ goal, tick, others }) => (
            <tr key={goal}>
              <th scope="row">
                <button type="button" disabled={tick === null} onClick={() => desk.seek(tick!)}>
                  {w.goal} {goal + 1}
                </button>
              </th>
              {tick === null ? <Never /> : <td>{tick}</td>}
              {others.map((other, i) => (
                <Beside key={ghosts[i]!.branch.id} tick={tick} other={other} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function Never() {
  const { never } = tasWords.value;
  return (
    <td class="dim" title={never} aria-label={never}>
      –
    </td>
  );
}

/** A ghost's time as the difference to the run's, or as it is where the run has none. Less is better, and green. */
function Beside({ tick, other }: { tick: number | null; other: number | null }) {
  if (other === null) return <Never />;
  if (tick === null) return <td class="dim">{other}</td>;
  const ticks = tick - other;
  const sign = ticks > 0 ? '+' : ticks < 0 ? '−' : '±';
  return <td class={ticks > 0 ? 'wrong' : ticks < 0 ? 'good' : 'dim'}>{`${sign}${Math.abs(ticks)}`}</td>;
}

const EFFORTS = [500_000, 2_000_000, 10_000_000, 50_000_000, 250_000_000];

function Search({ editor }: { editor: Editor }) {
  const w = tasWords.value;
  const span = editor.desk.selection.value;
  const tried = editor.solver.tried.value;
  const won = editor.solver.won.value;
  const millions = (nodes: number) => `${(nodes / 1e6).toFixed(1)} M`;
  return (
    <>
      <p class={span === null ? 'dim' : ''}>{span === null ? w.noWindow : filled(w.window, { from: span.from, to: span.to - 1 })}</p>
      <label class="row">
        <span>{w.effort}</span>
        <select value={editor.effort.value} onChange={(event) => (editor.effort.value = Number(event.currentTarget.value))}>
          {EFFORTS.map((nodes) => (
            <option key={nodes} value={nodes}>
              {millions(nodes)}
            </option>
          ))}
        </select>
      </label>
      <label class="tas-check">
        <input type="checkbox" checked={editor.noTouch.value} onChange={(event) => (editor.noTouch.value = event.currentTarget.checked)} />
        {w.noTouch}
      </label>
      <span class="actions">
        {tried === null ? (
          <button type="button" class="main-button" disabled={span === null} onClick={() => void editor.improve()}>
            {w.improve}
          </button>
        ) : (
          <>
            <button type="button" class="chip" onClick={() => editor.solver.stop()}>
              {w.stop}
            </button>
            <span class="tas-trying dim figures">
              {filled(w.searching, { n: millions(tried) })}
              {won > 0 && `, ${counted(w.better, won)}`}
            </span>
          </>
        )}
      </span>
    </>
  );
}

function Files({ editor }: { editor: Editor }) {
  const w = tasWords.value;
  const chooser = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={chooser}
        type="file"
        multiple
        hidden
        data-testid="tas-files"
        onChange={(event) => {
          void editor.open([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = '';
        }}
      />
      <span class="actions">
        <button type="button" class="chip" onClick={() => chooser.current!.click()}>
          {w.open}
        </button>
        <button type="button" class="chip" onClick={() => editor.saveMap()}>
          {w.saveMap}
        </button>
        <button type="button" class="chip" onClick={() => editor.saveInstructions()}>
          {w.saveInstructions}
        </button>
        <button type="button" class="chip" onClick={() => void editor.saveReplay()}>
          {w.saveReplay}
        </button>
        <button type="button" class="chip" onClick={() => void editor.share()}>
          {w.share}
        </button>
      </span>
    </>
  );
}

function Keys() {
  const w = tasWords.value;
  return (
    <details class="tas-keys">
      <summary>{w.keys}</summary>
      <KeyList keys={w.keyList.map(([keys, what]) => [[keys], what])} />
    </details>
  );
}
