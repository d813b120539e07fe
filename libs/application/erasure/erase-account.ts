import type { Hold } from '#kernel';
import type { CallerContext } from '../access/context.js';
import { sentBy } from '../command.js';
import { refuseWhileHeld } from '../platform/held.js';
import { eraseNow, ErasePerson, ErasePersonHandler, type ErasureDependencies } from './erase-person.js';

/**
 * Erases somebody whom an owner or somebody else has blocked before, as `ErasePerson`: nobody who is at work is erased by a
 * slip. `isErased` is false where the log says that the account is closed, and something can't be overwritten now: the program
 * goes on with that by itself. Of a closed account it is what was left to do. Refuses with `account_active`,
 * `account_not_found`, `account_not_empty`, and the last owner with `not_permitted`.
 */
export class EraseAccount extends sentBy('admin')<{ readonly isErased: boolean }> {
  constructor(
    override readonly context: CallerContext,
    readonly userId: string,
    readonly reason: string,
  ) {
    super();
  }
}

/** What an owner erases somebody with. */
export type OwnersErasureDependencies = ErasureDependencies & { readonly hold: Hold };

export class EraseAccountHandler {
  private readonly erasure: ErasePersonHandler;

  constructor(private readonly dependencies: OwnersErasureDependencies) {
    this.erasure = new ErasePersonHandler(dependencies);
  }

  async execute({ context, userId, reason }: EraseAccount): Promise<{ readonly isErased: boolean }> {
    refuseWhileHeld(this.dependencies.hold);
    const { actor, session } = context;
    const command = new ErasePerson({ actor, session, reason }, userId, true);
    const { isErased } = await eraseNow(this.dependencies, this.erasure, command);
    return { isErased };
  }
}
