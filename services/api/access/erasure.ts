import type { EventStore } from '#event-store';
import { fileLimits, purposeRules, type FileStore } from '#files';
import type { Identity } from '#identity';
import { sha256, uuidV5, type Actor, type DomainEvent, type Position } from '#kernel';
import { accountStream, sumOf, type AccountEvent, type Amounts } from '#ledger';
import type { Ledger } from '../commands/ledger.js';
import { reconcileAccess } from './standing.js';
import type { Trail } from './trail.js';
import { settingsInForce } from '#application';

type Parts = {
  readonly eventStore: EventStore;
  readonly identity: Identity;
  readonly files: Pick<FileStore, 'list' | 'delete'>;
  readonly trail: Pick<Trail, 'note' | 'record'>;
  readonly ledger: Pick<Ledger, 'accounts' | 'settings'>;
};

export type Erased = {
  /** Where the log says so; read models past it have let go of the person. */
  readonly position: Position;
  /** False when the log said so already: an erasure that was cut off, or one that was asked for twice. */
  readonly isNew: boolean;
  /** Files of the person's that were still there; they are gone now. */
  readonly files: number;
  /** What the account had left and could not be paid, in every currency; minor units. */
  readonly writtenOff: Amounts;
};

/** The namespace of the ids of the commands that an erasure derives from the person's id. */
const ERASURE = '0d5f2f36-7f3a-5d0c-9f3b-64f1f5b0a9d1';
/** Events of a person read at a time. */
const PAGE = 1_000;

/**
 * Forgets a person for ever. The log comes first, because it can refuse (`account_not_found`, `account_not_empty`) and
 * because from then on the account takes nothing new; then sessions, credential and key; then the files. Each step
 * may run twice: an erasure that was cut off is finished by the reactors of the next start, or by asking for it again.
 */
export async function erasePerson(parts: Parts, userId: string, actor: Actor): Promise<Erased> {
  const { eventStore, identity, files, ledger, trail } = parts;
  const commandId = uuidV5(ERASURE, userId);
  const { position, replayed, events } = await ledger.accounts.execute(
    accountStream(userId),
    { type: 'ForgetPerson', prices: (await settingsInForce(ledger)).prices },
    {
      actor,
      commandId,
      requestHash: sha256(userId),
      correlationId: commandId,
      causationId: commandId,
    },
  );
  await reconcileAccess({ identity, ledger, trail }, userId);
  const deleted = await deleteFilesOf({ eventStore, files }, userId);
  return {
    position,
    isNew: !replayed && events.length > 0,
    files: deleted,
    writtenOff: writtenOffIn(events),
  };
}

function writtenOffIn(events: readonly AccountEvent[]): Amounts {
  const postings = events.flatMap((event) => (event.type === 'BalanceWrittenOff' ? event.data.postings : []));
  return sumOf(postings, 'operator/adjustments');
}

/** Deletes the files that a person's events name, and those that no event names; says how many were still there. */
export async function deleteFilesOf(
  { eventStore, files }: Pick<Parts, 'eventStore' | 'files'>,
  userId: string,
): Promise<number> {
  const named = await filesNamedBy(eventStore, userId);
  // The store may not know whose a damaged file is; the log may not know that there is a file at all.
  const fileIds = new Set([...named, ...(await filesKeptFor(files, userId))]);
  let deleted = 0;
  for (const fileId of fileIds) if (await files.delete(fileId)) deleted += 1;
  return deleted;
}

/** A person's own files. Quotas bound how many there are. */
async function filesKeptFor(files: Parts['files'], ownerId: string): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const limit = fileLimits.page;
  for (let after = ''; ;) {
    const page = await files.list({ ownerId, after, limit });
    for (const { fileId, purpose } of page) if (purposeRules[purpose].isPersonal) found.add(fileId);
    const last = page.at(-1);
    if (last === undefined || page.length < limit) return found;
    after = last.fileId;
  }
}

/** The files that a person's events name: payment evidence and pictures. Their hashes stay in the events. */
async function filesNamedBy(eventStore: EventStore, userId: string): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (let from = 0; ;) {
    const page = await eventStore.readStream(accountStream(userId), { from, limit: PAGE });
    for (const { data } of page as readonly DomainEvent[]) {
      for (const file of [data['evidence'], data['image']]) {
        if (isFile(file)) found.add(file.fileId);
      }
    }
    if (page.length < PAGE) return found;
    from += page.length;
  }
}

function isFile(value: unknown): value is { readonly fileId: string } {
  return typeof value === 'object' && value !== null && 'fileId' in value && typeof value.fileId === 'string';
}
