/** 04:12 of watching time at normal speed. */
export function clock(tick: number, ticksPerSecond: number): string {
  const seconds = Math.floor(tick / ticksPerSecond);
  return `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`;
}

/** 1/8× … 16× */
export function speedText(speed: number): string {
  return speed < 1 ? `1/${Math.round(1 / speed)}×` : `${speed}×`;
}

/** The timeline shows a growing run: half a minute, doubled as often as needed, at last the whole game. */
export function timelineSpan(head: number, length: number | null, ticksPerSecond: number): number {
  let span = 30 * ticksPerSecond;
  while (span < head) span *= 2;
  return length === null ? span : Math.min(span, length);
}
