/** The events of a command that a stream has carried out: so many, from this revision on. */
export type ProcessedCommand = { readonly from: number; readonly count: number };

/**
 * The commands that a stream has carried out, by their ids. There is one for each command of a stream's life, so they are
 * packed: 24 bytes for one whose id is a UUID, and about 8 for finding it. Grows in place; `recordCommand` changes it.
 */
export type ProcessedCommands = {
  /** Six numbers each: four of the id, the first revision, the count. */
  records: Uint32Array;
  /** How many records there are. */
  count: number;
  /** A hash table of record numbers counted from 1, 0 being none; empty as long as the records are few. */
  slots: Uint32Array;
  /** Those whose id is no UUID in lower case. */
  others: Map<string, ProcessedCommand> | undefined;
};

/** Numbers of one record: the id takes the first four. */
const WORDS = 6;
const FROM = 4;
const COUNT = 5;
/** Records that are searched one by one. */
const SMALL = 8;
/** The table is at most so full, so that what is looked for is found after a few steps. */
const LOAD_MAX = 0.75;
/** The records grow by this: what is not used yet stays a small part. */
const GROWTH = 1.25;
const FIRST_RECORDS = 2;
/** What an entry of a Map takes beside the characters of its key. */
const OTHER_BYTES = 160;
/** The objects around the numbers. */
const OWN_BYTES = 250;

/** No command yet. */
export function noCommands(): ProcessedCommands {
  return { records: NONE, count: 0, slots: NONE, others: undefined };
}

const NONE = new Uint32Array(0);
/** The id that was read last, as four numbers: there is no list to make for each. */
const id = new Uint32Array(FROM);

/** What a stream remembers of a command; undefined when it has not carried it out. */
export function findCommand(commands: ProcessedCommands, commandId: string): ProcessedCommand | undefined {
  const { records } = commands;
  const number = readUuid(commandId) ? numberOf(commands) : 0;
  if (number === 0) return commands.others?.get(commandId);
  const at = (number - 1) * WORDS;
  return { from: records[at + FROM] ?? 0, count: records[at + COUNT] ?? 0 };
}

/** Remembers a command that is in the log, in place of what was remembered of it. Revisions have 32 bits. */
export function recordCommand(
  commands: ProcessedCommands,
  commandId: string,
  { from, count }: ProcessedCommand,
): void {
  if (!readUuid(commandId)) {
    commands.others ??= new Map();
    commands.others.set(commandId, { from, count });
    return;
  }
  const at = ((numberOf(commands) || append(commands)) - 1) * WORDS;
  commands.records[at + FROM] = from;
  commands.records[at + COUNT] = count;
}

/** Remembers that an event of this revision is of the command; a command's events follow one another. */
export function recordEvent(commands: ProcessedCommands, commandId: string, revision: number): void {
  const from = findCommand(commands, commandId)?.from ?? revision;
  recordCommand(commands, commandId, { from, count: revision - from + 1 });
}

/** Roughly how many bytes of memory they take. */
export function commandBytes({ records, slots, others }: ProcessedCommands): number {
  let bytes = OWN_BYTES + records.byteLength + slots.byteLength;
  if (others !== undefined) for (const key of others.keys()) bytes += OTHER_BYTES + 2 * key.length;
  return bytes;
}

/** The number of the record of `id`, counted from 1; 0 when there is none. */
function numberOf({ records, count, slots }: ProcessedCommands): number {
  if (slots.length === 0) {
    for (let number = 1; number <= count; number++) if (isAt(records, number)) return number;
    return 0;
  }
  const mask = slots.length - 1;
  for (let slot = hashOf(id, 0) & mask; ; slot = (slot + 1) & mask) {
    const number = slots[slot] ?? 0;
    if (number === 0 || isAt(records, number)) return number;
  }
}

function isAt(records: Uint32Array, number: number): boolean {
  const at = (number - 1) * WORDS;
  return (
    records[at] === id[0] &&
    records[at + 1] === id[1] &&
    records[at + 2] === id[2] &&
    records[at + 3] === id[3]
  );
}

/** Adds a record of `id` without its numbers, and gives its number. */
function append(commands: ProcessedCommands): number {
  const number = commands.count + 1;
  const at = commands.count * WORDS;
  if (at + WORDS > commands.records.length) {
    const length = Math.max(FIRST_RECORDS, Math.ceil(commands.count * GROWTH)) * WORDS;
    const grown = new Uint32Array(length);
    grown.set(commands.records);
    commands.records = grown;
  }
  commands.records.set(id, at);
  commands.count = number;
  if (number > SMALL && number > commands.slots.length * LOAD_MAX) fillSlots(commands);
  else if (commands.slots.length > 0) putSlot(commands, number);
  return number;
}

/** Makes the table anew, twice as large as it has to be. */
function fillSlots(commands: ProcessedCommands): void {
  let length = SMALL;
  while (commands.count > length * LOAD_MAX) length *= 2;
  commands.slots = new Uint32Array(length);
  for (let number = 1; number <= commands.count; number++) putSlot(commands, number);
}

function putSlot({ records, slots }: ProcessedCommands, number: number): void {
  const mask = slots.length - 1;
  let slot = hashOf(records, (number - 1) * WORDS) & mask;
  while (slots[slot] !== 0) slot = (slot + 1) & mask;
  slots[slot] = number;
}

/** All of an id counts: those of one maker may differ in a few places only. */
function hashOf(words: Uint32Array, at: number): number {
  let hash = words[at] ?? 0;
  for (let n = 1; n < FROM; n++) hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) ^ (words[at + n] ?? 0);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

const DASH = 45;
const UUID_LENGTH = 36;

/** Reads a UUID in lower case into `id`; false when the text is none, as every other text would be confused with one. */
function readUuid(text: string): boolean {
  if (text.length !== UUID_LENGTH) return false;
  let at = 0;
  for (let word = 0; word < FROM; word++) {
    let value = 0;
    for (let digit = 0; digit < 8; digit++) {
      if (at === 8 || at === 13 || at === 18 || at === 23) {
        if (text.charCodeAt(at) !== DASH) return false;
        at += 1;
      }
      const code = text.charCodeAt(at);
      at += 1;
      // 0 to 9, and a to f.
      if (code >= 48 && code <= 57) value = (value << 4) | (code - 48);
      else if (code >= 97 && code <= 102) value = (value << 4) | (code - 87);
      else return false;
    }
    id[word] = value;
  }
  return true;
}
