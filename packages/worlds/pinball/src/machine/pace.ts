/** [PB-M2] A tick is four physics steps of one millisecond. */
export const TICKS_PER_SECOND = 250;
export const STEPS_PER_TICK = 4;
export const STEP_SECONDS = 0.001;

export const ticksOf = (seconds: number): number => Math.ceil(seconds * TICKS_PER_SECOND);
