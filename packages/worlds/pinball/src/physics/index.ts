/**
 * The physics of a table: exact billiards in two dimensions. How a machine uses it:
 *
 *   const table = new Table({ radius, gravity, balls, colliders, movers, regions, ballMaterial });   // config, shared, throws InputError
 *   const state = new PhysicsState(table);                                                           // all that changes; `physicsFields` lists it
 *   const log = new HitLog();                                                                        // what a step tells, made once
 *   placeBall(table, state, 0, x, y);                                                                // false: there is no room
 *   state.vy[0] = 3;
 *   // each tick:
 *   state.drive[FLIPPER] = pressed ? 900 : -400;                                                     // acceleration of a mover: torque / inertia
 *   log.clear();
 *   stepBalls(table, state, 1 / 1000, log);
 *   for (let h = 0; h < log.count; h++) if (log.kind[h] === HIT_SENSOR && log.target[h] === ROLLOVER) …
 *
 * - Colliders, movers and regions have the index of their description as id; hits name it in `target`.
 * - The machine may write between steps: speeds, places (then `pushOut`), `status` (GONE, MOVING, HELD), `layer` (then `enterLayer`), `enabled` of
 *   colliders (drop targets), `drive` and `rate` of movers, `shakeX`, `shakeY` (a nudge that moves the table).
 * - A mover's rate changes by its drive at the start of a step, by hits (unless its inertia is Infinity) and by its stops; springs, solenoids and
 *   damping are the machine's: it computes the drive from `place` and `rate`.
 * - The log holds hits in the order of time; contacts at rest are only counted, in `total`. `capped` should stay 0.
 * - A step allocates nothing. A table owns the memory of a step, so one table serves one step at a time; states share nothing.
 */
export * from './colliders.ts';
export * from './hits.ts';
export { enterLayer, placeBall, pushOut } from './overlap.ts';
export * from './state.ts';
export { stepBalls } from './step.ts';
export { Table } from './table.ts';
