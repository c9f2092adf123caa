import { spawnSync } from 'node:child_process';
import { accessSync, closeSync, constants, existsSync, lstatSync, openSync, readlinkSync, readSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, delimiter, dirname, isAbsolute, join, resolve, sep } from 'node:path';

/** What is to be started, and what of the disk it has to see. */
export interface Launch {
  readonly command: readonly string[];
  /** Where it is started. */
  readonly folder: string;
  /** Files and folders of the bot; it may read them. The system and its language's tools are found by themselves. */
  readonly reads: readonly string[];
  /** It has to connect to us. */
  readonly network: boolean;
}

export type SandboxKind = 'bwrap' | 'unshare';

/** How bots of this machine are kept apart, and if they cannot be, why. */
export interface Sandbox {
  readonly kind: SandboxKind | null;
  /** One line. */
  readonly says: string;
}

/** What programs need of the system, and nothing of the users': all of it can only be read. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/opt'];
const ETC =
  'ld.so.cache ld.so.conf ld.so.conf.d alternatives ssl ca-certificates localtime passwd group nsswitch.conf java-17-openjdk java-11-openjdk java-21-openjdk python3 mono fonts'
    .split(' ')
    .map((name) => `/etc/${name}`);
const DEVICES = ['null', 'zero', 'full', 'random', 'urandom'].map((name) => `/dev/${name}`);
/** A private place to write to. It is memory, so it is small. */
const TMP_BYTES = 16 * 1024 * 1024;

let found: Sandbox | null = null;

/** Tried once, by starting something in it. */
export function findSandbox(): Sandbox {
  found ??= tryAll();
  return found;
}

function tryAll(): Sandbox {
  if (process.platform !== 'linux') return { kind: null, says: `no sandbox on ${process.platform}` };
  const why: string[] = [];
  for (const kind of ['bwrap', 'unshare'] as const) {
    if (onPath(kind) === null) {
      why.push(`${kind} is not installed`);
      continue;
    }
    const [program, ...args] = sandboxed({ command: ['true'], folder: '/usr', reads: [], network: false }, kind);
    const { status, stderr, error } = spawnSync(program!, args, { encoding: 'utf8', timeout: 10_000, stdio: ['ignore', 'ignore', 'pipe'] });
    if (status === 0) return { kind, says: kind === 'bwrap' ? 'bubblewrap' : 'namespaces (unshare)' };
    why.push(`${kind}: ${(error?.message ?? stderr).trim().split('\n').at(-1) ?? ''}`.slice(0, 150));
  }
  return { kind: null, says: `no sandbox here (${why.join('; ')})` };
}

/** The command that starts the launch in a sandbox: no network, the system read-only, a tmp of its own, nothing else of the disk. */
export function sandboxed(launch: Launch, kind: SandboxKind): string[] {
  const seen = [...new Set([...toolchains(launch.command), ...launch.reads].map((path) => resolve(path)))].filter(existsSync);
  return kind === 'bwrap' ? bubblewrap(launch, seen) : namespaces(launch, seen);
}

function bubblewrap({ command, folder, network }: Launch, seen: readonly string[]): string[] {
  const apart = `bwrap --unshare-all ${network ? '--share-net ' : ''}--die-with-parent --new-session --cap-drop ALL`.split(' ');
  const system = [...SYSTEM, ...ETC].flatMap((path) => ['--ro-bind-try', path, path]);
  const own = `--proc /proc --remount-ro /proc --dev /dev --size ${TMP_BYTES} --tmpfs /tmp --dir`.split(' ');
  const shown = seen.flatMap((path) => ['--ro-bind', path, path]);
  return [
    ...apart,
    ...system,
    ...own,
    folder,
    ...shown,
    '--remount-ro',
    '/',
    '--chdir',
    folder,
    '--',
    'sh',
    '-c',
    `${FEW_PROCESSES}; exec "$@"`,
    'sh',
    ...command,
  ];
}

/**
 * The same by hand, where there is no bubblewrap: a new root is built on /sys, which no bot needs, from read-only pieces of the old one, and
 * the old one is let go. Rights over the new namespaces are dropped before the bot is started; a shell stays as the first process, because
 * signals of a first process to itself do nothing.
 */
function namespaces({ command, folder, network }: Launch, seen: readonly string[]): string[] {
  const unshare = `unshare --user --map-root-user --mount --pid --ipc --uts ${network ? '' : '--net '}--fork --kill-child --propagation private`;
  return [...unshare.split(' '), '--', 'sh', '-c', rootScript(folder, seen), 'sh', ...command];
}

/** And threads. The one or the other word, by the shell; the system's own root is not bound by it, so that there is a watch as well. */
const FEW_PROCESSES = 'ulimit -u 512 2>/dev/null || ulimit -p 512 2>/dev/null';
const NEW_ROOT = '/sys';

