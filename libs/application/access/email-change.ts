import type { CommandContext } from '#commands';
import { linkInvalid, type EmailChange, type Known, type Link, type PersonalData } from '#identity';
import { LodeError, sha256, uuidV5, type Position } from '#kernel';
import { accessStream, accountStream, type AccessEvent } from '#ledger';
import { writeProfile } from '../people/profile.js';
import { answeredBefore } from './answered-before.js';
import type { AccessDependencies } from './dependencies.js';

/** A change of somebody's e-mail address. */
export type Change = EmailChange & {
  readonly changeId: string;
  /** The session that asked for it, which goes on. */
  readonly session: string;
};

/** The change that a link stands for. */
export function changeIn({ userId, epoch, about }: Link): Change {
  const text = (member: string) => textIn(about, member);
  return {
    userId,
    epoch,
    changeId: text('changeId'),
    from: text('from'),
    to: text('to'),
    session: text('session'),
  };
}

/** Whether the person has still the address and the epoch that a link was issued for. */
export function isGood(link: Link, known: Known | undefined): known is Known {
  return known !== undefined && known.epoch === link.epoch && known.email === changeIn(link).from;
}

function textIn(data: PersonalData, member: string): string {
  const value = data[member];
  if (typeof value !== 'string') throw linkInvalid();
  return value;
}

/** Steps of a change in the log. They are part of the ids of commands, and so never renamed. */
type Step = 'asked' | 'confirmed' | 'profile' | 'verified' | 'outcome' | 'sessions';

/** The context of a step of a change: the same one whenever and by whomever the step is carried out. */
export function contextOfChange(
  { changeId, userId, role }: Pick<Change, 'changeId' | 'userId'> & { readonly role: 'user' | 'admin' },
  step: Step,
): CommandContext {
  const commandId = uuidV5(changeId, step);
  return {
    actor: { kind: 'person', id: userId, role },
    commandId,
    // Of the id and not of the content, which is encrypted anew each time.
    requestHash: sha256(commandId),
    correlationId: changeId,
    causationId: changeId,
  };
}

/**
 * Gives somebody the e-mail address that was shown to be theirs, and says so in the log. May be repeated: the log says
 * whether it was done. Refuses with `email_exists` when somebody else has the address by now, and with `link_invalid` when the change is
 * void, as after a new password; the log says so, too.
 */
export async function finishEmailChange(
  dependencies: Pick<AccessDependencies, 'identity' | 'aggregates'>,
  change: Change,
): Promise<Position> {
  const { identity, aggregates } = dependencies;
  const { userId, changeId, from, to, session } = change;
  const known = await identity.credentials.known(userId);
  if (known === undefined) throw linkInvalid();
  const { role } = known;
  const contextOf = (step: Step) => contextOfChange({ changeId, userId, role }, step);
  const stream = accessStream(userId);
  const before = await answeredBefore(aggregates.access, stream, contextOf('outcome'));
  if (before !== undefined) return outcomeOf(before);
  const became = await identity.credentials.changeEmail(change, session);
  if (became !== 'changed') {
    const command = { type: 'RecordEmailChangeFailure', why: became } as const;
    return outcomeOf(await aggregates.access.execute(stream, command, contextOf('outcome')));
  }
  await writeProfile(dependencies, contextOf('profile'), userId, () => ({ email: to }));
  const { accounts } = aggregates;
  await accounts.execute(accountStream(userId), { type: 'VerifyEmail' }, contextOf('verified'));
  const othersEnd = { type: 'RecordSessionsEnd', why: 'email', except: session } as const;
  await aggregates.access.execute(stream, othersEnd, contextOf('sessions'));
  const emails = await identity.personKeys.encryptFor(userId, { from, to });
  const command = { type: 'RecordEmailChange', changeId, emails } as const;
  return outcomeOf(await aggregates.access.execute(stream, command, contextOf('outcome')));
}

/** Where the log says that it was done; the refusal of what was not. */
function outcomeOf({
  events,
  position,
}: {
  readonly events: readonly Pick<AccessEvent, 'type' | 'data'>[];
  readonly position: Position;
}): Position {
  for (const { type, data } of events)
    if (type === 'EmailChangeFailed')
      throw 'why' in data && data.why === 'taken' ? emailTaken() : linkInvalid();
  return position;
}

/** The refusal of an address that somebody has, to whoever has shown that it is theirs. */
export function emailTaken(): LodeError {
  return new LodeError(
    'email_exists',
    'Another account has this e-mail address. Yours keeps the one it has.',
  );
}
