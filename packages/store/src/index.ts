export { type Box, isInside } from './ranges.ts';
