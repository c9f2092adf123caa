export * from './physics/index.ts';
