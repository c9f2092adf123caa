import { InputError } from '@lockstep/kernel';
import type { Command } from 'commander';
import { reasonOf } from './files.ts';
import { wholeFlag } from './flags.ts';
import { remark, say } from './output.ts';

const PORT = 8055;

export function addStudio(program: Command): void {
  program
    .command('studio')
    .summary('watch matches in the browser')
    .description('Serves the studio: live matches and replays in the browser.')
    .option('--port <n>', 'port to listen on; without this another one is taken when the usual one is in use', String(PORT))
    .option('--host <address>', 'address to listen on; others than the default let the network in', '127.0.0.1')
    .option('--runs <folder>', 'folder of the runs that the league page shows', 'runs')
    .addHelpText(
      'after',
      `
Everything runs in the page: nothing is sent anywhere. Ctrl+C ends the server.

Examples:
  $ lockstep studio
  $ lockstep studio --port 9000
  $ lockstep studio --runs runs              then /league.html shows tests, cups and ladders, live
  $ lockstep studio --port 0                 any free port; the address is told`,
    )
    .action(studio);
}

async function studio(options: { readonly port: string; readonly host: string; readonly runs: string }, command: Command): Promise<void> {
  const port = wholeFlag(options.port, 'port', 0, 65535);
  if (options.host === '') throw new InputError('host', 'an address, e.g. 127.0.0.1', options.host); // Node would listen to everybody
  const chosen = command.getOptionValueSource('port') === 'cli';
  const server = await serveOn(port, options, !chosen);
  say(`studio: ${server.url}`);
  remark('Ctrl+C ends it');
  const end = (): void => void server.close().then(() => process.exit(0));
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
}

/** The usual port, or a free one; a port that was asked for is taken or nothing is. */
async function serveOn(port: number, { host, runs }: { readonly host: string; readonly runs: string }, orFree: boolean) {
  const { serveStudio } = await import('./serve.ts'); // only this command needs a server
  try {
    return await serveStudio({ port, host, runs });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EADDRINUSE' && orFree) {
      remark(`port ${port} is in use, perhaps by another studio, so a free one is taken; --port asks for one of your choice`);
      return serveStudio({ port: 0, host, runs });
    }
    if (code === undefined) throw error;
    throw new InputError('studio', `an address to listen on (${host}, port ${port})`, reasonOf(error));
  }
}
