import type { Inspection } from '#engines';
import { comparePositions, logStart, type Position } from '#kernel';
import { walletModels } from '#projections';
import { STALLED_AFTER_MS, stalledTransfers } from '../../api/index.js';
import type { Finding } from './finding.js';
import { counted } from './output.js';

export type ModelState = { readonly model: string; readonly state: string; readonly behind: number };
export type ModelsState = { readonly models: readonly ModelState[]; readonly parked: number };

/** Behind by more than this while a program runs is worth a look. */
const BEHIND_MOST = 10_000;
/** Parked events that are counted. */
const PARKED_MAX = 1_000;

/** How far the read models have got in a log that ends at `head`; when that is not known, nothing is behind. */
export async function modelsOf(
  { openModels }: Pick<Inspection, 'openModels'>,
  head: Position | undefined,
): Promise<ModelsState> {
  const live = openModels();
  if (live === undefined) return { models: [], parked: 0 };
  try {
    const builds = await live.builds();
    const models = walletModels.map(({ name, version }): ModelState => {
      const active = builds.find(({ build, state }) => build.collection === name && state === 'active');
      const at = active?.checkpoint.position ?? logStart;
      const state =
        active === undefined ? 'missing' : active.build.version === version ? 'there' : 'other version';
      const end = head ?? at;
      const isAhead = comparePositions(at, end) > 0;
      return {
        model: name,
        state: isAhead ? 'ahead' : state,
        behind: isAhead ? 0 : Number(end) - Number(at),
      };
    });
    const hasParked = builds.some(({ build, state }) => build.collection === 'parked' && state === 'active');
    const parked = hasParked
      ? await live.list('parked', { index: 'id', equals: {}, direction: 'ascending', limit: PARKED_MAX })
      : [];
    return { models, parked: parked.length };
  } finally {
    await live.close();
  }
}

/** What looks wrong with them. */
export function aboutModels({ models, parked }: ModelsState, running: boolean): readonly Finding[] {
  const findings: Finding[] = [];
  for (const { model, behind } of models) {
    if (running && behind > BEHIND_MOST) {
      findings.push({
        what: `The read model ${model} is ${counted(behind, 'event')} behind.`,
        todo: 'See whether it catches up (GET /api/projections); if not, look at the log of the program.',
      });
    }
  }
  if (parked > 0) {
    findings.push({
      what: `${counted(parked, 'event')} parked: read models could not take what is in them.`,
      todo: 'Update Lode, then replay them (POST /api/projections/{model}/replay).',
    });
  }
  return findings;
}

/** How many transfers have had their money in transit for too long at an instant, milliseconds. */
export async function countStalled(
  { openModels }: Pick<Inspection, 'openModels'>,
  now: number,
): Promise<number> {
  const live = openModels();
  if (live === undefined) return 0;
  try {
    const hasTransfers = (await live.builds()).some(
      ({ build, state }) => build.collection === 'transfers' && state === 'active',
    );
    return hasTransfers ? (await stalledTransfers(live, now)).length : 0;
  } finally {
    await live.close();
  }
}

/** What looks wrong when that many have. */
export function aboutStalled(stalled: number): readonly Finding[] {
  if (stalled === 0) return [];
  return [
    {
      what: `${counted(stalled, 'transfer')} in transit for over ${STALLED_AFTER_MS / 1_000} seconds.`,
      todo: 'GET /api/transfers/stalled lists them, and GET /api/reactors says what holds them up.',
    },
  ];
}
