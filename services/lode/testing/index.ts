export { follow, type Frame, type Stream } from './live.js';
export {
  answerOf,
  createClient,
  pathOf,
  problemIn,
  type Answer,
  type Ask,
  type Client,
  type Given,
} from './client.js';
export {
  confirmFunding,
  cookieIn,
  formOf,
  invitationIn,
  join,
  keyed,
  newPerson,
  PASSWORD,
  PDF,
  PNG,
  requestFunding,
  signIn,
  upload,
  type Person,
} from './people.js';
export {
  dataFolder,
  firstAdmin,
  printed,
  spawnProgram,
  startLode,
  startProgram,
  type Listening,
  type Lode,
  type Program,
} from './start.js';
