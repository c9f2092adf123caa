import { editor, type PanelName, panel, sheetOpen } from '../shell.ts';
import { words } from '../words.ts';
import { ChartPanel } from './chart-panel.tsx';
import { MatchPanel } from './match-panel.tsx';
import { StatePanel } from './state-panel.tsx';

const PANELS = { match: MatchPanel, state: StatePanel, chart: ChartPanel };

/** Beside the stage, or a sheet over it in a narrow window. */
export function Panels() {
  const w = words.value;
  const open = editor.value;
  const names: readonly PanelName[] = [open === null ? 'match' : 'editor', 'state', 'chart'];
  const Shown = panel.value === 'editor' ? (open?.Panel ?? MatchPanel) : PANELS[panel.value];
  return (
    <aside class={sheetOpen.value ? 'panels open' : 'panels'} aria-label={w.panels}>
      <div class="tabs" role="tablist">
        {names.map((name) => (
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
