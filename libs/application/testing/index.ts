export { accountDocument } from './documents.js';
export { noModels } from './no-models.js';
export { admin, callerOf, contextOf, createWorld, customer, NOW, personalContextOf } from './world.js';
export {
  CHANGE_WAIT_MS,
  CLIENT,
  erase,
  inviteAdmin,
  inviteFirstAdmin,
  openAccessWorld,
  register,
  registered,
  signIn,
  somebody,
  type AccessWorld,
} from './access-world.js';
