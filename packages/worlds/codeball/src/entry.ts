import type { WorldEntry } from '@lockstep/kernel';
import { bots } from '../bots/index.ts';
import type { Action } from './action.ts';
import { conform } from './conform.ts';
import type { Config, Rules } from './rules.ts';
import { stage } from './scene.ts';
import type { State } from './state.ts';
import type { GameView } from './view.ts';
import { world } from './world.ts';

export const codeball: WorldEntry<Config, State, Action, GameView, Rules> = { world, bots, stage, conform };
