import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { sentBy } from '../command.js';
import { changeOnce, type Changed } from './change-once.js';
import { refuseWhileHeld } from '../platform/held.js';
import type { CallerContext } from './context.js';
import type { AccessDependencies } from './dependencies.js';
import { requireProof } from './step-up.js';

/**
 * Gives the caller, who is asked for the password again, a transfer pin. Refuses with `invalid_credentials`,
 * `too_many_attempts`, `account_not_found`, `pin_invalid`.
 */
export class SetTransferPin extends sentBy('user')<Changed> {
  constructor(
    override readonly context: CallerContext,
    readonly pin: string,
    readonly password: string,
    /** The key that a repeat of the request has, too. */
    readonly key?: string,
  ) {
    super();
  }
}

@CommandHandler(SetTransferPin)
export class SetTransferPinHandler implements ICommandHandler<SetTransferPin> {
  constructor(private readonly dependencies: AccessDependencies) {}

  async execute({ context, pin, password, key }: SetTransferPin): Promise<Changed> {
    const { identity, accessAudit, hold } = this.dependencies;
    const userId = context.actor.id;
    refuseWhileHeld(hold);
    const request = {
      name: 'pin',
      content: {},
      secret: { text: JSON.stringify([pin, password]), share: 'pin' },
    } as const;
    return changeOnce(identity, context, key, request, async () => {
      await requireProof(this.dependencies, context, 'security', { password });
      await identity.transferPins.set(userId, pin);
      await accessAudit.note(userId, { type: 'RecordTransferPinSet' }, context);
    });
  }
}
