import { lighthouse } from './lighthouse.ts';
import type { RulesModule } from './module.ts';

/** [PB-M5.4] All modules by the name that a table says. */
export const MODULES: Readonly<Record<string, RulesModule>> = { lighthouse };
