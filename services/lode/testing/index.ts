export { TIME_OF_DAY_ALONE } from './time-of-day.js';
export { canSetClocks, createSetClock, OF_LONG_AGO, passTime, type SetClock } from './clock.js';
export { beginsCycle, writeAccount } from './accounts.js';
export {
  compose,
  makeSecrets,
  ROOT,
  secrets,
  serviceNamed,
  services,
  startService,
  textOf,
  volumes,
} from './compose-file.js';
export { deploymentOf, documents, manifests, settingsMap } from './manifests.js';
export { between, checkLogIn, inspect, openIdentityOf } from './folder.js';
export { notOn, placesOf, repeatable, serversOf, standOn, tellsPositions, testedOn } from './mix.js';
export { startServers, serverNames, type Server, type ServerName, type Servers } from './servers.js';
export { activeBuild, buildsIn, has, untilFolded, untilHolder } from './lanes.js';
export { filesBelow, type Kept } from './kept.js';
export { lastEvent, writtenSince } from './log-end.js';
export { watchLeases, type LeaseWatch } from './leases.js';
export { AILING_DISK, findingsIn, type Finding } from './doctor.js';
export { MAIL_FROM, mailThrough } from './mail.js';
export { memoryOf } from './memory.js';
export { startCollector, type Collected, type Collector } from './collector.js';
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
  apiOf,
  confirmFunding,
  cookieIn,
  createProduct,
  formOf,
  invitationIn,
  join,
  keyed,
  newPerson,
  newProduct,
  PASSWORD,
  PDF,
  PNG,
  requestFunding,
  signIn,
  upload,
  type Person,
} from './people.js';
export { seconded } from './second.js';
export { challengeFor, enrol, joinEnrolled, totpOf, type Enrolled } from './second-factors.js';
export {
  credit,
  PIN,
  requestTransfer,
  requestWithdrawal,
  saveWalletAddress,
  setPin,
  transferTo,
  WALLET_ADDRESS,
} from './requests.js';
export {
  dataFolder,
  dataFolders,
  firstAdmin,
  killAll,
  printed,
  spawnProgram,
  startLode,
  startProgram,
  type Listening,
  type Lode,
  type Program,
} from './start.js';
export {
  checkBooks,
  checkRepeated,
  checkSent,
  checkShown,
  finished,
  openAccount,
  untilKept,
} from './books.js';
export {
  codeOf,
  createWork,
  customersAtWork,
  drawnFrom,
  eventsOfRoute,
  IDLE,
  isDone,
  SEED,
  type Customer,
  type Work,
} from './work.js';
export { backUp, flipBit, uploadedIn } from './backups.js';
export { killAfterChanges } from './cut-off.js';
export { idleCustomers } from './idle.js';
export { spreadOver } from './spread.js';
export { checkNothingLost, createCluster, killInTurn, type Cluster, type Load } from './cluster.js';
export { QUIET_LOG, quietApi, quietSettings } from './quiet.js';
export { commandsIn, pageOf, runInShell } from './guide.js';
export {
  lode,
  lodeWith,
  spawnLode,
  spawnLodeWith,
  tell,
  tellWith,
  type Ran,
  type RunWith,
  type Told,
} from './command.js';
export { deploymentOn, type Deployment } from './deployment.js';
export { canBeOrdinary, ordinaryUser, ownedByOrdinary } from './rights.js';
export { parkAllButOne } from './parked.js';
export { usedFolder, type Used } from './used.js';
export {
  fillFromRecorded,
  recorded,
  recordedLog,
  soonAfterRecording,
  type RecordedRequest,
} from './recorded/recorded.js';
export {
  canRecord,
  checkCommands,
  checkContract,
  checkFiles,
  checkGuests,
  checkInvitations,
  checkSame,
  createOthers,
  createRecorder,
  losePower,
  OPTIONS,
  playRound,
  turns,
  type Loss,
  type Recorder,
  type RoundParts,
  type Turn,
} from './power-loss/index.js';
