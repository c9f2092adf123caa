export * from './contract.ts';
export * from './describe-world.ts';
export * from './fuzz.ts';
export * from './golden.ts';
export * from './scripted.ts';
