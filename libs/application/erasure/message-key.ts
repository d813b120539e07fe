import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext } from '#commands';
import type { Identity } from '#identity';
import { sentBy } from '../command.js';

/** Destroys the key of a message that is forgotten. May be repeated. */
export class DestroyMessageKey extends sentBy('system')<void> {
  constructor(
    override readonly context: CommandContext,
    readonly messageId: string,
  ) {
    super();
  }
}

@CommandHandler(DestroyMessageKey)
export class DestroyMessageKeyHandler implements ICommandHandler<DestroyMessageKey> {
  constructor(private readonly identity: Pick<Identity, 'personKeys'>) {}

  execute({ messageId }: DestroyMessageKey): Promise<void> {
    return this.identity.personKeys.destroyKey(messageId);
  }
}
