import type { MessageBody } from '#contracts';
import { FORGOTTEN, type BucketsOf, type PersonKeys } from '#identity';
import { accountNotFound, LodeError } from '#kernel';
import { messageStream } from '#ledger';
import type { Aggregates } from '../aggregates.js';
import { sentBy, type Receipt } from '../command.js';
import type { PersonalContext } from '../context.js';
import { openAccount } from '../people/open-account.js';
import { encryptWords, wordsOfCustomer, wordsOfVisitor, type Words } from './words.js';

/** Messages that one sender may send at once, and how long until there may be one more, in milliseconds. */
const ALLOWANCE = { burst: 10, everyMs: 5 * 60_000 };

/**
 * Sends a message to the platform. Refuses with `validation_failed` (a visitor who leaves out who they are),
 * `rate_limited`, `account_not_found` and `message_not_found` (it was forgotten since it was first sent).
 */
export class SendMessage extends sentBy('visitor', 'user', 'admin')<Receipt> {
  constructor(
    override readonly context: PersonalContext,
    readonly message: {
      readonly messageId: string;
      /** Who writes; undefined for a visitor. */
      readonly userId: string | undefined;
      /** Whose allowance it comes off. Not kept. */
      readonly sender: string;
      readonly words: MessageBody;
    },
  ) {
    super();
  }
}

type Parts = {
  readonly aggregates: Pick<Aggregates, 'accounts' | 'messages'>;
  readonly identity: { readonly personKeys: PersonKeys; readonly bucketsOf: BucketsOf };
};

export class SendMessageHandler {
  private readonly allowances;

  constructor(private readonly parts: Parts) {
    this.allowances = parts.identity.bucketsOf('messages', ALLOWANCE);
  }

  async execute({ context, message }: SendMessage): Promise<Receipt> {
    const { aggregates, identity } = this.parts;
    const { personKeys } = identity;
    const { messageId, userId, sender } = message;
    const stream = messageStream(messageId);
    const words =
      userId === undefined ? wordsOfVisitor(message.words) : await this.wordsOf(userId, message.words);
    await this.admit(sender, stream);
    await personKeys.createKey(messageId);
    const sealed = await encryptWords(personKeys, messageId, userId, words);
    const command = { type: 'SendMessage', messageId, userId, sealed } as const;
    const commandContext = await context.digested((text) => personKeys.digestFor(messageId, text));
    return aggregates.messages.execute(stream, command, commandContext);
  }

  /** Lets a new message through while its sender has not written too many; one that is sent again costs nothing. */
  private async admit(sender: string, stream: string): Promise<void> {
    const { state } = await this.parts.aggregates.messages.load(stream);
    if (state.kind === 'sent') return;
    if (state.kind === 'forgotten') throw new LodeError('message_not_found', 'This message is forgotten.');
    const waitMs = await this.allowances.take(sender);
    if (waitMs > 0) {
      const details = { retryAfterSeconds: Math.ceil(waitMs / 1_000) };
      throw new LodeError('rate_limited', 'Too many messages. Wait a little and try again.', details);
    }
  }

  /** A customer's words under the name in the log: the read model may not have the account yet. */
  private async wordsOf(userId: string, body: MessageBody): Promise<Words> {
    const { profile } = await openAccount(this.parts.aggregates, userId);
    const person = await this.parts.identity.personKeys.decryptFor(userId, profile);
    if (person === FORGOTTEN) throw accountNotFound();
    return wordsOfCustomer(body, person);
  }
}
