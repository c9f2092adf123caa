/** A player of one seat. It gets views and gives raw actions; the match reads them through the world's door. */
export interface Bot<View = unknown, RawAction = unknown> {
  act(view: View): RawAction;
}

/**
 * Makes a bot for one game. The briefing is what the world tells a seat before the first tick.
 * (Written as a method's type so that a maker for one world's views fits the catalog's list of makers.)
 */
export type BotMaker<Briefing = unknown, View = unknown, RawAction = unknown> = {
  make(briefing: Briefing, seat: number): Bot<View, RawAction>;
}['make'];
