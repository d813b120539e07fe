import { comparePositions, LodeError, parsePosition, sha256, type Position } from '#kernel';

/**
 * How far the log and the identity store of a platform had come at one moment. It is kept beside the identity store, and by
 * itself, so that a log or an identity store that has lost its end is told from one that never went on.
 */
export type StoresHead = {
  /** Whose they are; left out while the platform is not founded, and when it was not looked at. */
  readonly platformId?: string;
  /** The log's id; left out for a copy, which gets one when it is opened. */
  readonly logId?: string;
  /** Where the log ended. */
  readonly position: Position;
  /** The event that is there; left out for a log without any. */
  readonly last?: HeadEvent;
  /** How often identities had been changed (`IdentityStanding`); left out when that was not looked at. */
  readonly changes?: number;
  /** When it was kept, ISO 8601. */
  readonly keptAt: string;
};

/** The last event of a log, by which that history is known again on every engine. */
export type HeadEvent = {
  readonly stream: string;
  readonly revision: number;
  readonly chain: string;
  readonly at: string;
};

/** What was kept, if anything was, and whether it can be read. */
export type KeptHead =
  | { readonly kind: 'none' }
  | { readonly kind: 'head'; readonly head: StoresHead }
  | { readonly kind: 'damaged' };

/** How an identity store stands. */
export type IdentityStanding = {
  /** Whose it is; left out for a store that is nobody's yet. */
  readonly platformId?: string;
  /**
   * How often it was changed in what must not be lost: credentials, passwords, keys, pins, sessions that were ended. A
   * session that begins or is refreshed doesn't count: who loses that signs in again.
   */
  readonly changes: number;
  /** A head was kept of it: there must be one from then on. */
  readonly hasHead: boolean;
};

/**
 * The head to keep in the place of another; undefined when it is no further in the log of that id. Programs on the same
 * servers keep one head, and each only moves it forward.
 */
export function furtherHead(head: StoresHead, than: StoresHead | undefined): StoresHead | undefined {
  if (than === undefined || head.logId !== than.logId) return head;
  const [changes, before] = [head.changes ?? 0, than.changes ?? 0];
  const order = comparePositions(head.position, than.position);
  if (order < 0 || (order === 0 && changes <= before && head.platformId === than.platformId))
    return undefined;
  return { ...head, changes: Math.max(changes, before) };
}

/** A head as it is stored: a line of JSON, and its SHA-256. */
export function headText(head: StoresHead): string {
  const line = JSON.stringify(head);
  return `${line}\n${sha256(line)}\n`;
}

/** The head in a stored text. */
export function headIn(text: string): KeptHead {
  const [line = '', sum] = text.split('\n');
  if (sha256(line) !== sum) return { kind: 'damaged' };
  try {
    const stored: unknown = JSON.parse(line);
    if (typeof stored !== 'object' || stored === null) return { kind: 'damaged' };
    return { kind: 'head', head: headOf({ ...stored }) };
  } catch {
    return { kind: 'damaged' };
  }
}

function headOf(stored: Readonly<Record<string, unknown>>): StoresHead {
  const { platformId, logId, last, changes } = stored;
  const position = parsePosition(String(stored['position']));
  if (position === undefined) throw new LodeError('storage_failed', 'A head has no position.');
  return {
    ...(typeof platformId === 'string' ? { platformId } : {}),
    ...(typeof logId === 'string' ? { logId } : {}),
    position,
    ...(typeof last === 'object' && last !== null ? { last: eventIn({ ...last }) } : {}),
    ...(typeof changes === 'number' ? { changes } : {}),
    keptAt: String(stored['keptAt']),
  };
}

function eventIn(stored: Readonly<Record<string, unknown>>): HeadEvent {
  return {
    stream: String(stored['stream']),
    revision: Number(stored['revision']),
    chain: String(stored['chain']),
    at: String(stored['at']),
  };
}
