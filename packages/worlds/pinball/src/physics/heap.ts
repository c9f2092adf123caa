import type { Work } from './work.ts';

/** [PB-G8] The earliest owner is on top; of two at the same time, the one with the lower index: a total order. */
function before(work: Work, a: number, b: number): boolean {
  const ta = work.due[a]!;
  const tb = work.due[b]!;
  return ta < tb || (ta === tb && a < b);
}

/** Puts an owner where its time belongs; Infinity takes it out. */
export function schedule(work: Work, owner: number, time: number): void {
  const { heap, slot, due } = work;
  const at = slot[owner]!;
  due[owner] = time;
  if (time === Infinity) {
    if (at >= 0) remove(work, at);
    return;
  }
  if (at >= 0) {
    if (!rise(work, at)) sink(work, at);
    return;
  }
  heap[work.heapSize] = owner;
  slot[owner] = work.heapSize;
  rise(work, work.heapSize++);
}

function remove(work: Work, at: number): void {
  const { heap, slot } = work;
  slot[heap[at]!] = -1;
  const last = heap[--work.heapSize]!;
  if (at === work.heapSize) return;
  heap[at] = last;
  slot[last] = at;
  if (!rise(work, at)) sink(work, at);
}

function rise(work: Work, from: number): boolean {
  const { heap, slot } = work;
  const owner = heap[from]!;
  let at = from;
  while (at > 0) {
    const up = (at - 1) >> 1;
    const other = heap[up]!;
    if (!before(work, owner, other)) break;
    heap[at] = other;
    slot[other] = at;
    at = up;
  }
  heap[at] = owner;
  slot[owner] = at;
  return at !== from;
}

function sink(work: Work, from: number): void {
  const { heap, slot, heapSize } = work;
  const owner = heap[from]!;
  let at = from;
  for (;;) {
    let down = 2 * at + 1;
    if (down >= heapSize) break;
    if (down + 1 < heapSize && before(work, heap[down + 1]!, heap[down]!)) down++;
    const other = heap[down]!;
    if (!before(work, other, owner)) break;
    heap[at] = other;
    slot[other] = at;
    at = down;
  }
  heap[at] = owner;
  slot[owner] = at;
}
