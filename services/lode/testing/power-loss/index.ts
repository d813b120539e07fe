export { checkCommands, checkFiles, checkGuests, checkInvitations, checkSame } from './checks.js';
export { checkContract } from './contract.js';
export { createOthers, type Others } from './others.js';
export { canRecord, createRecorder, type Recorder } from './program.js';
export { losePower, type Lost } from './records.js';
export { OPTIONS, playRound, turns, type Loss, type RoundParts, type Turn } from './rounds.js';
