export * from './bot.ts';
export * from './entry.ts';
export * from './errors.ts';
export * from './fields.ts';
export * from './scene.ts';
export * from './seed.ts';
export * from './world.ts';
