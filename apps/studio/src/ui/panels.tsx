import { type PanelName, panel, sheetOpen } from '../shell.ts';
import { words } from '../words.ts';
import { ChartPanel } from './chart-panel.tsx';
import { MatchPanel } from './match-panel.tsx';
import { StatePanel } from './state-panel.tsx';

const PANELS: Record<PanelName, () => preact.JSX.Element> = { match: MatchPanel, state: StatePanel, chart: ChartPanel };

/** Beside the stage, or a sheet over it in a narrow window. */
export function Panels() {
  const w = words.value;
  const Shown = PANELS[panel.value];
  return (
    <aside class={sheetOpen.value ? 'panels open' : 'panels'} aria-label={w.panels}>
      <div class="tabs" role="tablist">
        {(Object.keys(PANELS) as PanelName[]).map((name) => (
          <button type="button" key={name} role="tab" aria-selected={panel.value === name} class="tab" onClick={() => (panel.value = name)}>
            {w[name]}
          </button>
        ))}
        <button type="button" class="tool only-narrow" aria-label={w.close} onClick={() => (sheetOpen.value = false)}>
          ×
        </button>
      </div>
      <div class="panel" role="tabpanel">
        <Shown />
      </div>
    </aside>
  );
}
