export { budgets, documentsOf, dump, quick, settled, started, until, type Started } from './harness.js';
export { at, atByteOffsets, memoryLog, recorded, type MemoryLog } from './log.js';
export { noted, notes, type NotesDocument } from './notes.js';
export { decryptForTests, histories, type History } from './wallet.js';
