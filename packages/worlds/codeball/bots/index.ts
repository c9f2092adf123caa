import type { BotMaker } from '@lockstep/kernel';
import type { Rules } from '../src/rules.ts';
import type { GameView, Orders } from '../src/view.ts';
import { captain } from './captain.ts';
import { chaser } from './chaser.ts';
import { idle } from './idle.ts';
import { quickstart } from './quickstart.ts';

/** The built-in bots; the first two play the studio's opening match. */
export const bots = { captain, quickstart, chaser, idle } satisfies Record<string, BotMaker<Rules, GameView, Orders>>;
