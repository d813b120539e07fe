export { damagedBackup } from './restore.js';
export { MANIFEST } from './backup.js';
export { choreMemoryIn, type ChoreMemory } from './chore-memory.js';
export { opening, type Closing } from './closing.js';
export { roomOn, type Disk } from './disk.js';
export type {
  Engines,
  EnginesHandle,
  EngineSettings,
  HeadTolerance,
  JoinedEngines,
  LogReader,
  ModelsNotice,
  ShownSetting,
  Stores,
} from './engines.js';
export { openForCopy, type CopyEngines } from './copy.js';
export { explainFailure } from './failures.js';
export type { OpenUploads } from './files.js';
export type { FileSize, FolderState, Part } from './folder-state.js';
export type {
  BackupResult,
  ExclusiveEngines,
  FileReport,
  Inspection,
  Maintenance,
  Progress,
  Remembered,
  Turn,
} from './inspection.js';
export { headMismatch, HEAD_TOLERANCE, type HeadReport } from './heads.js';
export {
  openLooks,
  scrubMemoryIn,
  scrubParts,
  scrubStateIn,
  type Looks,
  type ScrubMemory,
} from './scrubbing.js';
export { joinEngines } from './join.js';
export type { LeftNote, LeftNotes, UnreadableNote } from './left-notes.js';
export { LINE_MAX, linesOf, type Line } from './lines.js';
export { openEngines } from './open.js';
export { JOBS, PROJECTOR, projectorOf, projectorSeats, REACTORS } from './turns.js';
