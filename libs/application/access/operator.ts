import { accountNotFound, type Hold } from '#kernel';
import { sentBy } from '../command.js';
import { refuseWhileHeld } from '../platform/held.js';
import type { AccessContext } from './context.js';
import { removeSecondFactor, type RemovalDependencies } from './second-factors.js';
import { handledBy } from '../message.js';

/** Whose second factor it was, and whether there was one. */
export type RemovedSecondFactor = { readonly userId: string; readonly wasOn: boolean };

/**
 * Takes anybody's second factor away who has lost it, for whoever has the machine: an admin's is nobody else's to remove.
 * Given again, nothing changes. Refuses with `account_not_found`.
 */
export class RemoveSecondFactorOf extends sentBy('operator')<RemovedSecondFactor> {
  constructor(
    override readonly context: AccessContext,
    readonly email: string,
  ) {
    super();
  }
}

export class RemoveSecondFactorOfHandler {
  constructor(private readonly dependencies: RemovalDependencies & { readonly hold: Hold }) {}

  async execute({ context, email }: RemoveSecondFactorOf): Promise<RemovedSecondFactor> {
    refuseWhileHeld(this.dependencies.hold);
    const known = await this.dependencies.identity.credentials.knownByEmail(email);
    if (known === undefined) throw accountNotFound();
    const { userId } = known;
    return { userId, wasOn: await removeSecondFactor(this.dependencies, userId, context) };
  }
}

/** The handlers of what only whoever has the machine does about people's access. */
export function operatorHandlers(dependencies: RemovalDependencies & { readonly hold: Hold }) {
  return [handledBy(RemoveSecondFactorOf, new RemoveSecondFactorOfHandler(dependencies))];
}
