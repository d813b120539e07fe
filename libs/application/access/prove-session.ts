import type { Identity } from '#identity';
import { STEP_UP_MS } from '../admins/gate.js';
import { sentBy } from '../command.js';
import type { CallerContext } from './context.js';
import { requireProof, type Proof, type ProofDependencies } from './step-up.js';

/**
 * Renews the proof that a session stands on, for what admins need a fresh one for; answers with when that is over (milliseconds
 * since the epoch). Refuses as `requireProof` does, and with `token_invalid` where the session has ended meanwhile.
 */
export class ProveSession extends sentBy('admin')<number> {
  constructor(
    override readonly context: CallerContext,
    readonly proof: Proof | undefined,
  ) {
    super();
  }
}

/** What a session is proved with. */
export type ProveSessionDependencies = ProofDependencies & {
  readonly identity: { readonly sessions: Pick<Identity['sessions'], 'prove'> };
};

export class ProveSessionHandler {
  constructor(private readonly dependencies: ProveSessionDependencies) {}

  async execute({ context, proof }: ProveSession): Promise<number> {
    await requireProof(this.dependencies, context, 'step-up', proof);
    const { session: sessionId, actor } = context;
    const at = await this.dependencies.identity.sessions.prove({ sessionId, userId: actor.id });
    return at + STEP_UP_MS;
  }
}
