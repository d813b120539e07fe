import type { ErrorCode } from '#kernel';
import { mayOf, duties } from '../duties.js';
import type { Route, StepUp } from './route.js';

/** What every route may refuse with. */
const ALWAYS = ['unavailable', 'internal'] as const satisfies readonly ErrorCode[];
/** Of routes whose requests are counted. */
const COUNTED = ['rate_limited'] as const satisfies readonly ErrorCode[];
/** Of routes that look at a token. */
const TOKEN = ['token_missing', 'token_invalid', 'token_expired'] as const satisfies readonly ErrorCode[];
/** Of routes that are not for everybody who is signed in. */
const PERMISSION = ['not_permitted'] as const satisfies readonly ErrorCode[];
/** Of routes that admins may call, but for those that set up what they need. */
const SECOND_FACTOR = ['second_factor_required'] as const satisfies readonly ErrorCode[];
/** Of routes that customers may call, but for those by which they choose a password of their own. */
const OWN_PASSWORD = ['password_change_required'] as const satisfies readonly ErrorCode[];
/** Of routes that not every admin may call. */
const DUTY = ['duty_missing'] as const satisfies readonly ErrorCode[];
/** Of routes for which admins prove again who they are. */
const STEP_UP = ['step_up_required'] as const satisfies readonly ErrorCode[];
/** Of routes whose answer is of one type, or of few: a client may want none of them. */
const TYPES = ['not_acceptable'] as const satisfies readonly ErrorCode[];
/** Any address can be malformed, and so can the Lode-Position of a query. */
const ADDRESS = ['validation_failed'] as const satisfies readonly ErrorCode[];
/** Of routes that change something, most of which take a body. */
const CHANGE = [
  'malformed_json',
  'body_too_large',
  'media_type',
  'content_encoding',
  'overloaded',
  'storage_full',
  'storage_failed',
] as const satisfies readonly ErrorCode[];
const COMMAND = [
  'idempotency_key_missing',
  'idempotency_key_reused',
  'conflict',
  'unknown_outcome',
] as const satisfies readonly ErrorCode[];

/** Of routes that need no key, and take one. */
const REPEATABLE = [
  'idempotency_key_reused',
  'conflict',
  'unknown_outcome',
] as const satisfies readonly ErrorCode[];

/** When an admin has to have proved lately who they are. Nobody else is asked. */
export function stepUpOf({ stepUp }: Route): StepUp {
  return stepUp ?? 'never';
}

/** Every code a route can answer with: its own, and those implied by access, body and whether it can be repeated. */
export function codesOf(route: Route): readonly ErrorCode[] {
  const { access } = route;
  const codes: readonly ErrorCode[] = [
    ...route.errors,
    ...ALWAYS,
    ...(route.uncounted === true ? [] : COUNTED),
    ...(access === 'visitor' ? [] : TOKEN),
    ...(access === 'visitor' || access === 'signed-in' ? [] : PERMISSION),
    ...(access === 'visitor' || access === 'user' || route.beforeSecondFactor === true ? [] : SECOND_FACTOR),
    ...(access === 'visitor' || access === 'admin' || route.beforeOwnPassword === true ? [] : OWN_PASSWORD),
    ...(isForAll(route) ? [] : DUTY),
    ...(stepUpOf(route) === 'never' ? [] : STEP_UP),
    ...ADDRESS,
    ...(route.media === undefined ? TYPES : []),
    ...(route.method === 'GET' ? [] : CHANGE),
    ...(route.command === true ? COMMAND : []),
    ...(route.repeatable === true ? REPEATABLE : []),
  ];
  return [...new Set(codes)];
}

/** The codes of `codesOf` as a type, for callers who must not wait for a code that a route never answers with. */
export type CodeOf<Of extends Route> =
  | Of['errors'][number]
  | (typeof ALWAYS)[number]
  | (Of extends { readonly uncounted: true } ? never : (typeof COUNTED)[number])
  | (Of['access'] extends 'visitor' ? never : (typeof TOKEN)[number])
  | (Of['access'] extends 'visitor' | 'signed-in' ? never : (typeof PERMISSION)[number])
  | (Of extends { readonly access: 'visitor' | 'user' } | { readonly beforeSecondFactor: true }
      ? never
      : (typeof SECOND_FACTOR)[number])
  | (Of extends { readonly access: 'visitor' | 'admin' } | { readonly beforeOwnPassword: true }
      ? never
      : (typeof OWN_PASSWORD)[number])
  | (Of extends { readonly access: 'admin' | 'owner' } ? (typeof DUTY)[number] : never)
  | (Of extends { readonly stepUp: 'always' | 'as a file' } ? (typeof STEP_UP)[number] : never)
  | (typeof ADDRESS)[number]
  | (Of extends { readonly media: readonly string[] } ? never : (typeof TYPES)[number])
  | (Of['method'] extends 'GET' ? never : (typeof CHANGE)[number])
  | (Of extends { readonly command: true } ? (typeof COMMAND)[number] : never)
  | (Of extends { readonly repeatable: true } ? (typeof REPEATABLE)[number] : never);

/** Whether every admin may call a route, as far as duties go. */
function isForAll(route: Route): boolean {
  return route.may === undefined || mayOf[route.may].length === duties.length;
}
