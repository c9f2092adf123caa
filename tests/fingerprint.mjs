/** How long each world is played, in seconds of its own, and in ticks at least. */
const SECONDS = 8;
const LEAST_TICKS = 120;

/** Lines over everything that must not depend on the engine. The same in every Node, and in a browser. */
export function fingerprint(catalog, { cos, hash, nextUint32, seedRng, sin, uniform }) {
  const lines = [];
  const rng = seedRng(538460243868820754n);
  let angles = 0;
  for (let i = 0; i < 50_000; i++) {
    const x = uniform(rng, -1000, 1000);
    angles = (Math.imul(angles, 31) + Math.fround(sin(x) * 0x4000_0000 + cos(x) * 0x2000_0000)) | 0;
  }
  lines.push(`angles ${angles} dice ${nextUint32(rng)}`);
  for (const { world, bots } of catalog) {
    // In worlds of short ticks little happens in a hundred of them.
    const ticks = world.ticksPerSecond > 100 ? world.ticksPerSecond * SECONDS : LEAST_TICKS;
    for (const [preset, raw] of Object.entries(world.presets)) {
      const config = world.readConfig(raw);
      const state = world.create(config, 18446744073709551615n);
      const makers = Object.values(bots);
      const players = Array.from({ length: world.seats(config) }, (_, seat) =>
        makers[seat % makers.length](world.brief(state, seat), seat),
      );
      while (state.tick < ticks && world.result(state) === null) {
        const actions = players.map((bot, seat) => world.readAction(bot.act(world.observe(state, seat)), state, seat));
        world.step(state, actions, []);
        if (state.tick % (ticks / 6) < 1) lines.push(`${world.name} ${preset} tick ${state.tick} ${hash(world, state)}`);
      }
    }
  }
  return lines;
}
