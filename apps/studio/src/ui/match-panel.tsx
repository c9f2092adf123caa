import { useSignal } from '@preact/signals';
import { commandLine, fitBots, isSeed, type WrongWord } from '../link.ts';
import type { RecordedFile, Setup, WorldCard } from '../protocol.ts';
import {
  editMatch,
  freshSeed,
  isArcade,
  isEditable,
  isEndlessWorld,
  linkWrong,
  openFiles,
  player,
  startGame,
  takeNextSeat,
} from '../shell.ts';
import { counted, filled, words } from '../words.ts';
import { outcomeText } from './outcome.ts';

export function MatchPanel() {
  const w = words.value;
  const setup = player.setup.value;
  if (setup === null || player.worlds.value.length === 0) return <p class="dim">{w.loading}</p>;
  return (
    <>
      <SetupForm key={JSON.stringify(setup)} setup={playable(setup)} worlds={player.worlds.value} />
      <Facts setup={setup} />
    </>
  );
}

/** What of a recorded game can be played here: others' bots cannot. */
function playable(setup: Setup): Setup {
  const card = player.worlds.value.find(({ name }) => name === setup.world);
  if (player.recording.value === null || card === undefined) return setup;
  const preset = card.presets.includes(setup.preset) ? setup.preset : card.presets[0]!;
  return { ...setup, preset, bots: fitBots(setup.bots, card, preset) };
}

function SetupForm({ setup, worlds }: { setup: Setup; worlds: readonly WorldCard[] }) {
  const w = words.value;
  const world = useSignal(setup.world);
  const preset = useSignal(setup.preset);
  const seed = useSignal(setup.seed);
  const bots = useSignal<readonly string[]>(setup.bots);
  const card = worlds.find(({ name }) => name === world.value) ?? worlds[0]!;
  const seedOk = isSeed(seed.value.trim());
  const submit = (event: Event) => {
    event.preventDefault();
    if (seedOk) startGame({ world: world.value, preset: preset.value, seed: seed.value.trim(), bots: bots.value });
  };
  return (
    <form class="form" onSubmit={submit} aria-label={w.match}>
      {linkWrong.value.length > 0 && (
        <p class="wrong" role="alert">
          {linkWrong.value.map(wrongText).join(' ')}
        </p>
      )}
      {worlds.length > 1 && (
        <Choice
          label={w.world}
          value={world.value}
          choices={worlds.map(({ name }) => name)}
          choose={(name) => {
            const chosen = worlds.find((other) => other.name === name)!;
            world.value = name;
            preset.value = chosen.presets[0]!;
            bots.value = fitBots([], chosen, chosen.presets[0]!);
          }}
        />
      )}
      <Choice
        label={w.preset}
        value={preset.value}
        choices={card.presets}
        choose={(name) => {
          preset.value = name;
          bots.value = fitBots(bots.value, card, name);
        }}
      />
      {bots.value.map((bot, seat) => (
        <Choice
          key={seat}
          seat={seat}
          label={`${w.bot} ${seat + 1}`}
          value={bot}
          choices={card.bots}
          choose={(name) => (bots.value = bots.value.with(seat, name))}
        />
      ))}
      <label class="row">
        <span>{w.seed}</span>
        <span class="seed">
          <input
            class="figures"
            inputMode="numeric"
            autocomplete="off"
            spellcheck={false}
            value={seed.value}
            aria-invalid={!seedOk}
            onInput={(event) => (seed.value = event.currentTarget.value)}
          />
          <button type="button" class="key slim" aria-label={w.newSeed} title={w.newSeed} onClick={() => (seed.value = freshSeed())}>
            <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
              <rect x="3" y="3" width="14" height="14" rx="3" fill="none" stroke="currentColor" stroke-width="1.6" />
              <path d="M7 7h.01M13 7h.01M10 10h.01M7 13h.01M13 13h.01" stroke="currentColor" stroke-width="2.4" stroke-linecap="round" />
            </svg>
          </button>
        </span>
      </label>
      {!seedOk && (
        <p class="wrong" role="alert">
          {w.badSeed}
        </p>
      )}
      <button type="submit" class="main-button" disabled={!seedOk}>
        {w.restart}
      </button>
    </form>
  );
}

