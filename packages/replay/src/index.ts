export { Playback, seek } from './playback.ts';
export { readReplay } from './reader.ts';
export type { Keyframe, Replay, ReplayBot, ReplayFault, Rhythm, TickEvents } from './replay.ts';
export { verifyReplay, type Verdict } from './verify.ts';
export { type Recording, ReplayWriter } from './writer.ts';
