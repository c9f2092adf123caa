import { isForMatch } from '../keys.ts';
import type { Explorer } from './explorer.ts';

/** T takes over here as everywhere: in the past it plays on from there. The answer stops listening. */
export function listenToTakeOver(explorer: Explorer): () => void {
  const down = (event: KeyboardEvent): void => {
    if (event.code !== 'KeyT' || !isForMatch(event)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!event.repeat) void explorer.playOnFromHere();
  };
  addEventListener('keydown', down, { capture: true });
  return () => removeEventListener('keydown', down, { capture: true });
}
