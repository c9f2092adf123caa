export { RegionThreads } from './region-threads.ts';
export { serve } from './serve.ts';
export { sharedMemory } from './shared-memory.ts';
export type { Answer, Order, StartThread, Thread } from './words.ts';
