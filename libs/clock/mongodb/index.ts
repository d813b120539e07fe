import { hasCode, LodeError } from '#kernel';
import { connectMongo, type MongoConnection, type MongoOptions } from '#mongodb';
import type { ClockMarks } from '../port.js';
import type { ClockMark } from '../rule.js';

const CLOCK = 'clock';
/** The document of a log is made by whoever finds none. */
const SAVES_MAX = 2;

export type MongoClockMarksOptions = MongoOptions & {
  /** The log whose time it is. */
  readonly logId: string;
};

/** Marks in a MongoDB database: a document for each log, which one write moves on, and never back. */
export async function openMongoClockMarks({
  logId,
  ...options
}: MongoClockMarksOptions): Promise<ClockMarks & { readonly close: () => Promise<void> }> {
  const connection = await connectMongo(options);
  const load = () => kept(connection, logId);
  return {
    load,
    save: async (mark) => {
      for (let tries = 0; tries < SAVES_MAX; tries++) {
        const found = (await moveOn(connection, logId, mark)) ?? (await load());
        if (found !== undefined) return found;
        const first = { _id: logId, accepted: mark.accepted, instant: Math.round(mark.instant) };
        // Another may have made it just now, and a lost answer is met by the next look.
        await connection.write({ insert: CLOCK, documents: [first] }).catch(unlessUnheard);
      }
      const found = await load();
      if (found !== undefined) return found;
      throw new LodeError('unavailable', 'What is remembered of the time cannot be written to MongoDB.');
    },
    close: connection.close,
  };
}

async function kept(connection: MongoConnection, logId: string): Promise<ClockMark | undefined> {
  const [document] = await connection.find(CLOCK, { _id: logId }, { limit: 1 });
  return markIn(document);
}

/** Moves the document on when that is further; as it is then, or undefined when there is none or nobody heard. */
async function moveOn(
  connection: MongoConnection,
  logId: string,
  { accepted, instant }: ClockMark,
): Promise<ClockMark | undefined> {
  const next = { accepted, instant: Math.round(instant) };
  const isFurther = {
    $or: [
      { $lt: ['$accepted', next.accepted] },
      { $and: [{ $eq: ['$accepted', next.accepted] }, { $lt: ['$instant', next.instant] }] },
    ],
  };
  const update = [{ $replaceWith: { $cond: [isFurther, { $mergeObjects: ['$$ROOT', next] }, '$$ROOT'] } }];
  try {
    const { value } = await connection.write({
      findAndModify: CLOCK,
      query: { _id: logId },
      update,
      new: true,
    });
    return typeof value === 'object' && value !== null ? markIn({ ...value }) : undefined;
  } catch (error) {
    unlessUnheard(error);
    return undefined;
  }
}

function unlessUnheard(error: unknown): void {
  if (!hasCode(error, 'unknown_outcome')) throw error;
}

function markIn(document: Readonly<Record<string, unknown>> | undefined): ClockMark | undefined {
  return document === undefined
    ? undefined
    : { accepted: Number(document['accepted']), instant: Number(document['instant']) };
}
