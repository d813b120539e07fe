import { invariant, sha256, uuidV4, type Random } from '#kernel';
import { platformStream } from '#ledger';
import { OPERATOR } from '../actors.js';
import type { Aggregates } from '../aggregates.js';

/**
 * The id of the platform, which is founded when there is none: at the first start, before anything else is written, and at
 * the next one of a log from before there were ids. Programs that start at the same time get the same id.
 */
export async function foundPlatform(
  aggregates: Pick<Aggregates, 'platform'>,
  random: Random,
): Promise<string> {
  const known = await platformIdIn(aggregates);
  if (known !== undefined) return known;
  const [platformId, commandId] = [uuidV4(random), uuidV4(random)];
  await aggregates.platform.execute(
    platformStream,
    { type: 'FoundPlatform', platformId },
    {
      actor: OPERATOR,
      commandId,
      requestHash: sha256(platformId),
      correlationId: commandId,
      causationId: commandId,
    },
  );
  const founded = await platformIdIn(aggregates);
  invariant(founded !== undefined, 'a platform that was founded is there');
  return founded;
}

/** The id of the platform; undefined until it is founded. */
export async function platformIdIn({ platform }: Pick<Aggregates, 'platform'>): Promise<string | undefined> {
  const { state } = await platform.load(platformStream);
  return state.kind === 'founded' ? state.platformId : undefined;
}
