import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import type { ReadModelList } from '#contracts';
import { hasCode } from '../../api';
import { grouped, useNow } from '../../lib';
import { Notice } from '../../ui';
import { useReadModelsQuery, whileLookedAt } from '../operations';
import { AgeCard } from './age-card';
import { nowAndThen, useDailySumsQuery } from './api';
import { BonusCard } from './bonus-card';
import { Choice } from './choice';
import { faultOf, viewOf, type FiguresView } from './days';
import { failedOf } from './failed';
import { CommandsCard, LagCard } from './live-cards';
import { MoneyCard } from './money-card';
import styles from './figures.module.css';

type Model = ReadModelList['models'][number];

/** Money by day, what waits, what the bonus costs and how the program keeps up, as charts that are tables, too. */
export function FiguresPage() {
  const [search, setSearch] = useSearchParams();
  const view = viewOf(search, useNow());
  const { currency } = view;
  const { sums, building } = useSums(view);
  const days = sums.currentData?.items;
  const failed = failedOf({ ...sums, data: days });
  const onChange = (changes: Partial<FiguresView>) =>
    setSearch((now) => {
      const next = new URLSearchParams(now);
      for (const [name, value] of Object.entries({ ...view, ...changes })) next.set(name, value);
      return next;
    });
  return (
    <div className={styles.page}>
      <Choice view={view} onChange={onChange} />
      {building !== undefined && <Building model={building} />}
      {building === undefined && faultOf(view) === undefined && (
        <MoneyCard days={days} currency={currency} failed={failed} />
      )}
      <AgeCard />
      {building === undefined && faultOf(view) === undefined && (
        <BonusCard days={days} currency={currency} failed={failed} />
      )}
      <LagCard />
      <CommandsCard />
    </div>
  );
}

/** The sums of the days, or how far the first build of them is where there is none yet. */
function useSums(view: FiguresView) {
  const models = useReadModelsQuery(undefined, whileLookedAt);
  const sums = useDailySumsQuery(view, { ...nowAndThen, skip: faultOf(view) !== undefined });
  const own = models.data?.models.find(({ name }) => name === 'daily-sums');
  const { error, refetch } = sums;
  const isAway = error !== undefined && hasCode(error, 'unavailable');
  const building = isAway && own?.state === 'rebuilding' ? own : undefined;
  const isMade = isAway && own?.state === 'current';
  useEffect(() => {
    if (isMade) void refetch();
  }, [isMade, refetch]);
  return { sums, building };
}

/** Says that there are no sums yet. */
function Building({ model: { rebuild } }: { readonly model: Model }) {
  return (
    <section className={`card ${styles.card ?? ''} ${styles.building ?? ''}`} aria-label="Sums by day">
      <Notice title="The sums by day are being made." role="status">
        They are added up from the whole log once after an upgrade, while everything else goes on. The charts
        come by themselves.
        {rebuild !== null &&
          ` ${grouped(String(rebuild.events))} of ${grouped(String(rebuild.of))} events are counted.`}
      </Notice>
    </section>
  );
}
