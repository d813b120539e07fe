export { budgets, documentsOf, dump, isSettled, quick, settled, started, type Started } from './harness.js';
export { at, atByteOffsets, happened, memoryLog, recorded, type MemoryLog } from './log.js';
export { noted, notes, textOf, type NotesDocument } from './notes.js';
export { logOf, modelsBeingBuilt, worldOf, type World } from './world.js';
export { EVERY, EVERY_OF_FEW, firstWrite, WRITES_MAX } from './writes.js';
export { decryptForTests, histories, type History } from './wallet.js';
