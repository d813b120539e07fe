import { sha256 } from './chain.js';

/** The two parts of a stream's name: what kind of stream it is, and what it is about; nothing for the only one of its kind. */
export function partsOf(stream: string): { readonly kind: string; readonly subject: string } {
  const at = stream.indexOf('-');
  return at < 0
    ? { kind: stream, subject: '' }
    : { kind: stream.slice(0, at), subject: stream.slice(at + 1) };
}

/** How many partitions there are, wherever streams are parted at all. */
export const PARTITIONS = 1_024;
/** Bits that three hexadecimal digits have beyond those of a partition. */
const SPARE_BITS = 2;

/**
 * The partition of all streams that are about a subject, from 0: the first 10 bits of its SHA-256. It is storage, and never
 * changes: documents and checkpoints are where it says.
 */
export function partitionOf(subject: string): number {
  return Number.parseInt(sha256(subject).slice(0, 3), 16) >> SPARE_BITS;
}

/** Some of the lanes, each a range of partitions as long as the others: those that one program folds, of all there are. */
export type Lanes = {
  /** How many there are: 1, or another power of two up to `PARTITIONS`. */
  readonly of: number;
  /** Which of them, rising. */
  readonly own: readonly number[];
};

/** All lanes where streams are not parted. */
export const oneLane: Lanes = { of: 1, own: [0] };

/** The lane of a stream, from 0. */
export function laneOf(stream: string, of: number): number {
  return of === 1 ? 0 : Math.floor((partitionOf(partsOf(stream).subject) * of) / PARTITIONS);
}

/** All of so many lanes. */
export function allLanes(of: number): Lanes {
  return { of, own: Array.from({ length: of }, (_, lane) => lane) };
}

/** Whether the first lane is among them: whoever has it does what is done once for all. */
export function hasFirstLane({ own }: Lanes): boolean {
  return own.includes(0);
}

/** Whether they are all that there are, so that nobody else has any. */
export function hasAllLanes({ own, of }: Lanes): boolean {
  return own.length === of;
}
