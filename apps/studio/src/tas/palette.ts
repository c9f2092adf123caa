/** The page's colours as a canvas wants them. */
export interface Palette {
  readonly dark: boolean;
  readonly paper: string;
  readonly raised: string;
  readonly edge: string;
  readonly ink: string;
  readonly dim: string;
  readonly accent: string;
  readonly run: string;
  readonly ghost: string;
  readonly good: string;
  readonly bad: string;
  readonly goal: string;
  readonly font: string;
  readonly mono: string;
}

const NAMES = {
  paper: '--paper',
  raised: '--raised',
  edge: '--edge',
  ink: '--ink',
  dim: '--dim',
  accent: '--accent',
  run: '--team-0',
  ghost: '--team-1',
  good: '--good',
  bad: '--bad',
  goal: '--tas-goal',
  font: '--font',
  mono: '--mono',
} as const;

export function paletteOf(element: Element, dark: boolean): Palette {
  const style = getComputedStyle(element);
  const read = Object.entries(NAMES).map(([key, name]) => [key, style.getPropertyValue(name).trim()]);
  return { ...(Object.fromEntries(read) as Record<keyof typeof NAMES, string>), dark };
}
