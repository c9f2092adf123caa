import { player } from '../shell.ts';
import { counted, filled, words } from '../words.ts';
import { OpenReplay } from './match-panel.tsx';

/** What each bot did wrong, and what it drew and said at the tick that is shown. */
export function BotsPanel() {
  const w = words.value;
  const setup = player.setup.value;
  if (setup === null) return <p class="dim">{w.loading}</p>;
  const shown = player.shown.value;
  return (
    <>
      <p class="dim">
        {w.tick} <span class="figures">{shown?.scene.tick ?? '…'}</span>
      </p>
      <dl class="facts" data-testid="bots">
        {setup.bots.map((name, seat) => (
          <Bot key={seat} name={name} seat={seat} />
        ))}
      </dl>
      {shown?.said === undefined && <p class="dim">{w.drawingsHint}</p>}
      <OpenReplay />
    </>
  );
}

function Bot({ name, seat }: { name: string; seat: number }) {
  const w = words.value;
  const said = player.shown.value?.said?.filter((one) => one.seat === seat) ?? [];
  const faults = player.faults.value.filter((fault) => fault.seat === seat);
  const shapes = said.reduce((sum, one) => sum + one.shapes, 0);
  return (
    <>
      <dt>
        <span class={`name seat-${seat}`}>{name}</span>
      </dt>
      <dd>
        {faults.map(({ tick, kind, reason }) => (
          <div key={tick} class="mono wrong">
            {filled(w.faultLine, { tick, who: name, kind: w.faultKinds[kind], reason })}
          </div>
        ))}
        {said
          .flatMap(({ texts }) => texts)
          .map((text, i) => (
            <pre key={i} class="mono said">
              {text}
            </pre>
          ))}
        {shapes > 0 && <span class="dim">{counted(w.shapesDrawn, shapes)}</span>}
        {said.length === 0 && <span class="dim">{w.saysNothing}</span>}
      </dd>
    </>
  );
}
