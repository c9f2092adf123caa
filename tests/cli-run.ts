import { execFile, type ExecFileOptions } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';

export const BIN = fileURLToPath(new URL('../apps/cli/bin/lockstep.mjs', import.meta.url));

interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A folder that goes when the tests have run, and the built command line in it. */
export function workshop() {
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-cli-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function run(command: string, args: readonly string[]): Promise<Run> {
    const options: ExecFileOptions = { cwd: folder, maxBuffer: 1e8 };
    return new Promise((resolve) => {
      execFile(command, args, options, (error, out, err) => {
        resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : -1, out: String(out), err: String(err) });
      });
    });
  }

  /** A module in the folder, by its path. */
  function module(name: string, source: string): string {
    const file = join(folder, `${name}.mjs`);
    writeFileSync(file, source);
    return file;
  }

  return {
    folder,
    lockstep: (...args: string[]) => run(process.execPath, [BIN, ...args]),
    /** With redirections and pipes; `lockstep` is the command. */
    shell: (line: string) => run('sh', ['-c', `lockstep() { ${process.execPath} ${BIN} "$@"; }; ${line}`]),
    module,
    /** A CodeBall bot whose robots stand still, with something done about it in every tick. */
    bot: (name: string, body: string) =>
      module(
        name,
        `export function createBot(rules, seat) {
          const still = () => ({ target_velocity_x: 0, target_velocity_y: 0, target_velocity_z: 0, jump_speed: 0, use_nitro: false });
          return { act(view) {
            const orders = {};
            for (const robot of view.robots) if (robot.is_teammate) orders[robot.id] = still();
            ${body}
            return orders;
          } };
        }`,
      ),
  };
}

export const jsonLines = (text: string): Record<string, unknown>[] =>
  text.trimEnd().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>); // prettier-ignore
