import type { CommandContext } from '#commands';
import type { PersonKeys } from '#identity';
import { messageStream } from '#ledger';
import type { Aggregates } from '../aggregates.js';
import { overwriteModels, type Overwriting } from '../erasure/overwrite.js';
import { sentBy, type Receipt } from '../command.js';

type Parts = Overwriting & {
  readonly aggregates: Pick<Aggregates, 'messages'>;
  readonly identity: { readonly personKeys: Pick<PersonKeys, 'destroyKey'> };
};

/** Says whether a message has been read. Refuses with `message_not_found`. */
export class MarkMessage extends sentBy('admin')<Receipt> {
  constructor(
    override readonly context: CommandContext,
    readonly messageId: string,
    readonly isRead: boolean,
  ) {
    super();
  }
}

export class MarkMessageHandler {
  constructor(private readonly parts: Pick<Parts, 'aggregates'>) {}

  execute({ context, messageId, isRead }: MarkMessage): Promise<Receipt> {
    const type = isRead ? 'ReadMessage' : 'UnreadMessage';
    return this.parts.aggregates.messages.execute(messageStream(messageId), { type }, context);
  }
}

/** Forgets what a message says, for ever. Refuses with `message_not_found`. */
export class ForgetMessage extends sentBy('admin')<Receipt> {
  constructor(
    override readonly context: CommandContext,
    readonly messageId: string,
  ) {
    super();
  }
}

export class ForgetMessageHandler {
  constructor(private readonly parts: Parts) {}

  async execute({ context, messageId }: ForgetMessage): Promise<Receipt> {
    const { aggregates, identity } = this.parts;
    const stream = messageStream(messageId);
    const receipt = await aggregates.messages.execute(stream, { type: 'ForgetMessage' }, context);
    // The answer confirms the erasure. If a step fails, sending the command again completes it.
    await identity.personKeys.destroyKey(messageId);
    await overwriteModels(this.parts, receipt.position, stream);
    return receipt;
  }
}
