import { useCallback } from 'react';
import type { AuditPage } from '#contracts';
import { adminRoutes, api, everything, query, routes, useAppDispatch } from '../../api';

/** What only admins ask of the log; the answers of a page stay as they are until somebody asks for new ones. */
const audit = api.injectEndpoints({
  endpoints: (build) => ({
    eventPage: query(build, adminRoutes.events, { shows: () => [] }),
    /** The newest events of a filter, asked for again with every change that is told of. */
    freshEvents: query(build, adminRoutes.events, {
      shows: () => everything.map((type) => ({ type, id: 'WHOLE' })),
    }),
    /** As `eventPage`, for a list that keeps its rows itself. */
    eventStretch: { ...query(build, adminRoutes.events, { shows: () => [] }), keepUnusedDataFor: 1 },
    oneEvent: query(build, adminRoutes.event, { shows: () => [] }),
    causation: query(build, adminRoutes.causation, { shows: () => [] }),
    stateAround: query(build, routes.accountEvents, { shows: () => [] }),
    streamPage: query(build, adminRoutes.stream, { shows: () => [] }),
    trialBalance: query(build, adminRoutes.trialBalance, { shows: () => [] }),
    trialPostings: query(build, adminRoutes.trialPostings, { shows: () => [] }),
  }),
});

export const {
  useEventPageQuery,
  useFreshEventsQuery,
  useOneEventQuery,
  useCausationQuery,
  useStateAroundQuery,
  useStreamPageQuery,
  useTrialBalanceQuery,
  useTrialPostingsQuery,
} = audit;

type Asked = Parameters<typeof audit.endpoints.eventStretch.initiate>[0];

/** Asks for events that whoever asks keeps: nothing is drawn anew for the sake of the question. */
export function useEventStretch(): (asked: Asked) => Promise<AuditPage> {
  const dispatch = useAppDispatch();
  return useCallback(
    (asked) =>
      dispatch(
        audit.endpoints.eventStretch.initiate(asked, { subscribe: false, forceRefetch: true }),
      ).unwrap(),
    [dispatch],
  );
}
