import type { ClockView, HealthView, JobList, ReadModelList } from '#contracts';

/** Something that needs a look. */
export type Trouble = {
  readonly kind: 'Read model' | 'Job' | 'Health' | 'Clock';
  readonly what: string;
  readonly state: string;
};

/** What is known of what is watched; undefined as long as it is not. */
export type Known = {
  readonly models: ReadModelList | undefined;
  readonly jobs: JobList | undefined;
  readonly health: HealthView | undefined;
  readonly clock: ClockView | undefined;
};

/** A model that is this far behind shows old answers for longer than anybody reloads a page, in seconds. */
const LAG_S = 30;

function ofModels({ models }: ReadModelList): readonly Trouble[] {
  return models.flatMap(
    ({ name, state, parked, eventsBehind, secondsBehind, rebuild }): readonly Trouble[] => {
      const kind = 'Read model';
      if (rebuild?.halted === true)
        return [{ kind, what: `${name}, its rebuild goes no further`, state: 'halted' }];
      if (parked > 0) return [{ kind, what: `${name}, ${counted(parked, 'parked event')}`, state }];
      const isLate = state === 'stalled' || secondsBehind > LAG_S;
      return isLate ? [{ kind, what: `${name}, ${counted(eventsBehind, 'event')} behind`, state }] : [];
    },
  );
}

function ofJobs({ items }: JobList): readonly Trouble[] {
  return items.flatMap(({ kind: name, runs: [last] }): readonly Trouble[] =>
    last?.state === 'failed'
      ? [{ kind: 'Job', what: last.error === null ? name : `${name}: ${last.error}`, state: 'failed' }]
      : [],
  );
}

/** Its words don't tell what of it is well: all are told while something is not. */
function ofHealth({ status, checks }: HealthView): readonly Trouble[] {
  if (status === 'ok') return [];
  const words = Object.entries(checks).map(([name, said]) => `${name}: ${said}`);
  return [{ kind: 'Health', what: words.join('; '), state: status }];
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** What of all that is watched needs a look. */
export function troublesIn({ models, jobs, health, clock }: Known): readonly Trouble[] {
  return [
    ...(clock?.accepted === false
      ? [{ kind: 'Clock', what: 'It is wrong, so that nothing is written', state: 'not accepted' } as const]
      : []),
    ...(models === undefined ? [] : ofModels(models)),
    ...(jobs === undefined ? [] : ofJobs(jobs)),
    ...(health === undefined ? [] : ofHealth(health)),
  ];
}

/** What is watched and well, in words that stand after each other. */
export function wellIn(known: Known): readonly string[] {
  const { models, jobs, health, clock } = known;
  const isWell = (kind: Trouble['kind']) => troublesIn(known).every((trouble) => trouble.kind !== kind);
  return [
    ...(models !== undefined && isWell('Read model') ? [counted(models.models.length, 'read model')] : []),
    ...(jobs !== undefined && isWell('Job') ? [counted(jobs.items.length, 'job')] : []),
    ...(clock?.accepted === true ? ['the clock'] : []),
    ...(health?.status === 'ok' ? [`the disk (${health.checks['disk'] ?? 'ok'})`] : []),
  ];
}
