import type { Allowance, SharedCounts } from '#identity';
import { hasCode, LodeError, plainFailure } from '#kernel';
import { codes, integer, membersOf, serverCode, type Answer, type MongoConnection } from '#mongodb';

export const COUNTS = 'identity.counts';
/** A bucket is made by whoever finds none; of two that do, one is told that it is there. */
const TRIES_MAX = 3;

/** Milliseconds since the epoch, by the server's clock. */
const now = { $toLong: '$$NOW' };

/** Those that are full, by the server's clock. The other clock only says where to look: one that is ahead frees nothing early. */
export const fullBy = (clock: number): Answer => ({
  fullAt: { $lt: clock },
  $expr: { $lt: ['$fullAt', now] },
});

/**
 * Buckets that all programs on the store take from: a document for each that is not full. It says when it will be, which is all
 * that there is to know, so that one write takes from it and tells whether there was anything to take.
 */
export function countsIn(connect: () => Promise<MongoConnection>): SharedCounts {
  return {
    take: (key, allowance) =>
      counted(async () => {
        const { fullAt, at, isTaken } = await taken(await connect(), key, allowance);
        return isTaken ? 0 : waitMs({ fullAt, at }, allowance);
      }),
    giveBack: (key, allowance) =>
      counted(async () => {
        const fullAt = { $max: [now, { $subtract: ['$fullAt', stepOf(allowance)] }] };
        const updates = [{ q: { _id: key }, u: [{ $set: { fullAt } }] }];
        const connection = await connect();
        await connection.write({ update: COUNTS, updates });
      }),
  };
}

/** The server's clock has whole milliseconds. */
function stepOf({ everyMs }: Allowance): number {
  return Math.ceil(everyMs);
}

/** How far a bucket that is empty is from being full. */
function depthOf(allowance: Allowance): number {
  return allowance.burst * stepOf(allowance);
}

/** When it is full, when that was looked at, both by the server's clock, and whether one was taken then. */
type Looked = { readonly fullAt: number; readonly at: number; readonly isTaken: boolean };

async function taken(connection: MongoConnection, key: string, allowance: Allowance): Promise<Looked> {
  const step = stepOf(allowance);
  const empty = { $add: ['$at', depthOf(allowance)] };
  const fullAt = { $ifNull: ['$fullAt', '$at'] };
  const update = [
    { $set: { at: now } },
    // None is further from full than an empty one: where it is, the clock was set back.
    { $set: { fullAt: { $min: [{ $max: [fullAt, '$at'] }, empty] } } },
    { $set: { isTaken: { $lte: [{ $add: ['$fullAt', step] }, empty] } } },
    { $set: { fullAt: { $cond: ['$isTaken', { $add: ['$fullAt', step] }, '$fullAt'] } } },
  ];
  const command = { findAndModify: COUNTS, query: { _id: key }, update, upsert: true, new: true };
  for (let tries = 1; ; tries++) {
    try {
      const stored = membersOf((await connection.write(command))['value']);
      return {
        fullAt: integer(stored, 'fullAt'),
        at: integer(stored, 'at'),
        isTaken: stored['isTaken'] === true,
      };
    } catch (error) {
      if (tries === TRIES_MAX || !isMadeMeanwhile(error)) throw error;
    }
  }
}

function isMadeMeanwhile(error: unknown): boolean {
  return error instanceof LodeError && serverCode(error.cause) === codes.duplicateKey;
}

function waitMs({ fullAt, at }: Omit<Looked, 'isTaken'>, allowance: Allowance): number {
  return fullAt + stepOf(allowance) - at - depthOf(allowance);
}

/** Whether it was counted or not, whoever is to be let through is not: nothing was done yet. */
async function counted<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (hasCode(error, 'unknown_outcome'))
      throw plainFailure('unavailable', 'This could not be counted. Please try again.');
    throw error;
  }
}
