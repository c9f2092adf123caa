export { builtInSha256 } from './built-in.ts';
export { findManifest, type Kind, KINDS, type Manifest, parseToml, readManifest, wordsOf } from './manifest.ts';
export { type BotOptions, startProcess } from './process-bot.ts';
export { type BotAddress, build, commandOf, findBot, sha256Of } from './reach.ts';
export { scriptEngine } from './script-engine.ts';
export { type Caller, startTcp2018, WORLD_OF_2018 } from './tcp2018.ts';
export { floatText, gameText, logText, numberOf2018, parseWire, rulesText } from './wire2018.ts';
export { findSandbox, type Launch, onPath, type Sandbox, type SandboxKind } from './sandbox.ts';
export {
  flatten,
  layoutLines,
  layoutOf,
  merged,
  prepareWasm,
  PROTOCOL,
  type ScriptEngine,
  startScript,
  startWasm,
  unflatten,
  type WasmProgram,
} from './portable/index.ts';
export { startWebSocket, webSocketPlace, type WebSocketPlace } from './websocket.ts';
