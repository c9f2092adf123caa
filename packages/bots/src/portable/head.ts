import type { GameInfo } from '@lockstep/match';

export const PROTOCOL = 1;

/** How the first message to a bot begins; its briefing comes after it. */
export function headOf({ world, rulesVersion, ticksPerSecond, seats, maxTicks }: GameInfo, seat: number): object {
  return { type: 'briefing', protocol: PROTOCOL, world, rulesVersion, ticksPerSecond, maxTicks, seats, seat };
}
