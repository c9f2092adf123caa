export { type Server, startServer, whyNoServer } from './local-server.ts';
export { type Lease, type LeaseOptions, LeasedStore, PostgresWorld } from './world.ts';
export { SharedSave } from './shared-save.ts';
