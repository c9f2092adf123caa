export { flatten, unflatten } from './flat.ts';
export { type Layout, layoutLines, layoutOf, merged } from './layout.ts';
export { headOf, PROTOCOL } from './head.ts';
export { type ScriptEngine, startScript } from './script.ts';
export { prepareWasm, startWasm, type WasmOptions, type WasmProgram } from './wasm/bot.ts';
