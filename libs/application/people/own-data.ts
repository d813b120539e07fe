import type { BucketsOf } from '#identity';
import { LodeError, plainFailure, type Clock, type Hold, type Position } from '#kernel';
import type { CallerContext } from '../access/context.js';
import { requireProof, type Proof, type ProofDependencies } from '../access/step-up.js';
import { sentBy } from '../command.js';
import { refuseWhileHeld } from '../platform/held.js';
import type { Ports } from '../ports.js';
import type { SecurityLog } from '../security/log.js';

/** Files that one person is given at once, and how long until there may be one more: milliseconds. Each reads all that there is. */
const FILES_PER_PERSON = { burst: 3, everyMs: 20 * 60_000 };
/** How long the read models have to catch up, in milliseconds. */
const CURRENT_MS = 2_000;

/** How far the log had come when somebody asked, all of which can be read, and when that was (milliseconds since the epoch). */
type Asked = { readonly upTo: Position; readonly at: number };

/**
 * Lets the caller have all that is kept about them, of which the log has a note first. Refuses as `requireProof` does, with
 * `rate_limited`, and with `unavailable` where the read models lag behind the log, or it can't be noted.
 */
export class AskForOwnData extends sentBy('user', 'admin')<Asked> {
  constructor(
    override readonly context: CallerContext,
    readonly proof: Proof | undefined,
    /** The route that gives it. */
    readonly route: string,
  ) {
    super();
  }
}

type Parts = ProofDependencies & {
  readonly identity: { readonly bucketsOf: BucketsOf };
  readonly security: Pick<SecurityLog, 'given'>;
  readonly eventStore: Pick<Ports['eventStore'], 'head'>;
  readonly projections: Pick<Ports['projections'], 'waitFor'>;
  readonly clock: Clock;
  readonly hold: Hold;
};

export class AskForOwnDataHandler {
  private readonly people;

  constructor(private readonly parts: Parts) {
    this.people = parts.identity.bucketsOf('own data', FILES_PER_PERSON);
  }

  async execute({ context, proof, route }: AskForOwnData): Promise<Asked> {
    const { clock, hold, security } = this.parts;
    const { actor, session, client } = context;
    refuseWhileHeld(hold);
    const waitMs = await this.people.take(actor.id);
    if (waitMs > 0)
      throw new LodeError('rate_limited', 'You downloaded your data often. Please wait a little.', {
        retryAfterSeconds: Math.ceil(waitMs / 1_000),
      });
    const upTo = await this.provenUpTo(context, proof).catch(async (error: unknown) => {
      await this.people.giveBack(actor.id);
      throw error;
    });
    const subject = { session: { userId: actor.id, role: actor.role, sessionId: session }, client };
    await security.given('ListExported', subject, { route });
    return { upTo, at: clock() };
  }

  /** How far the log has come, once that can be read and the caller has shown who they are. */
  private async provenUpTo(context: CallerContext, proof: Proof | undefined): Promise<Position> {
    const upTo = await this.readableUpTo();
    // Last: a code works once.
    await requireProof(this.parts, context, 'security', proof);
    return upTo;
  }

  /** The end of the log, once the read models have all up to it. */
  private async readableUpTo(): Promise<Position> {
    const { eventStore, projections } = this.parts;
    const head = await eventStore.head();
    if (await projections.waitFor(head, CURRENT_MS)) return head;
    throw plainFailure('unavailable', 'The latest of your data can’t be read yet. Try again in a moment.');
  }
}
