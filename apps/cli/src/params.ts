import { InputError } from '@lockstep/kernel';
import type { WatchedSeat } from './bots.ts';

type Params = Readonly<Record<string, number>>;

/** `./bot?aggression=4&depth=2`: a bot with numbers of its own, as `lockstep tune` tries them. */
export function splitParams(text: string): { readonly bot: string; readonly params: Params | null } {
  const [, bot, query] = /^([^?\s]+)\?([^?\s]+)$/.exec(text) ?? [];
  if (bot === undefined || /^wss?:/.test(bot)) return { bot: text, params: null };
  const params = query!.split('&').map((pair): [string, number] => {
    const [, name, value] = /^([A-Za-z_]\w*)=(.+)$/.exec(pair) ?? [];
    if (name === undefined || !Number.isFinite(Number(value))) throw new InputError('bot', 'name=number after the ?, with & between', text);
    return [name, Number(value)];
  });
  return { bot, params: Object.fromEntries(params) };
}

export function joinParams(bot: string, params: Params): string {
  return `${bot}?${Object.entries(params).map(([name, value]) => `${name}=${value}`).join('&')}`; // prettier-ignore
}

/** The bot finds them in its briefing, as `params`. */
export function withParams(seat: WatchedSeat, name: string, params: Params): WatchedSeat {
  if (seat.kind === 'tcp2018' || seat.kind === 'wasm')
    throw new InputError('bot', 'a module, a script or a program, whose briefing can hold params', name);
  return { ...seat, name, make: (briefing, ...rest) => seat.make({ ...(briefing as object), params }, ...rest) };
}
