import { launch } from './launch.js';

/* All of Lode in one process: on its embedded engines, on servers, or on some of each. */
await launch();
