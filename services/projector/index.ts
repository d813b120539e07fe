export type { ProjectorThread } from './messages.js';
export { ProjectorModule } from './module.js';
export { createProjector, type Projector, type ProjectorOptions } from './projector.js';
export { reactionsOn, type Reactions } from './reactions.js';
export { untilReadable } from './readable.js';
export { serveProjector } from './serve.js';
export { startProjectorThread } from './start-thread.js';
