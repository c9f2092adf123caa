export { flatten, unflatten } from './flat.ts';
export { type ScriptEngine, startScript } from './script.ts';
