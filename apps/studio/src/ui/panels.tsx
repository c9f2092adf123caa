import { editor, type PanelName, panel, sheetOpen } from '../shell.ts';
import { words } from '../words.ts';
import { BotsPanel } from './bots-panel.tsx';
import { ChartPanel } from './chart-panel.tsx';
import { MatchPanel } from './match-panel.tsx';
import { StatePanel } from './state-panel.tsx';

const PANELS = { match: MatchPanel, state: StatePanel, chart: ChartPanel, bots: BotsPanel };

/** Beside the stage, or a sheet over it in a narrow window. */
export function Panels() {
  const w = words.value;
  const open = editor.value;
  const Shown = panel.value === 'editor' ? (open?.Panel ?? MatchPanel) : PANELS[panel.value];
  return (
    <aside class={sheetOpen.value ? 'panels open' : 'panels'} aria-label={w.panels}>
      <div class="tabs">
        <Tabs />
        <button type="button" class="tool only-narrow" aria-label={w.close} onClick={() => (sheetOpen.value = false)}>
          ×
        </button>
      </div>
      <div class="panel" role="tabpanel" id="panel" aria-labelledby={`tab-${panel.value}`} tabIndex={0}>
        <Shown />
      </div>
    </aside>
  );
}

/** One stop of the tab key; arrows, Home and End go from tab to tab. */
function Tabs() {
  const w = words.value;
  const names: readonly PanelName[] = editor.value === null ? ['match', 'state', 'chart', 'bots'] : ['editor', 'state', 'chart'];
  const walk = (event: KeyboardEvent) => {
    const at = names.indexOf(panel.value);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: names.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const name = names[(to + names.length) % names.length]!;
    panel.value = name;
    document.getElementById(`tab-${name}`)?.focus();
  };
  return (
    <div class="tablist" role="tablist" aria-label={w.panels} onKeyDown={walk}>
      {names.map((name) => (
        <button
          type="button"
          key={name}
          id={`tab-${name}`}
          role="tab"
          aria-selected={panel.value === name}
          aria-controls="panel"
          tabIndex={panel.value === name ? 0 : -1}
          class="tab"
          onClick={() => (panel.value = name)}
        >
          {name === 'editor' ? (editor.value?.tab ?? w.editor) : w[name]}
        </button>
      ))}
    </div>
  );
}
