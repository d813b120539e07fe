export { createBellListeners, type BellListeners } from './listeners.js';
export { bellLimits, rings, type Bell, type Ring } from './port.js';
export { seldom } from './seldom.js';
