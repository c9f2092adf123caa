import { type LogOptions, LogStore } from '../log/log-store.ts';
import { Folder } from './folder.ts';

/** Opens the world in a folder; a new one where there is none, unless it must exist. */
export async function openLog(path: string, options: LogOptions = {}): Promise<LogStore> {
  return LogStore.open(await Folder.at(path, options.mustExist), options);
}
