import { FORGOTTEN, foldEmail, type Identity } from '#identity';
import { sha256, type Clock } from '#kernel';
import { accessStream } from '#ledger';
import type { Aggregates } from '../aggregates.js';
import type { Mailing, Notice, NoticeKind } from './mailing.js';

/** What concerns an account's safety: of that the e-mail address of before is told too, for a while. */
const ofSafety: ReadonlySet<NoticeKind> = new Set<NoticeKind>([
  'new-network',
  'code-refused',
  'password-changed',
  'address-changed',
  'address-canceled',
  'second-factor-changed',
  'email-change-asked',
  'email-changed',
]);

/** What people are told with. */
export type TellingDependencies = {
  readonly identity: { readonly personKeys: Pick<Identity['personKeys'], 'decryptFor'> };
  readonly aggregates: Pick<Aggregates, 'access'>;
  readonly mailing: Pick<Mailing, 'sendNotice'>;
  readonly clock: Clock;
};

/**
 * Queues a mail that tells somebody what was done. Of what concerns the account's safety each e-mail address that was
 * changed of late is told, so that whoever changed it keeps nothing from its owner.
 */
export async function tellPerson(
  dependencies: TellingDependencies,
  kind: NoticeKind,
  notice: Notice,
): Promise<void> {
  const { sendNotice } = dependencies.mailing;
  await sendNotice(kind, notice);
  if (!ofSafety.has(kind)) return;
  const told = new Set([foldEmail(notice.email)]);
  for (const { changeId, email } of await formerEmails(dependencies, notice.userId)) {
    if (told.has(foldEmail(email))) continue;
    told.add(foldEmail(email));
    const mailId = sha256(`${notice.mailId}/${changeId}`).slice(0, 32);
    await sendNotice(kind, { ...notice, email, mailId });
  }
}

/** The e-mail addresses of before that are told still, with the change that made each one of before. */
export async function formerEmails(
  { identity, aggregates, clock }: Pick<TellingDependencies, 'identity' | 'aggregates' | 'clock'>,
  userId: string,
): Promise<readonly { readonly changeId: string; readonly email: string; readonly toldUntil: number }[]> {
  const { state } = await aggregates.access.load(accessStream(userId));
  const opened = await Promise.all(
    state.formerEmails.map(async ({ changeId, emails, toldUntil }) => {
      const found = await identity.personKeys.decryptFor(userId, emails);
      const email = found === FORGOTTEN ? undefined : found['from'];
      return typeof email === 'string' ? { changeId, email, toldUntil: Date.parse(toldUntil) } : undefined;
    }),
  );
  return opened.filter((one) => one !== undefined).filter(({ toldUntil }) => toldUntil > clock());
}
