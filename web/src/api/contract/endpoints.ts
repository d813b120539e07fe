import type {
  BaseQueryFn,
  EndpointBuilder,
  InfiniteQueryDefinition,
  MutationDefinition,
  QueryDefinition,
} from '@reduxjs/toolkit/query';
import type { CodeOf } from '#contracts';
import type { ApiError } from '../problems';
import { isAnySettling, rowsChanged, rowsSeen, type AnswerMeta, type SyncView } from '../sync';
import type { Tag, TagType } from '../tags';
import { callOf, type ApiCall } from './call';
import type { AnswerOf, ArgsOf, JsonRoute, RouteTo } from './shapes';

/** What the root gives to those who add endpoints to it. */
type Build = EndpointBuilder<BaseQueryFn<ApiCall, unknown, ApiError, object, AnswerMeta>, TagType, 'api'>;
/** Calls of one route, which fail with nothing but what that route may refuse with. */
type Calls<Of extends JsonRoute> = BaseQueryFn<ApiCall, unknown, ApiError<CodeOf<Of>>, object, AnswerMeta>;

type Asking = JsonRoute & ({ readonly method: 'GET' } | { readonly asks: true });
type Changing = JsonRoute & { readonly method: 'POST' | 'PUT' | 'DELETE' };

type Query<Of extends Asking> = QueryDefinition<ArgsOf<Of>, Calls<Of>, TagType, AnswerOf<Of>, 'api'>;
type PagedQuery<Of extends Asking> = InfiniteQueryDefinition<
  ArgsOf<Of>,
  Partial<ArgsOf<Of>>,
  Calls<Of>,
  TagType,
  AnswerOf<Of>,
  'api'
>;
type Mutation<Of extends Changing> = MutationDefinition<ArgsOf<Of>, Calls<Of>, TagType, AnswerOf<Of>, 'api'>;

/** What an answer is about: it is asked for again when that changes. There is no answer after a refusal. */
type Shows<Of extends Asking> = (args: ArgsOf<Of>, answer: AnswerOf<Of> | undefined) => readonly Tag[];

/**
 * An endpoint that asks a route of the contract, whose answer is kept until something that it shows has changed; where it isn't shown
 * any more, for `keptSeconds`, or as long as the root keeps answers.
 */
export function query<Of extends Asking>(
  build: Build,
  route: RouteTo<Of>,
  { shows, keptSeconds }: { readonly shows: Shows<Of>; readonly keptSeconds?: number },
): Query<Of> {
  return build.query<AnswerOf<Of>, ArgsOf<Of>>({
    query: (args) => callOf(route, args),
    ...(keptSeconds !== undefined && { keepUnusedDataFor: keptSeconds }),
    providesTags: (answer, _error, args) => shows(args, answer),
    onQueryStarted: async (args, { dispatch, getState, queryFulfilled }) => {
      const answered = await queryFulfilled.catch(() => undefined);
      // The root that these endpoints are of does not know what else is kept beside it.
      const state: unknown = getState();
      if (answered?.meta?.stale === false && isAnySettling(state as SyncView))
        dispatch(rowsSeen({ tags: shows(args, answered.data), asked: answered.meta.asked }));
    },
  });
}

/**
 * As `query`, for answers that are put below each other: `next` says what has to be asked for after an answer, or
 * undefined when it was the last.
 */
export function pagedQuery<Of extends Asking>(
  build: Build,
  route: RouteTo<Of>,
  {
    shows,
    next,
  }: { readonly shows: Shows<Of>; readonly next: (last: AnswerOf<Of>) => Partial<ArgsOf<Of>> | undefined },
): PagedQuery<Of> {
  return build.infiniteQuery<AnswerOf<Of>, ArgsOf<Of>, Partial<ArgsOf<Of>>>({
    infiniteQueryOptions: { initialPageParam: {}, getNextPageParam: next },
    query: ({ queryArg, pageParam }) =>
      callOf(route, { ...(queryArg as object), ...pageParam } as ArgsOf<Of>),
    providesTags: (answer, _error, args) => shows(args, answer?.pages[0]),
  });
}

type Effects<Of extends Changing> = {
  /** What is old once it was tried, also when it was refused: then what the screen shows may no longer be so. */
  readonly changes?: (args: ArgsOf<Of>, answer: AnswerOf<Of> | undefined) => readonly (Tag | TagType)[];
} & Pick<Mutation<Of>, 'onQueryStarted'>;

/** An endpoint that changes something by a route of the contract; a command gets its key with what it is given. */
export function mutation<Of extends Changing>(
  build: Build,
  route: RouteTo<Of>,
  { changes, ...effects }: Effects<Of> = {},
): Mutation<Of> {
  return build.mutation<AnswerOf<Of>, ArgsOf<Of>>({
    query: (args) => callOf(route, args),
    onQueryStarted: async (args, lifecycle) => {
      void effects.onQueryStarted?.(args, lifecycle);
      const answered = await lifecycle.queryFulfilled.catch(() => undefined);
      if (answered !== undefined) lifecycle.dispatch(rowsChanged(changes?.(args, answered.data) ?? []));
    },
    invalidatesTags: (answer, _error, args) => changes?.(args, answer) ?? [],
  });
}
