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
                  <li key={name}>
                    <BotLink name={name} />
                  </li>
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
  const { part, wave, turn, of, minutes } = stage.at;
  const where = [
    part === undefined ? '' : `${w.part} ${part}`,
    wave === undefined ? '' : `${w.wave} ${wave}`,
    turn === undefined ? '' : `${w.turn} ${turn} ${w.of} ${of}`,
    minutes === undefined ? '' : clockText(minutes),
  ].filter((one) => one !== '');
  const ties = stage.ties ?? [];
  return (
    <div class="stage-card">
      <h3>
        {titleOf(stage.name)} <span class="dim">{where.join(' ')}</span>
      </h3>
      {ties.length > 0 && <Bracket ties={ties} />}
      {stage.turns?.some(({ bye }) => bye !== null) === true && (
        <p class="dim">
          {stage.turns.flatMap(({ bye }, i) => (bye === null ? [] : [`${w.turn} ${i + 1}: ${bye} ${w.rests}`])).join(' · ')}
        </p>
      )}
      {ties.length === 0 && (
        <ol class="rows">
          {stage.rows.map(({ name, value }) => (
            <li key={name}>
              <BotLink name={name} />
              {stage.wildCards?.includes(name) === true && <span class="dim"> {w.wildCard}</span>}
              <span class="figures value">{Number.isInteger(value) ? value : value.toFixed(1)}</span>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

function BotLink({ name }: { readonly name: string }) {
  return <a href={`#run=${encodeURIComponent(chosen.value ?? '')}&bot=${encodeURIComponent(name)}`}>{name}</a>;
}

/** Days and hours of the cup's own clock. */
function clockText(minutes: number): string {
  const w = words.value;
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, Math.floor(minutes % 60)];
  return [days > 0 ? `${days} ${w.days}` : '', hours > 0 ? `${hours} ${w.hours}` : '', rest > 0 || minutes < 60 ? `${rest} ${w.minutes}` : ''].filter((one) => one !== '').join(' '); // prettier-ignore
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
            {titleOfRound(ties.find((tie) => tie.round === round)!)}
          </h4>
          {ties.filter((tie) => tie.round === round).map(({ a, b, points, winner }) => (
            <div key={a} class="tie">
              <div class={winner === a ? 'win' : ''}>
                <BotLink name={a} /> {b !== null && <span class="value figures">{points[0]}</span>}
              </div>
              <div class={winner === b ? 'win' : ''}>
                {b === null ? <span class="dim">{w.goesOn}</span> : <BotLink name={b} />} {b !== null && <span class="value figures">{points[1]}</span>}
              </div>
            </div>
          ))}
        </div>
      ))}
    </div>
  ); // prettier-ignore
}

function titleOfRound({ round, stake }: Tie): string {
  const w = words.value;
  return stake === 'final' ? w.final : stake === 'third' ? w.third : `${w.round} ${round}`;
}
