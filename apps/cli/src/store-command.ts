import { type LogStore, openLog } from '@lockstep/store';
import type { Command } from 'commander';
import { EXIT, leaveWith } from './exit.ts';
import { counted, grouped, say, sayJson } from './output.ts';

interface Options {
  readonly json?: boolean;
}

export function addStore(program: Command): void {
  const store = program
    .command('store')
    .summary("look after the folder of a saved world's log")
    .description("What is in a saved world's folder, whether all of it is sound, and a smaller file of the same world.")
    .addHelpText(
      'after',
      `
A world has one writer at a time: while a game has it open, these commands are refused.

Examples:
  $ lockstep store info saves/world            what is in it
  $ lockstep store check saves/world           every chunk read and compared with its CRC
  $ lockstep store compact saves/world         leave out what is no longer alive`,
    );
  store
    .command('info')
    .summary('what is in it')
    .description('Tells frames, chunks and bytes, and what a crash left. Nothing is changed.')
    .argument('<folder>', 'the folder of the world')
    .option('--json', 'one JSON object on stdout')
    .addHelpText('after', '\nExamples:\n  $ lockstep store info saves/world\n  $ lockstep store info saves/world --json | jq .chunks')
    .action(info);
  store
    .command('check')
    .summary('is every chunk sound?')
    .description('Reads every chunk and compares it with its CRC. Nothing is changed.')
    .argument('<folder>', 'the folder of the world')
    .option('--json', 'one JSON object on stdout')
    .addHelpText('after', '\nExit code 1 when something is damaged or lost.\n\nExamples:\n  $ lockstep store check saves/world')
    .action(check);
  store
    .command('compact')
    .summary('leave out what is no longer alive')
    .description(
      'Writes the world into a new file and removes the old one. It may be interrupted at any moment. Damaged chunks are kept as they are.',
    )
    .argument('<folder>', 'the folder of the world')
    .option('--json', 'one JSON object on stdout')
    .addHelpText('after', '\nExamples:\n  $ lockstep store compact saves/world')
    .action(compact);
}

async function info(folder: string, { json }: Options): Promise<void> {
  await withLog(folder, true, async (log) => {
    const head = await log.readHead();
    const { file, alive, name, generation } = log.size;
    const facts = { folder, name, generation, frame: head?.frame ?? null, chunks: log.chunkCount, bytes: file, alive };
    if (json) return sayJson({ kind: 'store', ...facts, head: head?.head.length ?? 0, repairs: log.repairs });
    say(`${name}: ${head === null ? 'no frame yet' : `frame ${head.frame}`}, ${counted(log.chunkCount, 'chunk')}`);
    say(`${grouped(file)} bytes, ${grouped(alive)} of them chunks that are alive; ${counted(generation - 1, 'compaction')} so far`);
    tellRepairs(log);
  });
}

async function check(folder: string, { json }: Options): Promise<void> {
  await withLog(folder, true, async (log) => {
    const damaged: { x: number; y: number; z: number; why: string }[] = [];
    for await (const records of log.readAll())
      for (const { x, y, z, damage } of records) if (damage !== undefined) damaged.push({ x, y, z, why: damage });
    const { lost, isHeaderDamaged } = log.repairs;
    const isSound = damaged.length === 0 && lost.length === 0 && !isHeaderDamaged;
    if (!isSound) leaveWith(EXIT.failed);
    if (json) return sayJson({ kind: 'check', folder, sound: isSound, chunks: log.chunkCount, damaged, repairs: log.repairs });
    tellRepairs(log);
    for (const { x, y, z, why } of damaged) say(`chunk ${x},${y},${z}: damaged, ${why}`);
    say(`${counted(log.chunkCount, 'chunk')}, ${damaged.length === 0 ? 'all sound' : `${grouped(damaged.length)} damaged`}`);
  });
}

async function compact(folder: string, { json }: Options): Promise<void> {
  await withLog(folder, false, async (log) => {
    const before = log.size.file;
    await log.compact();
    const after = log.size.file;
    if (json) return sayJson({ kind: 'compact', folder, before, after, repairs: log.repairs });
    tellRepairs(log);
    say(`${grouped(before)} bytes before, ${grouped(after)} after`);
  });
}

/** What a crash or a bad disk left of the file itself. */
function tellRepairs({ repairs: { cut, lost, isHeaderDamaged } }: LogStore): void {
  if (isHeaderDamaged) say('the header of the file is damaged; the frames behind it were found');
  for (const { at, bytes, frames } of lost) {
    const what = frames === null ? 'an unknown number of frames' : counted(frames, 'frame');
    say(`${what} lost: ${grouped(bytes)} bytes at ${at}; chunks that may be out of date count as damaged`);
  }
  if (cut !== null)
    say(`the last ${counted(cut.bytes, 'byte')}, from ${cut.at} on, are no whole frame: an unfinished write, or damage to the last one`);
}

/** A folder that is not there is not made. */
async function withLog(folder: string, isReadOnly: boolean, use: (log: LogStore) => Promise<void>): Promise<void> {
  const log = await openLog(folder, { isReadOnly, mustExist: true, compactAt: Infinity });
  try {
    await use(log);
  } finally {
    await log.close();
  }
}
