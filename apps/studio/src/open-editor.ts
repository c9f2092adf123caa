import type { InputError } from '@lockstep/kernel';
import type { Tape } from './tape.ts';

/** What the page needs to know of what stands in the match's place: an editor of runs, or a machine to play at. */
export interface OpenEditor {
  /** Whose runs it edits. */
  readonly world: string;
  readonly tape: Tape;
  readonly title: string;
  /** What its panel is called; left out: an editor. */
  readonly tab?: string;
  readonly View: () => preact.JSX.Element;
  readonly Panel: () => preact.JSX.Element;
  /** Says what is wrong with a link that was to be opened in its place; the address is its own again. */
  refuse(what: InputError): void;
  close(): void;
}
