import { InputError } from '@lockstep/kernel';

/** The contest's texts, letter by letter: what its runner wrote (Rust's serde_json), and how it read numbers. */

/** Everything else that is a number is written with a fraction. */
const WHOLE = new Set(
  'seed max_tick_count team_size TICKS_PER_SECOND MICROTICKS_PER_TICK RESET_TICKS NITRO_PACK_RESPAWN_TICKS current_tick id player_id player_index score scores respawn_ticks reset_ticks ticks_per_second'.split(
    ' ',
  ),
);

/** The line that a strategy is told first. */
export function rulesText(briefing: unknown, seed: bigint): string {
  return wireText({ seed, ...(briefing as object) });
}

/** The line of a tick. On the wire a pack tells what it holds. */
export function gameText(view: unknown, rules: unknown): string {
  const game = view as { readonly nitro_packs: readonly Record<string, unknown>[] };
  const { NITRO_PACK_AMOUNT } = rules as { readonly NITRO_PACK_AMOUNT: number };
  const nitro_packs = game.nitro_packs.map(({ respawn_ticks, ...pack }) => ({ ...pack, nitro_amount: NITRO_PACK_AMOUNT, respawn_ticks }));
  return wireText({ ...game, nitro_packs });
}

/** A line of the runner's log. */
export function logText(state: unknown): string {
  return wireText(state);
}

/** JSON without spaces. */
function wireText(value: unknown, name = ''): string {
  if (typeof value === 'number') return WHOLE.has(name) ? String(value) : floatText(value);
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map((item) => wireText(item, name)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value).map(([key, inner]) => `"${key}":${wireText(inner, key)}`).join(',')}}`; // prettier-ignore
}

/** The fewest digits that give the number back, always with a fraction or an exponent: 1.0, 1.05, 9.9e-6. */
export function floatText(value: number): string {
  if (Object.is(value, -0)) return '-0.0';
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-5 || size >= 1e16)) return value.toExponential().replace('+', '');
  const text = String(value);
  return text.includes('.') ? text : `${text}.0`;
}

/** JSON whose numbers are read as the runner's library did in 2018; throws InputError. */
export function parseWire(text: string): unknown {
  try {
    JSON.parse(text);
    return JSON.parse(text.replaceAll(STRING_OR_NUMBER, (token) => (token.startsWith('"') ? token : String(numberOf2018(token)))));
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError('answer', 'JSON', text);
  }
}

const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const MOST_DIGITS = 2n ** 64n - 1n;

/**
 * serde_json before 1.0.60: all digits as one u64, digits that do not fit any more are dropped, then one multiplication or division by a
 * power of ten. Up to one unit in the last place off the nearest double.
 */
export function numberOf2018(text: string): number {
  const [, sign, whole, fraction = '', exponentText = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text)!;
  const digits = whole! + fraction;
  let kept = Math.min(digits.length, /^0*/.exec(digits)![0].length + 20);
  while (BigInt(digits.slice(0, kept)) > MOST_DIGITS) kept--;
  const size = scaled(Number(BigInt(digits.slice(0, kept))), Number(exponentText) + whole!.length - kept);
  if (size === Infinity) throw new InputError('answer', 'numbers that a double can hold', text);
  return sign === '-' ? -size : size;
}

function scaled(digits: number, exponent: number): number {
  if (digits === 0) return 0;
  if (exponent >= 0) return exponent > 308 ? Infinity : digits * powerOfTen(exponent);
  let [value, left] = [digits, -exponent];
  for (; left > 308 && value !== 0; left -= 308) value /= 1e308;
  return value === 0 ? 0 : value / powerOfTen(left);
}

/** The double nearest to it, as the library's table held it. */
const powerOfTen = (exponent: number): number => Number(`1e${exponent}`);
