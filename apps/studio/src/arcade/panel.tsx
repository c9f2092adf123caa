import { pinball, TABLES } from '@lockstep/pinball';
import { useComputed } from '@preact/signals';
import { clock } from '../format.ts';
import { counted, filled, language } from '../words.ts';
import type { Arcade, Listed } from './arcade.ts';
import { grouped } from './board.ts';
import { WorkshopPanel } from './workshop-panel.tsx';
import { arcadeWords } from './words.ts';

const TPS = pinball.world.ticksPerSecond;

export function ArcadePanel({ arcade }: { arcade: Arcade }) {
  const w = arcadeWords.value;
  const edits = arcade.mode.value === 'edit';
  return (
    <div class="arcade-panel">
      <section>
        <h3>{w.table}</h3>
        <div class="arcade-row" role="group" aria-label={w.table}>
          {Object.keys(TABLES).map((name) => (
            <button type="button" key={name} class="chip" aria-pressed={arcade.table.value === name} onClick={() => arcade.choose(name)}>
              {w.tables[name] ?? name}
            </button>
          ))}
          <button type="button" class="chip" aria-pressed={arcade.table.value === 'own'} onClick={() => arcade.edit()}>
            {edits ? w.editing : w.edit}
          </button>
        </div>
      </section>
      {edits ? <WorkshopPanel arcade={arcade} /> : <Playing arcade={arcade} />}
      <Viewer arcade={arcade} />
      <Cost arcade={arcade} />
    </div>
  );
}

function Playing({ arcade }: { arcade: Arcade }) {
  return (
    <>
      <Lines arcade={arcade} />
      <Best arcade={arcade} />
    </>
  );
}

/** The game and what it might have been. */
function Lines({ arcade }: { arcade: Arcade }) {
  const w = arcadeWords.value;
  const { desk } = arcade;
  const branches = desk.branches.value;
  const score = useComputed(() => desk.current.state.score).value;
  return (
    <section>
      <h3>{w.branches}</h3>
      {branches.length > 1 && (
        <ol class="arcade-lines" data-testid="branches">
          {branches.map(({ name, from, game }, i) => (
            <li key={name}>
              <button type="button" class="chip" aria-pressed={desk.branch.value === i} onClick={() => desk.chooseBranch(i)}>
                {name === 0 ? w.main : filled(w.branch, { n: name })}
              </button>
              <span class="dim figures">
                {name > 0 && `${filled(w.branchFrom, { time: clock(from, TPS) })} · `}
                {grouped(i === desk.branch.value ? score : game.state.score)}
              </span>
            </li>
          ))}
        </ol>
      )}
      <div class="arcade-row">
        <button type="button" class="chip" onClick={() => desk.takeOver(false)}>
          {w.takeOver}
        </button>
        <button type="button" class="chip" title={w.whatIfWhy} onClick={() => desk.takeOver(true)}>
          {w.whatIf}
        </button>
        <button type="button" class="chip" onClick={() => desk.handOver()}>
          {w.letPlay}
        </button>
        <button type="button" class="chip" onClick={() => void arcade.save()}>
          {w.saveReplay}
        </button>
      </div>
    </section>
  );
}

function Best({ arcade }: { arcade: Arcade }) {
  const w = arcadeWords.value;
  const listed = arcade.listed.value;
  return (
    <section>
      <h3>{w.best}</h3>
      <p class="dim">{w.bestWhy}</p>
      <label class="arcade-name">
        {w.name}
        <input value={arcade.player.value} maxLength={20} onInput={(event) => arcade.rename(event.currentTarget.value)} />
      </label>
      {listed.length === 0 ? (
        <p class="dim">{arcade.listing.value ? w.checking : w.noBest}</p>
      ) : (
        <ol class="arcade-best" data-testid="best" aria-busy={arcade.listing.value}>
          {listed.map((one) => (
            <Game key={one.id} one={one} arcade={arcade} />
          ))}
        </ol>
      )}
    </section>
  );
}

