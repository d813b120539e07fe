import { sentBy } from '../command.js';
import { changeOnce, type Changed } from './change-once.js';
import { refuseWhileHeld } from '../platform/held.js';
import type { CallerContext } from './context.js';
import type { AccessDependencies } from './dependencies.js';
import { requireProof, type Proof } from './step-up.js';

/**
 * Gives the caller, who is asked for the password again, and for the second factor where there is one, a transfer pin. Refuses as `requireProof` does, and with `account_not_found`, `pin_invalid`.
 */
export class SetTransferPin extends sentBy('user')<Changed> {
  constructor(
    override readonly context: CallerContext,
    readonly pin: string,
    readonly proof: Proof & { readonly password: string },
    /** The key that a repeat of the request has, too. */
    readonly key?: string,
  ) {
    super();
  }
}

export class SetTransferPinHandler {
  constructor(private readonly dependencies: AccessDependencies) {}

  async execute({ context, pin, proof, key }: SetTransferPin): Promise<Changed> {
    const { identity, accessAudit, hold } = this.dependencies;
    const userId = context.actor.id;
    refuseWhileHeld(hold);
    const request = {
      name: 'pin',
      content: {},
      // With the password: whoever has the key and not the password learns nothing of the pin by asking again.
      secret: { text: JSON.stringify([pin, proof.password]), share: 'pin' },
    } as const;
    return changeOnce(identity, context, key, request, async () => {
      await requireProof(this.dependencies, context, 'security', proof);
      await identity.transferPins.set(userId, pin);
      await accessAudit.note(userId, { type: 'RecordTransferPinSet' }, context);
    });
  }
}
