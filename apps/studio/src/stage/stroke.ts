import type { Material } from '@lockstep/kernel';

/** How a path is drawn. */
export interface Stroke {
  /** Length of its dashes; 0 = whole. */
  readonly dash: number;
  readonly bright: 'first' | 'both';
  readonly alpha: number;
}

/** A ghost is where something would go: dashed, and fainter the farther ahead. Everything else is there, and drawn whole. */
export function strokeOf({ role, alpha = 1 }: Material): Stroke {
  if (role === 'ghost') return { dash: 1.6, bright: 'first', alpha: alpha * 0.5 };
  return { dash: 0, bright: 'both', alpha: alpha * (role === 'line' ? 0.5 : 0.9) };
}
