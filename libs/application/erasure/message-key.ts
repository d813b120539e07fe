import type { CommandContext } from '#commands';
import type { EventStore } from '#event-store';
import type { Identity } from '#identity';
import { messageStream } from '#ledger';
import { sentBy } from '../command.js';
import { overwriteModels, type Overwriting } from './overwrite.js';

/** Destroys the key of a message that is forgotten, and overwrites what read models have had. May be repeated. */
export class DestroyMessageKey extends sentBy('system')<void> {
  constructor(
    override readonly context: CommandContext,
    readonly messageId: string,
  ) {
    super();
  }
}

export class DestroyMessageKeyHandler {
  constructor(
    private readonly dependencies: Overwriting & {
      readonly identity: Pick<Identity, 'personKeys'>;
      readonly eventStore: Pick<EventStore, 'head'>;
    },
  ) {}

  async execute({ messageId }: DestroyMessageKey): Promise<void> {
    const { identity, eventStore } = this.dependencies;
    await identity.personKeys.destroyKey(messageId);
    await overwriteModels(this.dependencies, await eventStore.head(), messageStream(messageId));
  }
}