/** One line: what the link said, what it could have said, what is played instead. */
function wrongText(wrong: WrongWord | string): string {
  if (typeof wrong === 'string') return wrong;
  const { word, got, choices, count, taken } = wrong;
  const w = words.value;
  const what = { world: w.world, preset: w.preset, seed: w.seed, bots: w.bot }[word];
  const expected =
    count !== undefined ? counted(w.names, count) : choices.length > 0 ? filled(w.oneOf, { names: choices.join(', ') }) : w.seedRange;
  return filled(w.wrongWord, { what, expected, got: got.slice(0, MOST_SHOWN), taken });
}
const MOST_SHOWN = 40;

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly string[];
  readonly choose: (value: string) => void;
  readonly seat?: number;
}

function Choice({ label, value, choices, choose, seat }: ChoiceProps) {
  return (
    <label class="row">
      <span class={seat === undefined ? '' : `name seat-${seat}`}>{label}</span>
      <select value={value} onChange={(event) => choose(event.currentTarget.value)}>
        {choices.includes(value) ? null : <option value={value}>{value}</option>}
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </select>
    </label>
  );
}

function Facts({ setup }: { setup: Setup }) {
  const w = words.value;
  const shown = player.shown.value;
  const faults = player.faults.value;
  const recording = player.recording.value;
  return (
    <dl class="facts">
      <dt>{w.seed}</dt>
      <dd class="mono" data-testid="seed">
        {setup.seed}
      </dd>
      <dt>
        {w.hash}
        {shown !== null && <span class="figures"> {shown.scene.tick}</span>}
      </dt>
      <dd class="mono" data-testid="hash">
        {shown?.hash ?? '…'}
      </dd>
      <dt>{w.result}</dt>
      <dd>
        <Outcome setup={setup} />
      </dd>
      <dt>{w.command}</dt>
      <dd>
        {player.byHand.value ? (
          <p class="dim">{w.byHand}</p>
        ) : (
          <CopyLine text={recording === null ? commandLine(setup) : verifyLine(recording)} />
        )}
      </dd>
      <dd>
        <span class="actions">
          <button type="button" class="chip" onClick={() => player.save()}>
            {w.save}
          </button>
          <OpenReplay />
          {isArcade.value && (
            <button type="button" class="main-button" onClick={() => (location.hash = `#table=${setup.preset}`)}>
              {w.toTable}
            </button>
          )}
          {isEndlessWorld.value && (
            <button type="button" class="main-button" onClick={() => (location.hash = '#explore')}>
              {w.explore}
            </button>
          )}
          {isEditable.value && (
            <button type="button" class="chip" onClick={editMatch}>
              {w.edit}
            </button>
          )}
          {(player.info.value?.controls ?? null) !== null && (
            <button type="button" class="chip" onClick={takeNextSeat} title={w.keyTake}>
              {player.taken.value === null ? w.take : player.taken.value + 1 < setup.bots.length ? w.nextSeat : w.giveBack}
              <kbd class="for-keys">T</kbd>
            </button>
          )}
        </span>
      </dd>
      {faults.length > 0 && (
        <>
          <dt>{w.faults}</dt>
          <dd class="mono wrong">
            {faults.map(({ tick, seat, kind, reason }) => (
              <div key={`${tick} ${seat}`}>{filled(w.faultLine, { tick, who: setup.bots[seat]!, kind: w.faultKinds[kind], reason })}</div>
            ))}
          </dd>
        </>
      )}
    </dl>
  );
}

const verifyLine = ({ name }: RecordedFile): string => `npx lockstep replay verify ${name}`;

/** A recorded game of any world, from a file. */
export function OpenReplay() {
  const w = words.value;
  const choose = (event: Event) => {
    const input = event.currentTarget as HTMLInputElement;
    void openFiles([...(input.files ?? [])]);
    input.value = '';
  };
  return (
    <label class="chip file">
      {w.openReplay}
      <input type="file" multiple accept=".replay,.debug" data-testid="files" onChange={choose} />
    </label>
  );
}

function Outcome({ setup }: { setup: Setup }) {
  const w = words.value;
  const result = player.outcome.value;
  const marks = counted(w.eventCount, player.marks.value.length);
  if (result === null) {
    return (
      <span class="dim">
        {w.running}, {marks}
      </span>
    );
  }
  return (
    <span class="figures">
      {outcomeText(result, setup)} · {marks}
    </span>
  );
}

function CopyLine({ text }: { text: string }) {
  const w = words.value;
  const copied = useSignal(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      copied.value = true;
    } catch {
      getSelection()?.selectAllChildren(document.getElementById('command')!);
    }
  };
  return (
    <div class="copy">
      <code id="command" class="mono" data-testid="command">
        {text}
      </code>
      <button type="button" class="chip" onClick={() => void copy()}>
        {copied.value ? w.copied : w.copy}
      </button>
    </div>
  );
}
