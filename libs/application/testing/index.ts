export { admin, contextOf, createWorld, customer, NOW, personalContextOf } from './world.js';
