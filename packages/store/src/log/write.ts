import type { DiskFile } from './disk.ts';

const SLAB = 0x80_0000;

/** Writes pieces behind one another, gathered into few writes. The answer is where they end. */
export async function writePieces(file: DiskFile, from: number, pieces: readonly Uint8Array[]): Promise<number> {
  let at = from;
  for (let first = 0; first < pieces.length;) {
    let [last, length] = [first, 0];
    while (last < pieces.length && (last === first || length + pieces[last]!.length <= SLAB)) length += pieces[last++]!.length;
    await file.write(at, last === first + 1 ? pieces[first]! : gathered(pieces.slice(first, last), length));
    at += length;
    first = last;
  }
  return at;
}

function gathered(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const slab = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    slab.set(piece, at);
    at += piece.length;
  }
  return slab;
}
