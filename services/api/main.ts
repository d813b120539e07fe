import { launch } from '../lode/launch.js';

/* HTTP, as a program of its own on servers: as many of it as are wanted. */
await launch('api');
