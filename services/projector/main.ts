import { launch } from '../lode/launch.js';

/* Projections and reactors, as a program of its own on servers: those that run share the lanes, and one of them has the reactors. */
await launch('projector');