function Game({ one: { id, when, reading, wrong }, arcade }: { one: Listed; arcade: Arcade }) {
  const w = arcadeWords.value;
  const forget = (
    <button type="button" class="arcade-key" aria-label={w.forget} title={w.forget} onClick={() => void arcade.forget(id)}>
      ×
    </button>
  );
  if (reading === null)
    return (
      <li class="wrong" data-testid="refused">
        <span class="mono">{filled(w.refused, { why: wrong })}</span>
        {forget}
      </li>
    );
  return (
    <li class={arcade.newest.value === id ? 'newest' : ''}>
      <button type="button" class="arcade-game" title={w.watch} onClick={() => arcade.watch(reading)}>
        <strong class="figures">{grouped(reading.score)}</strong>
        <span>{reading.player}</span>
        <span class="dim figures">
          {clock(reading.ticks, TPS)} · {new Date(when).toLocaleDateString(language.value)}
        </span>
      </button>
      <span class="good" aria-hidden="true">
        ✓
      </span>
      {forget}
    </li>
  );
}

function Viewer({ arcade }: { arcade: Arcade }) {
  const w = arcadeWords.value;
  const { legend } = w;
  const { flippers } = arcade.desk.game.value.config.machine.layout;
  return (
    <section>
      <h3>{w.viewer}</h3>
      <label class="arcade-check">
        <input
          type="checkbox"
          checked={arcade.colliders.value}
          onChange={(event) => (arcade.colliders.value = event.currentTarget.checked)}
        />
        {w.colliders}
      </label>
      {arcade.colliders.value && (
        <>
          <p class="dim">{w.collidersWhy}</p>
          <ul class="arcade-legend" data-testid="legend">
            {Object.entries(legend).map(([kind, name]) => (
              <li key={kind} data-kind={kind}>
                {name}
              </li>
            ))}
          </ul>
        </>
      )}
      <h4>{w.fan}</h4>
      <p class="dim">{w.fanWhy}</p>
      <div class="arcade-row">
        <select
          aria-label={w.flipper}
          value={String(arcade.fanFor.value)}
          onChange={(event) => (arcade.fanFor.value = Number(event.currentTarget.value))}
        >
          {flippers.map(({ name }, i) => (
            <option key={name} value={String(i)}>
              {name}
            </option>
          ))}
        </select>
        <button type="button" class="chip" disabled={arcade.fanBusy.value || flippers.length === 0} onClick={() => void arcade.shootFan()}>
          {arcade.fanBusy.value ? w.shooting : w.shoot}
        </button>
      </div>
      <FanFacts arcade={arcade} />
    </section>
  );
}

function FanFacts({ arcade }: { arcade: Arcade }) {
  const w = arcadeWords.value;
  const fan = arcade.fan.value;
  if (fan === null || fan.config !== arcade.desk.config) return null;
  const hits = new Map<string, number>();
  for (const { hits: name } of fan.shots) if (name !== null) hits.set(name, (hits.get(name) ?? 0) + 1);
  const lost = fan.shots.filter((shot) => shot.lost).length;
  const pick = (name: string) => (arcade.fanPicked.value = arcade.fanPicked.value === name ? null : name);
  return (
    <div data-testid="fan" data-shots={fan.shots.length}>
      <p class="figures">
        {counted(w.shots, fan.shots.length)} · {filled(w.lostShots, { n: lost })}
      </p>
      <div class="arcade-row">
        {[...hits]
          .sort((a, b) => b[1] - a[1])
          .map(([name, count]) => (
            <button type="button" key={name} class="chip" aria-pressed={arcade.fanPicked.value === name} onClick={() => pick(name)}>
              {name} <span class="dim figures">{count}</span>
            </button>
          ))}
      </div>
      <div class="arcade-row">
        <button type="button" class="chip" onClick={() => arcade.saveFan()}>
          {w.saveFan}
        </button>
        <button type="button" class="chip" onClick={() => (arcade.fan.value = null)}>
          {w.clearFan}
        </button>
      </div>
    </div>
  );
}

function Cost({ arcade: { desk } }: { arcade: Arcade }) {
  const w = arcadeWords.value;
  const cost = useComputed(() => desk.cost.value.toFixed(3)).value;
  return (
    <p class="dim figures" data-testid="cost" data-ms={cost}>
      {filled(w.physics, { ms: cost, rate: TPS })}
    </p>
  );
}
