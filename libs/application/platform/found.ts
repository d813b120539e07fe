import { LodeError, sha256, uuidV4, type Random } from '#kernel';
import { platformStream } from '#ledger';
import { OPERATOR } from '../actors.js';
import type { Aggregates } from '../aggregates.js';

/**
 * The id of the platform, which is founded when there is none: at the first start, before anything else is written, and at
 * the next one of a log from before there were ids. Programs that start at the same time get the same id.
 */
export async function foundPlatform(
  { platform }: Pick<Aggregates, 'platform'>,
  random: Random,
): Promise<string> {
  const known = await platform.load(platformStream);
  if (known.state.kind === 'founded') return known.state.platformId;
  const [platformId, commandId] = [uuidV4(random), uuidV4(random)];
  await platform.execute(
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
  const { state } = await platform.load(platformStream);
  if (state.kind === 'none') throw new LodeError('internal', 'the platform was founded and is not there');
  return state.platformId;
}
