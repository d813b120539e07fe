import { launch } from '../lode/launch.js';

/* Jobs, as a program of its own on servers: each run is taken by one of those that run. */
await launch('worker');
