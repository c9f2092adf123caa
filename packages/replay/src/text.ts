import type { Json } from '@lockstep/kernel';
import { ByteReader, Damage } from './bytes.ts';
import { pack, unpack } from './deflate.ts';

declare const TextEncoder: new () => { encode(text: string): Uint8Array };
declare const TextDecoder: new (label: 'utf-8', options: { fatal: boolean }) => { decode(bytes: Uint8Array): string };

const LONGEST_TEXT = 2 ** 27;

export function packJson(value: unknown): Promise<Uint8Array> {
  return pack(new TextEncoder().encode(JSON.stringify(value)));
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
