import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The least that a robot football bot can say, in every way that there is to say it: what is measured is the way. */

const ORDER = '"target_velocity_x":1.5,"target_velocity_y":0,"target_velocity_z":-20.25,"jump_speed":0,"use_nitro":false';
export const ACTION = { 1: JSON.parse(`{${ORDER}}`) as unknown, 2: JSON.parse(`{${ORDER}}`) as unknown };
const TEXT = `{"1":{${ORDER}},"2":{${ORDER}}}`;

export const SCRIPT = `export const createBot = () => ({ act: () => (${TEXT}) });`;

const NODE_LINES = `
process.stdout.write('{"type":"ready"}\\n');
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { type, tick } = JSON.parse(line);
  if (type === 'view') process.stdout.write('{"tick":' + tick + ',"action":${TEXT}}\\n');
});`;

const PYTHON_LINES = `
import json, sys
sys.stdout.write('{"type":"ready"}\\n')
sys.stdout.flush()
action = json.loads('${TEXT}')
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "view":
        sys.stdout.write(json.dumps({"tick": message["tick"], "action": action}) + "\\n")
        sys.stdout.flush()
`;

const PYTHON_FRAMES = `
import struct, sys
read, write, flush = sys.stdin.buffer.read, sys.stdout.buffer.write, sys.stdout.buffer.flush
sys.stdin.buffer.readline()
write(b'{"type":"ready","frames":"binary","action":${TEXT}}\\n')
flush()
answer = struct.pack("<I10d", 80, 1.5, 0, -20.25, 0, 0, 1.5, 0, -20.25, 0, 0)
while True:
    length = struct.unpack("<I", read(4))[0]
    if length == 0:
        break
    row = struct.unpack("<%dd" % (length // 8), read(length))
    write(answer)
    flush()
`;

const CPP_FRAMES = `
#include <cstdint>
#include <cstdio>
#include <vector>
int main() {
  for (int c = getchar(); c != EOF && c != '\\n';) c = getchar();
  std::puts("{\\"type\\":\\"ready\\",\\"frames\\":\\"binary\\",\\"action\\":${TEXT.replaceAll('"', '\\"')}}");
  std::fflush(stdout);
  std::vector<double> row;
  for (uint32_t length; std::fread(&length, 4, 1, stdin) == 1 && length > 0;) {
    row.resize(length / 8);
    if (std::fread(row.data(), 1, length, stdin) != length) break;
    double answer[10] = {1.5, 0, -20.25, 0, 0, 1.5, 0, -20.25, 0, 0};
    uint32_t size = sizeof answer;
    std::fwrite(&size, 4, 1, stdout);
    std::fwrite(answer, 1, size, stdout);
    std::fflush(stdout);
  }
}`;

const NODE_2018 = `
const [host, port, token] = process.argv.slice(2);
const socket = require('node:net').connect(Number(port), host, () => socket.write('json\\n' + token + '\\n'));
socket.setNoDelay(true);
let first = true;
require('node:readline').createInterface({ input: socket }).on('line', (line) => {
  if (first) first = false;
  else if (JSON.parse(line)) socket.write('${TEXT}|\\n<end>\\n');
});`;

/** Its arguments: where the library lies, and the address to call. */
const NODE_WEBSOCKET = `
const [library, url] = process.argv.slice(2);
import(library).then(({ WebSocket }) => {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  socket.on('error', () => process.exit(1));
  socket.on('close', () => process.exit(0));
  socket.on('message', (data) => {
    const { type, tick } = JSON.parse(data);
    if (type === 'briefing') socket.send('{"type":"ready"}');
    if (type === 'view') socket.send('{"tick":' + tick + ',"action":${TEXT}}');
  });
});`;

export interface Programs {
  readonly nodeLines: readonly string[];
  readonly node2018: readonly string[];
  readonly nodeWebSocket: readonly string[];
  /** null where this machine has no Python. */
  readonly pythonLines: readonly string[] | null;
  readonly pythonFrames: readonly string[] | null;
  /** null where this machine has no compiler. */
  readonly cppFrames: readonly string[] | null;
  /** The kit's bot; null where its compiler is not at hand. */
  readonly wasm: Uint8Array | null;
}

/** Commands, all of whose files are in the folder. */
export function writePrograms(folder: string): Programs {
  mkdirSync(folder, { recursive: true });
  const write = (name: string, text: string): string => {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  };
  const node = (name: string, text: string): string[] => [process.execPath, write(name, text)];
  const python = spawnSync('python3', ['--version']).status === 0;
  const program = join(folder, 'frames');
  const built = spawnSync('g++', ['-O2', '-o', program, write('frames.cpp', CPP_FRAMES)]).status === 0;
  return {
    nodeLines: node('lines.cjs', NODE_LINES),
    node2018: node('tcp.cjs', NODE_2018),
    nodeWebSocket: node('websocket.cjs', NODE_WEBSOCKET),
    pythonLines: python ? ['python3', write('lines.py', PYTHON_LINES)] : null,
    pythonFrames: python ? ['python3', write('frames.py', PYTHON_FRAMES)] : null,
    cppFrames: built ? [program] : null,
    wasm: wasmKit(join(folder, 'wasm')),
  };
}

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

function wasmKit(folder: string): Uint8Array | null {
  cpSync(join(ROOT, 'kits/wasm'), folder, { recursive: true });
  cpSync(join(folder, 'codeball.ts'), join(folder, 'bot.ts'));
  const { status } = spawnSync(join(ROOT, 'node_modules/.bin/asc'), ['lockstep.ts', '-o', 'bot.wasm', '-O'], { cwd: folder });
  return status === 0 ? readFileSync(join(folder, 'bot.wasm')) : null;
}
