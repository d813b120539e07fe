export { pricesAsText, pricesInForce, rateAsText, settingsInForce } from './in-force.js';
