/** Played in several engines by portable.test.ts: a bot in WebAssembly against a script, each out of gas at the end. Nothing here knows Node. */
import { prepareWasm, startScript, startWasm } from '@lockstep/bots/portable';
import { codeball } from '@lockstep/codeball';
import type { AnyEntry } from '@lockstep/kernel';
import { type Budget, BUDGETS, createMatch, type Seat } from '@lockstep/match';

const SCRIPT = `export const createBot = (rules) => ({ act(game) {
  const action = {};
  for (const robot of game.robots) if (robot.is_teammate)
    action[robot.id] = { target_velocity_x: game.ball.x - robot.x, target_velocity_y: 0, target_velocity_z: game.ball.z - robot.z, jump_speed: Math.random() * 15, use_nitro: false };
  if (game.current_tick === 150) for (;;);
  return action;
} });`;

export async function fingerprint(engine: Uint8Array, bytes: Uint8Array): Promise<string> {
  const entry = codeball as AnyEntry;
  const config = entry.world.readConfig({ preset: 'round2', ticks: 200 });
  const scripted: Budget = { ...BUDGETS.gas, steps: { start: 1000, tick: 50, base: 10_000, perTick: 50 } };
  const metered: Budget = { ...BUDGETS.gas, gas: { start: 1e8, tick: 1e6, base: 4_000_000, perTick: 1 } };
  const program = await prepareWasm(bytes, metered.memoryBytes);
  const wasm: Seat = {
    name: 'wasm',
    kind: 'wasm',
    sha256: null,
    make: (briefing, seat, game) => startWasm(program, { budget: metered, example: entry.example(config, seat) }, briefing, seat, game),
  };
  const script: Seat = { name: 'script', kind: 'script', sha256: null, make: (...args) => startScript(engine, SCRIPT, scripted, ...args) };
  const match = createMatch({ world: entry.world, config, seed: 7n, seats: [wasm, script] });
  while (match.result === null) await match.stepAsync();
  await match.close();
  const faults = match.faults.map(({ seat, tick, kind, reason }) => `${seat} ${tick} ${kind} ${reason}`);
  const { result, spent } = match;
  return JSON.stringify({ scores: result.scores, faults, gas: spent[0]?.gas, state: entry.world.observe(match.state, 0) });
}
