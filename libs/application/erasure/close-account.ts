import { suspended, type Identity } from '#identity';
import { accountNotFound, type Clock, type Hold } from '#kernel';
import { accountDecider, accountStream } from '#ledger';
import type { CallerContext } from '../access/context.js';
import { requireProof, type Proof, type ProofDependencies } from '../access/step-up.js';
import type { Aggregates } from '../aggregates.js';
import { sentBy } from '../command.js';
import type { Mailing } from '../mail/mailing.js';
import { formerEmails } from '../mail/tell.js';
import { refuseWhileHeld } from '../platform/held.js';
import { eraseNow, ErasePerson, ErasePersonHandler, type ErasureDependencies } from './erase-person.js';

/**
 * Closes the caller's account for ever, as `ErasePerson`, and writes a last mail to its owner. `isErased` is false where
 * the log says that it is closed, and something can't be overwritten now: the program goes on with that by itself. Refuses
 * with `account_not_empty` and `account_suspended` before anything is proven, with `account_not_found`, and as `requireProof`
 * does.
 */
export class CloseAccount extends sentBy('user')<{ readonly isErased: boolean }> {
  constructor(
    override readonly context: CallerContext,
    readonly proof: Proof | undefined,
  ) {
    super();
  }
}

/** What an account is closed by its owner with. */
export type ClosingDependencies = ErasureDependencies &
  ProofDependencies & {
    readonly identity: Pick<Identity, 'credentials' | 'personKeys'>;
    readonly aggregates: Pick<Aggregates, 'access' | 'accounts'>;
    readonly mailing: Pick<Mailing, 'sendFarewell'>;
    readonly clock: Clock;
    readonly hold: Hold;
  };

export class CloseAccountHandler {
  private readonly erasure: ErasePersonHandler;

  constructor(private readonly dependencies: ClosingDependencies) {
    this.erasure = new ErasePersonHandler(dependencies);
  }

  async execute({ context, proof }: CloseAccount): Promise<{ readonly isErased: boolean }> {
    const { hold, mailing } = this.dependencies;
    const userId = context.actor.id;
    refuseWhileHeld(hold);
    // First: a code works once, and an account that can't be closed is to cost none.
    await this.refuseUnready(userId);
    // Once it is closed nobody knows them.
    const emails = await this.emailsOf(userId);
    await requireProof(this.dependencies, context, 'security', proof);
    // That takes its time, and a suspension meanwhile counts.
    await this.refuseUnready(userId);
    const { actor } = context;
    const { isErased, isNew } = await eraseNow(
      this.dependencies,
      this.erasure,
      new ErasePerson({ actor }, userId),
    );
    // Asked for twice at once, it is told once.
    if (isNew) await mailing.sendFarewell(userId, [...emails]);
    return { isErased };
  }

  /** Refuses what the account would refuse, which decides again when it is closed, and whoever was suspended this moment. */
  private async refuseUnready(userId: string): Promise<void> {
    const { aggregates, clock, settings } = this.dependencies;
    const { state } = await aggregates.accounts.load(accountStream(userId));
    if (state.kind === 'open' && state.status === 'suspended') throw suspended();
    const { prices } = await settings.current();
    accountDecider.decide({ type: 'ForgetPerson', prices }, state, new Date(clock()).toISOString());
  }

  /** The e-mail address, and those of before that are told still what concerns the account's safety. */
  private async emailsOf(userId: string): Promise<ReadonlySet<string>> {
    const known = await this.dependencies.identity.credentials.known(userId);
    if (known === undefined) throw accountNotFound();
    const former = await formerEmails(this.dependencies, userId);
    return new Set([known.email, ...former.map(({ email }) => email)]);
  }
}
