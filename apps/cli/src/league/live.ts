/** Lines that are written over and over, where a person looks on and only there. */
export class Live {
  private shown = 0;
  private shownAt = -Infinity;

  show(lines: () => readonly string[]): void {
    if (!process.stderr.isTTY || performance.now() - this.shownAt < 200) return;
    this.clear();
    // a terminal may say that it has no size
    const width = process.stderr.columns || 80;
    const cut = lines().slice(0, Math.max(1, (process.stderr.rows || 24) - 1)).map((line) => line.slice(0, width - 1)); // prettier-ignore
    process.stderr.write(cut.map((line) => `${line}\n`).join(''));
    this.shown = cut.length;
    this.shownAt = performance.now();
  }

  clear(): void {
    if (this.shown > 0) process.stderr.write(`\x1b[${this.shown}A\x1b[J`);
    this.shown = 0;
  }
}

/** "3 min 20 s", of what is left when so much of it took so long. */
export function etaText(done: number, all: number, seconds: number): string {
  if (done === 0) return '?';
  return spanText((seconds / done) * (all - done));
}

export function spanText(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}
