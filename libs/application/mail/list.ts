import { FORGOTTEN, type Identity } from '#identity';
import type { MailList, MailView } from '#contracts';
import { Query } from '../message.js';

/** Which mails are asked for, all or those to one person, and which page of them. */
type Asked = {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly userId?: string | undefined;
};

/** One page of the mails that were queued of late, newest first: whom they went to and what became of them, never what they say. */
export class ListMails extends Query<MailList> {
  constructor(readonly asked: Asked) {
    super();
  }
}

export class ListMailsHandler {
  constructor(private readonly parts: { readonly identity: Pick<Identity, 'mails'> }) {}

  async execute({ asked: { limit, cursor, userId } }: ListMails): Promise<MailList> {
    const [queuedAt = '', mailId = ''] = cursor?.split('.') ?? [];
    const behind = cursor === undefined ? undefined : { queuedAt: Number(queuedAt), mailId };
    const found = await this.parts.identity.mails.list(limit + 1, behind, userId);
    const items = found.slice(0, limit);
    const last = items.at(-1);
    const next = found.length > limit && last !== undefined ? `${last.queuedAt}.${last.mailId}` : null;
    return {
      items: items.map((one): MailView => ({
        mailId: one.mailId,
        userId: one.userId,
        kind: one.kind,
        to: one.to ?? FORGOTTEN,
        state: one.state,
        queuedAt: new Date(one.queuedAt).toISOString(),
        at: new Date(one.dueAt).toISOString(),
        attempts: one.attempts,
        failure: one.failure ?? null,
      })),
      next,
    };
  }
}
