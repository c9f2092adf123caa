export { IndexedDbStore } from './indexed-db.ts';
