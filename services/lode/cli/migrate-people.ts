import { isDeepStrictEqual } from 'node:util';
import type { IdentityStore, PersonRecord } from '#identity';
import { LodeError } from '#kernel';
import type { Progress } from '#engines';

export type CopiedPeople = { readonly records: number; readonly invitations: number };

/** Records read at a time. */
const PAGE = 500;

/** Copies what is kept of people, wrapped as it is, and compares it. Throws `conflict` when the target has something else. */
export async function copyPeople(
  from: IdentityStore,
  to: IdentityStore,
  progress: Progress,
): Promise<CopiedPeople> {
  // Before what is wrapped with them.
  for (const key of await from.sealKeys()) await to.putSealKey(key);
  let records = 0;
  for await (const record of recordsOf(from)) {
    if (!(await to.putPerson(record))) throw different(record.userId);
    progress('Copying identities', (records += 1));
  }
  const found = recordsOf(to);
  for await (const record of recordsOf(from)) {
    const { value } = await found.next();
    if (!isDeepStrictEqual(value, record)) throw different(value?.userId ?? record.userId);
  }
  const more = await found.next();
  if (more.value !== undefined) throw different(more.value.userId);
  return { records, invitations: await copyInvitations(from, to) };
}

async function copyInvitations(from: IdentityStore, to: IdentityStore): Promise<number> {
  let copied = 0;
  for (let after = ''; ;) {
    const page = await from.invitations(after, PAGE);
    for (const { invitationId, ...token } of page) await to.putInvitationToken(invitationId, token);
    copied += page.length;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return copied;
    after = last.invitationId;
  }
}

async function* recordsOf(store: IdentityStore): AsyncGenerator<PersonRecord, undefined> {
  for (let after = ''; ;) {
    const page = await store.people(after, PAGE);
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return undefined;
    after = last.userId;
  }
}

function different(userId: string): LodeError {
  return new LodeError('conflict', `What is kept of person ${userId} is not the same on both sides.`);
}
