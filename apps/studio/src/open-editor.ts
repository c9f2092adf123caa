import type { Box, InputError, Mesh } from '@lockstep/kernel';
import type { ScreenPosition, Sight } from './stage/stage.ts';
import type { Tape } from './tape.ts';

/** What the page needs to know of what stands in the match's place: an editor of runs, a machine to play at, a dungeon to explore. */
export interface OpenEditor {
  /** Whose runs it edits. */
  readonly world: string;
  readonly tape: Tape;
  readonly title: string;
  /** What its panel is called; left out: an editor. */
  readonly tab?: string;
  /** Keys of its own, for the help. */
  readonly keys?: readonly (readonly [names: readonly string[], what: string])[];
  /** What it shows now has no past: no timeline. */
  readonly timeless?: boolean;
  /** It draws on the stage: what the stage is built for, and what is to be seen now. */
  readonly scenery?: { readonly bounds: Box; readonly meshes: readonly Mesh[] };
  sight?(): Sight | null;
  /** Where something is on a picture of its own. */
  screenPosition?(key: string): ScreenPosition | null;
  readonly View: () => preact.JSX.Element;
  readonly Panel: () => preact.JSX.Element;
  /** Says what is wrong with a link that was to be opened in its place; the address is its own again. */
  refuse(what: InputError): void;
  close(): void;
}
