export type { ProjectorThread } from './messages.js';
export { createElsewhere, type Elsewhere } from './elsewhere.js';
export { createFollower, type FollowerOptions } from './follower.js';
export { placeOrder, takeOrders } from './orders.js';
export { createProjector, type Projector, type ProjectorOptions } from './projector.js';
export { reactionsOn, type Reactions } from './reactions.js';
export { untilReadable } from './readable.js';
export { serveProjector, type ProgramPort } from './serve.js';
export { startProjectorThread } from './start-thread.js';
