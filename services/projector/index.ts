export { startReactors, type Reactors, type ReactorsOptions } from './reactors.js';
export { startProjector, type Projector, type ProjectorOptions } from './start.js';
export { reactionsOn, type Reactions } from './reactions.js';
