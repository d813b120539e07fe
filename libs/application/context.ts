import type { CommandContext } from '#commands';

/**
 * The context of a command whose request holds personal data: what stands for the request in its hash is a digest under
 * the key of the person it is about, which tells nothing once that key is destroyed.
 */
export type PersonalContext = Pick<CommandContext, 'actor' | 'commandId'> & {
  /** The whole context; `digest` is asked for the digest of the request's canonical text. Rejects as `digest` does. */
  readonly digested: (digest: (text: string) => Promise<string>) => Promise<CommandContext>;
};
