export { createLooker, type Looker } from './looker.js';
