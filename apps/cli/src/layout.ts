import { layoutLines, layoutOf, merged } from '@lockstep/bots';
import type { AnyEntry } from '@lockstep/kernel';

/** Long enough for most that may be in a view to have been there. */
const TICKS = 240;

/** What bots of a world exchange, as rows of doubles have it: seen in a game of its own bots, field by field. */
export function layoutText(entry: AnyEntry): string {
  const { world, bots } = entry;
  const config = world.readConfig(Object.keys(world.presets).at(-1));
  const seats = Array.from({ length: world.seats(config) }, (_, seat) => seat);
  const state = world.create(config, 1n);
  const [make] = Object.values(bots);
  const players = seats.map((seat) => make!(world.brief(state, seat), seat));
  let view = layoutOf(world.observe(state, 0));
  for (let tick = 0; tick < TICKS && world.result(state) === null; tick++) {
    const actions = players.map((bot, seat) => world.readAction(bot.act(world.observe(state, seat)), state, seat));
    world.step(state, actions, []);
    if (tick % 20 === 0) view = merged(view, layoutOf(world.observe(state, 0)));
  }
  const part = (name: string, lines: readonly string[]): string => `${world.name}: ${name}\n${lines.map((line) => `  ${line}\n`).join('')}`;
  return [
    part('briefing', layoutLines(layoutOf(world.brief(state, 0)), '')),
    part('view', ['tick: number', ...layoutLines(view, '')]),
    part('action of seat 0', layoutLines(layoutOf(entry.example(config, 0)), '')),
  ].join('\n');
}
