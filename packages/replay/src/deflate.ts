import { type ByteReader, ByteWriter, Damage } from './bytes.ts';

/** The web's own streams, present in browsers and in Node. */
interface ByteStream {
  readonly readable: { getReader(): { read(): Promise<{ done: boolean; value?: Uint8Array }>; cancel(): Promise<void> } };
  readonly writable: { getWriter(): { write(bytes: Uint8Array): Promise<void>; close(): Promise<void> } };
}
declare const CompressionStream: new (format: 'deflate-raw') => ByteStream;
declare const DecompressionStream: new (format: 'deflate-raw') => ByteStream;

/** No deflate stream unpacks to more than this many times its size. */
const MOST_GAIN = 1032;
const STORED = 0;
const DEFLATED = 1;

/** A block in a file: method, size unpacked, size packed, bytes. */
export async function pack(bytes: Uint8Array): Promise<Uint8Array> {
  const deflated = await through(new CompressionStream('deflate-raw'), bytes, Infinity);
  const smaller = deflated.length < bytes.length;
  const body = smaller ? deflated : bytes;
  const out = new ByteWriter();
  out.u8(smaller ? DEFLATED : STORED);
  out.u32(bytes.length);
  out.u32(body.length);
  out.put(body);
  return out.done();
}

/** Takes the next block and unpacks it; sizes are checked before anything is allocated, and a stream that lies about them is cut off. */
export async function unpack(from: ByteReader, most: number): Promise<Uint8Array> {
  const method = from.u8();
  const size = from.u32();
  const body = from.take(from.u32());
  if (size > most) throw new Damage(`a block declares ${size} bytes where at most ${most} make sense`);
  if (method === STORED) {
    if (size !== body.length) throw new Damage(`a block declares ${size} bytes and holds ${body.length}`);
    return body;
  }
  if (method !== DEFLATED) throw new Damage(`a block is packed by the unknown method ${method}`);
  if (size > body.length * MOST_GAIN) throw new Damage(`a block of ${body.length} bytes declares ${size}`);
  let bytes: Uint8Array;
  try {
    bytes = await through(new DecompressionStream('deflate-raw'), body, size);
  } catch {
    throw new Damage('a block does not unpack');
  }
  if (bytes.length !== size) throw new Damage(`a block declares ${size} bytes and unpacks to another number`);
  return bytes;
}

/** All that comes out; stops soon after `most` bytes. */
async function through(stream: ByteStream, bytes: Uint8Array, most: number): Promise<Uint8Array> {
  const writer = stream.writable.getWriter();
  // What goes wrong in writing is told to the reader too.
  writer.write(bytes).catch(() => {});
  writer.close().catch(() => {});
  const reader = stream.readable.getReader();
  const out = new ByteWriter();
  for (;;) {
    const { done, value } = await reader.read();
    if (done || value === undefined) return out.done();
    out.put(value);
    if (out.length > most) {
      await reader.cancel();
      return out.done();
    }
  }
}