/** One `mount` for all the pieces: every process that is started costs a millisecond or two. */
function rootScript(folder: string, seen: readonly string[]): string {
  const all = [...SYSTEM, ...ETC, ...DEVICES, ...seen].filter(existsSync);
  const links = SYSTEM.filter((path) => existsSync(path) && lstatSync(path).isSymbolicLink());
  const pieces = all.filter((path) => !links.includes(path));
  const folders = pieces.filter((path) => statSync(path).isDirectory());
  const files = pieces.filter((path) => !folders.includes(path));
  const at = (path: string): string => NEW_ROOT + path;
  const tmpfs = `tmpfs size=${TMP_BYTES},mode=1777,nosuid,nodev`;
  const bind = (path: string): string =>
    `${escaped(path)} ${escaped(at(path))} none bind,${DEVICES.includes(path) ? 'rw' : 'ro,nodev'},nosuid`;
  const table = [
    // its switches obey the system's root without asking for a right, and we may be he
    `proc ${at('/proc')} proc ro,nosuid,nodev,noexec`,
    ...['/tmp', '/dev/shm'].map((path) => `none ${at(path)} ${tmpfs}`),
    ...pieces.map(bind),
  ];
  const [early, late] = [table.filter((line) => !inTmp(line)), table.filter(inTmp)];
  const makeAll = (some: (path: string) => boolean): string[] => [
    `mkdir -p ${['/proc', '/tmp', '/old', '/dev/shm', folder, ...folders, ...files.map(dirname)].filter(some).map(at).map(quoted).join(' ')}`,
    ...files.filter(some).map((path) => `[ -e ${quoted(at(path))} ] || : > ${quoted(at(path))}`),
  ];
  return [
    'set -e',
    // of its own and of those below: with a user namespace of its own it would have rights again, if only over itself
    'echo 0 2>/dev/null > /proc/sys/user/max_user_namespaces || :',
    `mount -t tmpfs -o size=${TMP_BYTES},mode=755 none ${NEW_ROOT}`,
    ...makeAll((path) => !path.startsWith('/tmp/')),
    ...linkAll(links),
    `ln -s /proc/self/fd ${at('/dev/fd')}`,
    mountAll(early),
    ...(late.length > 0 || folder.startsWith('/tmp/') ? makeAll((path) => path.startsWith('/tmp/')) : []),
    ...(late.length > 0 ? [mountAll(late)] : []),
    `cd ${NEW_ROOT}`,
    'pivot_root . old',
    'cd /',
    'umount -l /old',
    'rmdir /old',
    'mount -o remount,bind,ro /',
    `cd ${quoted(folder)}`,
    `exec setpriv --no-new-privs --inh-caps=-all --bounding-set=-all -- sh -c '${FEW_PROCESSES}; "$@"; exit $?' sh "$@"`,
  ].join('\n');
}

/** A piece below /tmp comes after /tmp itself. */
const inTmp = (line: string): boolean => line.includes(` ${NEW_ROOT}/tmp/`);
const mountAll = (lines: readonly string[]): string =>
  `printf '%s\\n' ${lines.map(quoted).join(' ')} > ${NEW_ROOT}/old/table && mount -a -T ${NEW_ROOT}/old/table && rm ${NEW_ROOT}/old/table`;
/** Links that are named like what they lead to, as usr/bin is, are made by one `ln`. */
function linkAll(links: readonly string[]): string[] {
  const plain = links.filter((path) => basename(readlinkSync(path)) === basename(path));
  const rest = links.filter((path) => !plain.includes(path)).map((path) => `ln -s ${quoted(readlinkSync(path))} ${NEW_ROOT}${path}`);
  return plain.length === 0 ? rest : [`ln -s ${plain.map((path) => quoted(readlinkSync(path))).join(' ')} ${NEW_ROOT}/`, ...rest];
}
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
/** As tables of mounts write it. */
const escaped = (path: string): string => path.replaceAll(/[\s\\#]/g, (c) => `\\${c.charCodeAt(0).toString(8).padStart(3, '0')}`);

/** Where a program of a language lives, if that is not the system: its installation may be read. Of one that is named by its path, only the file. */
function toolchains(command: readonly string[]): string[] {
  const name = command[0]!;
  const program = onPath(name);
  if (program === null) return [];
  const isFile = name.includes('/');
  const tools = [...(isFile ? [] : [program]), ...shebangOf(program).flatMap((word) => onPath(word) ?? [])];
  return [...(isFile ? [program] : []), ...tools.flatMap((file) => [homeOf(file), homeOf(realpathSync(file))])].filter(outside);
}

function homeOf(file: string): string {
  const folder = dirname(file);
  const installation = dirname(folder);
  return /^(bin|shims)$/.test(folder.split(sep).at(-1)!) && !isAncestor(installation, homedir()) ? installation : file;
}

const isAncestor = (folder: string, of: string): boolean => of === folder || of.startsWith(folder.endsWith(sep) ? folder : folder + sep);
const outside = (path: string): boolean => !SYSTEM.some((folder) => isAncestor(folder, path));

/** The words of a script's first line, if it has one that names its interpreter. */
function shebangOf(file: string): string[] {
  if (!statSync(file).isFile()) return [];
  const descriptor = openSync(file, 'r');
  const start = Buffer.alloc(200);
  readSync(descriptor, start);
  closeSync(descriptor);
  const line = /^#!\s*([^\n]*)/.exec(start.toString('latin1'))?.[1] ?? '';
  return line.split(/\s+/).filter((word) => word !== '' && !word.startsWith('-'));
}

/** A program by its name or path; null where there is none. */
export function onPath(name: string): string | null {
  const places = name.includes('/') || isAbsolute(name) ? [''] : (process.env['PATH'] ?? '').split(delimiter);
  for (const place of places) {
    const file = resolve(join(place, name));
    try {
      accessSync(file, constants.X_OK);
      if (statSync(file).isFile()) return file;
    } catch {
      // the next place
    }
  }
  return null;
}
