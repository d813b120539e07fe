export { access, type AccessFollowUp } from './access.js';
export { reactors, type ReactorCommands, type ReactorName } from './all.js';
export { changes, makingOf, type ChangeFollowUp } from './changes.js';
export type {
  Checkpoints,
  ParkedEvent,
  ReactorProgress,
  ReactorState,
  StoredReactor,
} from './checkpoints.js';
export { erasure, type ErasureFollowUp } from './erasure.js';
export {
  followUpsOf,
  type EventPlace,
  type FollowUp,
  type FollowUps,
  type FollowUpsRead,
} from './follow-ups.js';
export { mail, type MailFollowUp, type OwnersFollowUp } from './mail.js';
export { reactorLimits, type ReactorLimits } from './limits.js';
export { contextFor, type Reactor, type ReactorCommand } from './reactor.js';
export {
  createReactorRunner,
  type ReactorHealth,
  type ReactorReport,
  type ReactorRunner,
  type ReactorRunnerOptions,
} from './runner.js';
export { transfers, type TransferStep } from './transfers.js';
export { watchLog } from './watch.js';
