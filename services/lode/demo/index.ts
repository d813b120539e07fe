export { createMovedClock, type MovedClock } from './clock.js';
export { DEMO_DAYS, makeDemo, midnightBefore, type DemoPlace } from './make.js';
export { DEMO_ENVIRONMENT, DEMO_PASSWORD, DEMO_PIN, demoAdmin, demoCustomers, demoTeam } from './people.js';
