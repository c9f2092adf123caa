// Prints a fingerprint of everything that must not depend on the engine: run by cross-version.test.ts under several versions of Node.
import { catalog } from '../packages/catalog/dist/src/index.js';
import { cos, hash, nextUint32, seedRng, sin, uniform } from '../packages/kernel/dist/src/index.js';

const lines = [];

const rng = seedRng(538460243868820754n);
let angles = 0;
for (let i = 0; i < 50_000; i++) {
  const x = uniform(rng, -1000, 1000);
  angles = (Math.imul(angles, 31) + Math.fround(sin(x) * 0x4000_0000 + cos(x) * 0x2000_0000)) | 0;
}
lines.push(`angles ${angles} dice ${nextUint32(rng)}`);

for (const { world, bots } of catalog) {
  for (const [preset, raw] of Object.entries(world.presets)) {
    const config = world.readConfig(raw);
    const state = world.create(config, 18446744073709551615n);
    const makers = Object.values(bots);
    const players = Array.from({ length: world.seats(config) }, (_, seat) => makers[seat % makers.length](world.brief(state, seat), seat));
    for (let tick = 0; tick < 120 && world.result(state) === null; tick++) {
      const actions = players.map((bot, seat) => world.readAction(bot.act(world.observe(state, seat)), state, seat));
      world.step(state, actions, []);
      if (tick % 20 === 19) lines.push(`${world.name} ${preset} tick ${state.tick} ${hash(world, state)}`);
    }
  }
}
console.log(lines.join('\n'));
