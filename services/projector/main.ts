import { launch } from '../lode/launch.js';

/* Projections and reactors, as a program of its own on servers: one of those that run has the lease, the others stand by. */
await launch('projector');
