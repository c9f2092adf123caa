import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';

/** Memory of two threads, and a port for what is too large for it. */
export interface Shared {
  readonly control: SharedArrayBuffer;
  readonly bytes: SharedArrayBuffer;
  readonly port: MessagePort;
}

const CAPACITY = 1 << 18;

export function newShared(port: MessagePort): Shared {
  return { control: new SharedArrayBuffer(16), bytes: new SharedArrayBuffer(CAPACITY), port };
}

/** How many messages were sent each way, and how long the last one is; -1: it is at the port. */
const [QUESTIONS, ANSWERS, QUESTION_SIZE, ANSWER_SIZE] = [0, 1, 2, 3] as const;
/** The thread waits so long for the next question before it lets others of its own have a turn. */
const BLOCKED_MS = 2;

type WaitAsync = (array: Int32Array, index: number, value: number) => { readonly async: boolean; readonly value: unknown };
/** Younger than the library's types that we compile with. */
const { waitAsync } = Atomics as unknown as { readonly waitAsync: WaitAsync };

/** A wake-up may be late and mean the change before: what counts is the number itself. */
async function changed(control: Int32Array, index: number, from: number): Promise<void> {
  while (Atomics.load(control, index) === from) await waitAsync(control, index, from).value;
}

/**
 * Question and answer between two threads, one at a time. Both sides may sleep until the other is ready, which takes a few microseconds, a
 * fraction of what messages between threads take.
 */
export class Mailbox {
  private readonly control: Int32Array;
  private readonly bytes: Buffer;
  private readonly port: MessagePort;

  constructor({ control, bytes, port }: Shared) {
    this.control = new Int32Array(control);
    this.bytes = Buffer.from(bytes);
    this.port = port;
  }

  // ---------------------------------------------------------------- who asks

  ask(text: string): void {
    const isLong = text.length * 3 > CAPACITY;
    if (isLong) this.port.postMessage(text);
    this.control[QUESTION_SIZE] = isLong ? -1 : this.bytes.write(text, 'utf8');
    Atomics.add(this.control, QUESTIONS, 1);
    Atomics.notify(this.control, QUESTIONS);
  }

  /** Sleeps until the answer is there, but not longer than that; is it? */
  waitFor(ms: number): boolean {
    const before = this.control[QUESTIONS]! - 1;
    Atomics.wait(this.control, ANSWERS, before, ms);
    return Atomics.load(this.control, ANSWERS) !== before;
  }

  /** Settles when the answer is there. */
  answered(): Promise<void> {
    return changed(this.control, ANSWERS, this.control[QUESTIONS]! - 1);
  }

  answer(): Uint8Array {
    const size = this.control[ANSWER_SIZE]!;
    return size < 0 ? (receiveMessageOnPort(this.port)!.message as Uint8Array) : Uint8Array.prototype.slice.call(this.bytes, 0, size);
  }

  // ---------------------------------------------------------------- who answers

  question(): string | Promise<string> {
    const seen = Atomics.load(this.control, ANSWERS); // as many were asked before
    Atomics.wait(this.control, QUESTIONS, seen, BLOCKED_MS);
    if (Atomics.load(this.control, QUESTIONS) !== seen) return this.text();
    return changed(this.control, QUESTIONS, seen).then(() => this.text());
  }

  private text(): string {
    const size = this.control[QUESTION_SIZE]!;
    return size < 0 ? (receiveMessageOnPort(this.port)!.message as string) : this.bytes.toString('utf8', 0, size);
  }

  send(bytes: Uint8Array): void {
    const isLong = bytes.length > CAPACITY;
    if (isLong) this.port.postMessage(bytes);
    else this.bytes.set(bytes);
    this.control[ANSWER_SIZE] = isLong ? -1 : bytes.length;
    Atomics.add(this.control, ANSWERS, 1);
    Atomics.notify(this.control, ANSWERS);
  }
}
