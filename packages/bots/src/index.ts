export { flatten, unflatten } from './flat.ts';
export { findManifest, type Kind, KINDS, type Manifest, parseToml, readManifest, wordsOf } from './manifest.ts';
export { type ProcessOptions, PROTOCOL, startProcess } from './process-bot.ts';
export { type BotAddress, build, commandOf, findBot, sha256Of } from './reach.ts';
export { findSandbox, type Launch, onPath, type Sandbox, type SandboxKind } from './sandbox.ts';
