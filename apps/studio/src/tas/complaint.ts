import type { InputError } from '@lockstep/kernel';
import type { Language } from '../words.ts';

/** What maps, instructions, replays and links are refused for, in Russian. A phrase that is not here stays as it is. */
const RUSSIAN: readonly (readonly [RegExp, string])[] = [
  [/^a map, instructions or a replay$/, 'карта, команды или запись'],
  [/^a whole share link \(copy it again\)$/, 'целая ссылка (скопируйте её ещё раз)'],
  [/^version (\d+) of the share link$/, 'ссылка версии $1'],
  [/^a replay of (.+)$/, 'запись мира $1'],
  [/^a whole number (\S+)\.\.(\S+)$/, 'целое число от $1 до $2'],
  [/^a box with min at most max$/, 'рамка, где min не больше max'],
  [/^vx\*vx \+ vy\*vy at most (\d+)$/, 'vx*vx + vy*vy не больше $1'],
  [/^at most (\d+)(?: ticks| instructions)?$/, 'не больше $1'],
  [/^instruction (\d+) of (\d+)$/, 'команда $1 из $2'],
  [/^nothing after .+$/, 'конец файла'],
  [/^.+ as (".+")$/, 'строка $1'],
];

/** What is wrong with the user's data, in one line and in the language of the page. */
export function complaint({ message }: InputError, language: Language): string {
  const parts = /^(.*?): expected (.*), got (.*)$/.exec(message);
  if (language === 'en' || parts === null) return message;
  const [, path, expected, got] = parts as unknown as [string, string, string, string];
  const where = path
    .replace(/ line (\d+)/, ', строка $1')
    .replace(/\(tick (\d+)\)/, '(тик $1)')
    .replace(/^clipboard\b/, 'буфер обмена')
    .replace(/^link\b/, 'ссылка')
    .replace(/^run$/, 'заезд');
  const [phrase, said] = RUSSIAN.find(([pattern]) => pattern.test(expected)) ?? [/^/, ''];
  return `${where}: нужно: ${expected.replace(phrase, said)}; а здесь: ${got === 'nothing' ? 'ничего' : got}`;
}
