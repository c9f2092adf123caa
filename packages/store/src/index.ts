export { LogStore, type LogOptions } from './log/log-store.ts';
export type { Disk, DiskFile } from './log/disk.ts';
export type { Repairs } from './log/recover.ts';
export { openLog } from './node/open-log.ts';
export { type Box, EVERYWHERE, isInside } from './ranges.ts';
