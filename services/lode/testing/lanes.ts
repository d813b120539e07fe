import { comparePositions } from '#kernel';
import { until } from '#kernel/testing';
import { walletModels } from '#projections';
import type { BuildState } from '#read-store';
import { inspect } from './folder.js';
import type { Listening } from './start.js';

/** What health says of a part that is another program's. */
const ELSEWHERE = 'run by another program';

/** The builds of read models on the servers that a folder stands on. */
export async function buildsIn(folder: string): Promise<readonly BuildState[]> {
  const models = await (await inspect(folder)).openModels();
  const states = (await models?.builds()) ?? [];
  await models?.close();
  return states;
}

/** The number of the build that queries read of a model, 0 before there is one. */
export async function activeBuild(folder: string, model: string): Promise<number> {
  const states = await buildsIn(folder);
  const active = states.find(({ build, state }) => build.collection === model && state === 'active');
  return active?.build.number ?? 0;
}

/** Waits until somebody has folded every lane of what queries read, up to where the log of the folder's servers ends now. */
export async function untilFolded(folder: string): Promise<void> {
  const log = await (await inspect(folder)).openLog();
  const head = await log.head().finally(log.close);
  await until(async () => {
    const read = (await buildsIn(folder)).filter(
      ({ build, state }) => state === 'active' && walletModels.some(({ name }) => name === build.collection),
    );
    const lanes = read.flatMap((one) => one.lanes ?? []);
    return (
      lanes.length > walletModels.length &&
      lanes.every(({ position }) => comparePositions(position, head) >= 0)
    );
  });
}

/** Whether a projector has the first lanes, whose holder looks at everything, or the reactors: what its health says. */
export async function has({ visitor }: Listening, part: 'scrub' | 'reactors'): Promise<boolean> {
  const { json } = await visitor.call('healthReady');
  const { checks } = json as { readonly checks: Readonly<Record<string, string>> };
  return checks[part] !== ELSEWHERE;
}

/** Waits for the one of some projectors that has the first lanes, or the reactors. */
export async function untilHolder(
  projectors: readonly Listening[],
  part: 'scrub' | 'reactors',
): Promise<Listening> {
  let holder: Listening | undefined;
  await until(async () => {
    for (const program of projectors) if (await has(program, part)) holder ??= program;
    return holder !== undefined;
  });
  if (holder === undefined) throw new Error(`nobody has the lease of ${part}`);
  return holder;
}
