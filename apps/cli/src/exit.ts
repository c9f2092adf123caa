/** What a shell sees. */
export const EXIT = {
  ok: 0,
  /** A check was made and failed: a replay diverges, a recording is not reproduced. */
  failed: 1,
  /** The command line or a file is wrong. */
  usage: 2,
  /** The match was played, and a bot misbehaved in it. */
  fault: 3,
  /** A bug of lockstep itself. */
  bug: 70,
  interrupted: 130,
} as const;

let leaving: number = EXIT.ok;

/** The process will end with this code. */
export function leaveWith(code: number): void {
  leaving = code;
  process.exitCode = code;
}

/** Ends the process, whatever bots that ran in it have left behind: timers, sockets, an exit code of their own, something to do at the exit. */
export async function leaveNow(): Promise<never> {
  for (const stream of [process.stdout, process.stderr]) await new Promise<void>((done) => stream.write('', () => done()));
  process.removeAllListeners('exit');
  process.exit(leaving);
}
