import type { ChoreView, ParkedList } from '#contracts';
import { adminRoutes, api, mutation, query } from '../../api';

/** An event that a read model could not take. */
export type Parked = ParkedList['items'][number];

/** What only admins ask of the program itself, and order of it; a page asks again by itself while it is looked at. */
const operations = api.injectEndpoints({
  endpoints: (build) => ({
    readModels: query(build, adminRoutes.projections, { shows: () => [] }),
    parkedEvents: query(build, adminRoutes.parkedEvents, { shows: () => [] }),
    rebuildModel: mutation(build, adminRoutes.rebuildModel),
    cancelRebuild: mutation(build, adminRoutes.cancelRebuild),
    replayParked: mutation(build, adminRoutes.replayParked),
    discardParked: mutation(build, adminRoutes.discardParked),
    jobs: query(build, adminRoutes.jobs, { shows: () => [] }),
    reactors: query(build, adminRoutes.reactors, { shows: () => [] }),
    stalledTransfers: query(build, adminRoutes.stalledTransfers, { shows: () => [] }),
    systemSettings: query(build, adminRoutes.systemSettings, { shows: () => [] }),
    systemEngines: query(build, adminRoutes.systemEngines, { shows: () => [] }),
    backups: query(build, adminRoutes.backups, { shows: () => [] }),
    makeBackup: mutation(build, adminRoutes.makeBackup),
    cancelBackup: mutation(build, adminRoutes.cancelBackup),
    verification: query(build, adminRoutes.verification, { shows: () => [] }),
    verify: mutation(build, adminRoutes.verify),
    cancelVerification: mutation(build, adminRoutes.cancelVerification),
    tickResults: query(build, adminRoutes.tickResults, { shows: () => [] }),
    runJob: mutation(build, adminRoutes.runJob),
    runBonusTick: mutation(build, adminRoutes.runBonusTick),
    retryReactors: mutation(build, adminRoutes.retryReactors),
  }),
});

export const {
  useReadModelsQuery,
  useParkedEventsQuery,
  useRebuildModelMutation,
  useCancelRebuildMutation,
  useReplayParkedMutation,
  useDiscardParkedMutation,
  useJobsQuery,
  useReactorsQuery,
  useStalledTransfersQuery,
  useSystemSettingsQuery,
  useSystemEnginesQuery,
  useBackupsQuery,
  useMakeBackupMutation,
  useCancelBackupMutation,
  useVerificationQuery,
  useVerifyMutation,
  useCancelVerificationMutation,
  useTickResultsQuery,
  useRunJobMutation,
  useRunBonusTickMutation,
  useRetryReactorsMutation,
} = operations;

/** How often a page asks again while somebody looks at it. */
export const whileLookedAt = { pollingInterval: 5_000, skipPollingIfUnfocused: true } as const;
/** The same of what shows how far something is. */
const whileUnderWay = { ...whileLookedAt, pollingInterval: 2_000 } as const;

/** What is known already of backups and of the verification: how often they are asked for follows from it. */
export const { useQueryState: useBackupsKnown } = operations.endpoints.backups;
export const { useQueryState: useVerificationKnown } = operations.endpoints.verification;

/** Shows how far something is; the rest of the time, that somebody else may have begun it. */
export const pollingOf = (run: ChoreView | null | undefined) =>
  run?.state === 'running' ? whileUnderWay : whileLookedAt;
