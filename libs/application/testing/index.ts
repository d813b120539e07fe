export { accountDocument } from './documents.js';
export { noModels } from './no-models.js';
export { admin, contextOf, createWorld, customer, NOW, personalContextOf } from './world.js';
export {
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
