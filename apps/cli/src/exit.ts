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
