import type { StageView, Tie } from '@lockstep/league';
import { chosen, cup } from './data.ts';
import { words } from './words.ts';

export function CupPage() {
  const w = words.value;
  const found = cup.value;
  if (found === null) return null;
  return (
    <section data-testid="cup">
      {found.outcome !== null && (
        <div class="stage-card places">
          {found.outcome.places.map(({ of, rows }) => (
            <div key={of}>
              <h3>
                {w.places}: {titleOf(of)}
              </h3>
              <ol>
                {rows.slice(0, 10).map(({ name }) => (
                  <li key={name}>{name}</li>
                ))}
              </ol>
            </div>
          ))}
        </div>
      )}
      {[...found.stages].reverse().map((stage) => (
        <StageCard key={stage.name} stage={stage} />
      ))}
    </section>
  );
}

const titleOf = (name: string): string => (name === 'sandbox' ? words.value.sandbox : name);

function StageCard({ stage }: { readonly stage: StageView }) {
  const w = words.value;
  const names: Readonly<Record<string, string>> = { part: w.part, wave: w.wave, turn: w.turn, of: w.of, minutes: w.minutes };
  const where = Object.entries(stage.at).map(([key, value]) => (key === 'minutes' || key === 'of' ? `${key === 'of' ? `${w.of} ` : ''}${Math.round(value)}${key === 'minutes' ? ` ${w.minutes}` : ''}` : `${names[key] ?? key} ${value}`)); // prettier-ignore
  return (
    <div class="stage-card">
      <h3>
        {titleOf(stage.name)} <span class="dim">{where.join(' ')}</span>
      </h3>
      {stage.ties !== undefined && stage.ties.length > 0 ? <Bracket ties={stage.ties} /> : null}
      {stage.turns?.some(({ bye }) => bye !== null) === true && (
        <p class="dim">
          {stage.turns.flatMap(({ bye }, i) => (bye === null ? [] : [`${w.turn} ${i + 1}: ${bye} ${w.rests}`])).join(' · ')}
        </p>
      )}
      <ol class="rows">
        {stage.rows.map(({ name, value }) => (
          <li key={name}>
            <a href={`#run=${encodeURIComponent(chosen.value ?? '')}&bot=${encodeURIComponent(name)}`}>{name}</a>
            {stage.wildCards?.includes(name) === true && <span class="dim"> {w.wildCard}</span>}
            <span class="figures value">{Number.isInteger(value) ? value : value.toFixed(1)}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** Rounds from left to right; each meeting with its points, the winner lit. */
function Bracket({ ties }: { readonly ties: readonly Tie[] }) {
  const w = words.value;
  const rounds = [...new Set(ties.map(({ round }) => round))];
  return (
    <div class="bracket" data-testid="bracket">
      {rounds.map((round) => (
        <div key={round} class="bracket-round">
          <h4>
            {w.round} {round}
          </h4>
          {ties.filter((tie) => tie.round === round).map(({ a, b, points, winner }) => (
            <div key={a} class="tie">
              <div class={winner === a ? 'win' : ''}>
                {a} {b !== null && <span class="value figures">{points[0]}</span>}
              </div>
              <div class={winner === b ? 'win' : ''}>
                {b ?? <span class="dim">{w.goesOn}</span>} {b !== null && <span class="value figures">{points[1]}</span>}
              </div>
            </div>
          ))}
        </div>
      ))}
    </div>
  ); // prettier-ignore
}
