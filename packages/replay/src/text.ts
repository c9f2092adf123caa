import { InputError, type Json } from '@lockstep/kernel';
import { ByteReader, Damage } from './bytes.ts';
import { pack, unpack } from './deflate.ts';

declare const TextEncoder: new () => { encode(text: string): Uint8Array };
declare const TextDecoder: new (label: 'utf-8', options: { fatal: boolean }) => { decode(bytes: Uint8Array): string };

const LONGEST_TEXT = 2 ** 27;

export async function packJson(value: unknown, what = 'replay'): Promise<Uint8Array> {
  const text = new TextEncoder().encode(textOf(value, what));
  if (text.length > LONGEST_TEXT) throw new InputError(what, `at most ${LONGEST_TEXT} bytes of text`, text.length);
  return pack(text);
}

function textOf(value: unknown, what: string): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // Longer than any string can be.
    if (error instanceof RangeError) throw new InputError(what, `at most ${LONGEST_TEXT} bytes of text`, 'more');
    throw error;
  }
}

export async function unpackJson(bytes: Uint8Array): Promise<Json> {
  const from = new ByteReader(bytes);
  const text = await unpack(from, LONGEST_TEXT);
  from.end();
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(text)) as Json;
  } catch {
    throw new Damage('it is no JSON');
  }
}
