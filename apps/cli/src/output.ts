/** One line of the answer, or some. */
export function say(text: string): void {
  process.stdout.write(`${visible(text)}\n`);
}

/** One line of the answer for programs. Seeds are strings: JSON's numbers are doubles. */
export function sayJson(value: object): void {
  say(JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? String(item) : item)));
}

/** A remark that is not part of the answer. */
export function remark(line: string): void {
  process.stderr.write(`lockstep: ${visible(line)}\n`);
}

/** What a terminal would obey instead of showing it: control characters, and those that turn the direction of writing. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** With such characters written as JSON writes them. Ends of lines stay. */
function visible(text: string): string {
  return text.replaceAll(UNSEEN, escaped);
}

/** Words of others, such as the name of a bot, as a piece of one line. */
export function oneLine(text: string): string {
  return visible(text.replaceAll(/[\n\t]/g, escaped));
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Of an error that is ours: the only kind whose stack is shown. */
export function bugText(error: unknown): string {
  return `a bug: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}

/** A word of a command as a shell takes it. */
export function shellWord(text: string): string {
  const line = oneLine(text);
  return /^[\p{L}\p{N}_@%+=:,./-]+$/u.test(line) ? line : `'${line.replaceAll("'", `'\\''`)}'`;
}

export function grouped(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

/** "7 games", "1 game". */
export function counted(count: number, thing: string): string {
  return `${grouped(count)} ${thing}${count === 1 ? '' : 's'}`;
}

/** A line that is written over and over, where a person looks on and only there. */
export class Progress {
  private readonly what: string;
  private shownAt = 0;
  private visible = false;

  constructor(what: string) {
    this.what = what;
  }

  /** `part` of 0..1 draws a bar. */
  show(text: string, part?: number): void {
    if (!process.stderr.isTTY) return;
    const now = performance.now();
    if (now - this.shownAt < 100) return;
    this.shownAt = now;
    this.visible = true;
    const full = Math.floor(Math.min(part ?? 0, 1) * 24);
    const bar = part === undefined ? '' : `[${'='.repeat(full)}${' '.repeat(24 - full)}] `;
    process.stderr.write(`\r\x1b[K${this.what} ${bar}${text}`);
  }

  clear(): void {
    if (this.visible) process.stderr.write('\r\x1b[K');
    this.visible = false;
  }
}

/** Columns of text, numbers to the right. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const texts = rows.map((row) => row.map(String));
  const widths = head.map((title, i) => Math.max(title.length, ...texts.map((row) => row[i]!.length)));
  const rightward = head.map((_, i) => rows.length > 0 && rows.every((row) => typeof row[i] === 'number'));
  const line = (cells: readonly string[]) =>
    cells.map((cell, i) => (rightward[i]! ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!))).join('  ').trimEnd(); // prettier-ignore
  return [line(head), ...texts.map(line)].join('\n');
}
