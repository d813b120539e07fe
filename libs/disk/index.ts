export { isFull } from './errors.js';
export { sync, syncAtOnce } from './sync.js';
