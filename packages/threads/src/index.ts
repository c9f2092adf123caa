export { startNodeThread } from './node-thread.ts';
export { RegionThreads, sharedMemory, type StartThread, type Thread } from './portable/index.ts';
