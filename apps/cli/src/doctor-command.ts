import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { findSandbox, onPath } from '@lockstep/bots';
import type { Command } from 'commander';
import { grouped, say, sayJson, table } from './output.ts';

interface Finding {
  readonly what: string;
  readonly found: boolean;
  readonly says: string;
}

export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .summary('what this machine offers for bots')
    .description('Shows what this machine offers for bots: sandbox, measuring of time and memory, languages.')
    .option('--json', 'one JSON object on stdout')
    .addHelpText('after', '\nExamples:\n  $ lockstep doctor')
    .action(({ json }: { json?: boolean }) => {
      const findings = [...machine(), ...keeping(), ...languages()];
      if (json) return sayJson({ kind: 'doctor', findings });
      say(table(['', 'found', ''], findings.map(({ what, found, says }) => [what, found ? 'yes' : 'no', says]))); // prettier-ignore
    });
}

function machine(): Finding[] {
  const says = `Node ${process.version}, ${process.platform} ${process.arch}, ${cpus().length} processors, ${grouped(totalmem() / 1024 / 1024)} MB`;
  return [{ what: 'this machine', found: true, says }];
}

function keeping(): Finding[] {
  const { kind, says } = findSandbox();
  const linux = existsSync('/proc/self/schedstat');
  const group = ['/sys/fs/cgroup/memory', '/sys/fs/cgroup'].find(isWritable);
  return [
    { what: 'sandbox for programs', found: kind !== null, says },
    { what: 'time and memory of programs', found: linux, says: linux ? 'from /proc: waiting for a processor is not charged' : 'wall time only, memory is not watched' }, // prettier-ignore
    { what: 'hard limits', found: onPath('sh') !== null, says: 'ulimit: data segment, core files' },
    { what: 'control groups', found: group !== undefined, says: group === undefined ? 'not writable' : `${group} (not used)` },
    { what: 'WebAssembly', found: true, says: 'instructions counted, memory limited; the same on every machine; built by AssemblyScript' },
    { what: 'scripts (QuickJS)', found: true, says: 'steps counted, no clock, no network; the same on every machine' },
  ];
}

const LANGUAGES: readonly [what: string, program: string, args: string][] = [
  ['JavaScript', 'node', '--version'],
  ['Python', 'python3', '--version'],
  ['C++', 'g++', '--version'],
  ['Java', 'java', '-version'],
  ['Rust', 'rustc', '--version'],
  ['Go', 'go', 'version'],
];

function languages(): Finding[] {
  return LANGUAGES.map(([what, program, args]) => {
    const { status, stdout, stderr } = spawnSync(program, [args], { encoding: 'utf8', timeout: 10_000 });
    const [first = ''] = `${stdout ?? ''}${stderr ?? ''}`.split('\n');
    return { what, found: status === 0, says: status === 0 ? first : `no ${program} on the path` };
  });
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
