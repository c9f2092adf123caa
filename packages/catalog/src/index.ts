import { asteracer } from '@lockstep/asteracer';
import { codeball } from '@lockstep/codeball';
import type { AnyEntry } from '@lockstep/kernel';
import { pinball } from '@lockstep/pinball';
import { sparse } from '@lockstep/sparse';

/** The one list of worlds. A new world is one folder and one line here. */
export const catalog: readonly AnyEntry[] = [codeball, asteracer, pinball, sparse];
