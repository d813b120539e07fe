import { describe, expect, test } from '@jest/globals';
import { routes as declared, type AccountView, type FundRequestPage } from '#contracts';
import { hasCode } from '../problems';
import {
  adminRoutes,
  callOf,
  pathOf,
  routes,
  type AnswerOf,
  type ArgsOf,
  type FailureOf,
  type RouteTo,
} from '.';

const ofRequest = { userId: 'amara', requestId: 'r1' };

describe('the table that ships', () => {
  test('has every route of the contract once, those of admins in a table of their own, and is data', () => {
    const all = [...Object.keys(routes), ...Object.keys(adminRoutes)];
    expect(all.toSorted()).toEqual(Object.keys(declared).toSorted());
    const ofAdmins = Object.entries(declared).filter(([, { access }]) => access === 'admin');
    expect(Object.keys(adminRoutes)).toEqual(ofAdmins.map(([name]) => name));
    expect(JSON.parse(JSON.stringify({ routes, adminRoutes }))).toEqual({ routes, adminRoutes });
  });
  test('says how to call a route and nothing else', () => {
    expect(adminRoutes.confirmFunding).toEqual({
      method: 'POST',
      path: declared.confirmFunding.path,
      command: true,
    });
    expect(routes.uploadEvidence.upload).toBe('multipart/form-data');
  });
});

describe('a call', () => {
  test('puts into the path what belongs there, whatever it is, and the rest into the query', () => {
    const { method, address, body } = callOf(routes.why, { userId: 'a/b?c', currency: 'USD', before: 9 });
    const path = declared.why.path.replace(':userId', 'a%2Fb%3Fc').replace(':currency', 'USD');
    expect([method, address, body]).toEqual(['GET', `${path}?before=9`, undefined]);
  });
  test('asks for nothing that is not set', () => {
    expect(callOf(adminRoutes.fundRequests, { status: undefined, limit: 10 }).address).toBe(
      `${declared.fundRequests.path}?limit=10`,
    );
    expect(callOf(adminRoutes.fundRequests, undefined).address).toBe(declared.fundRequests.path);
  });
  test('of a command sends its key beside the body, and neither in the address', () => {
    const call = callOf(adminRoutes.rejectFunding, {
      ...ofRequest,
      reason: 'No deposit',
      idempotencyKey: 'k',
    });
    expect(call).toEqual({
      method: 'POST',
      address: pathOf(adminRoutes.rejectFunding, ofRequest),
      body: { reason: 'No deposit' },
      idempotencyKey: 'k',
    });
    expect(call.address).toMatch(/\/amara\/.*\/r1\/reject$/);
  });
  test('of a change that takes nothing sends an empty object, and of a deletion no body', () => {
    expect(callOf(routes.signOut, undefined).body).toEqual({});
    expect(callOf(routes.endOtherSessions, undefined)).toEqual({
      method: 'DELETE',
      address: declared.endOtherSessions.path,
    });
  });
  test('of an upload is a form with the file', () => {
    const file = new File(['%PDF'], 'receipt.pdf');
    const { body } = callOf(routes.uploadEvidence, { file });
    expect(body instanceof FormData && [...body.keys()]).toEqual(['file']);
  });
});

/** What the compiler thinks of both ways round. */
type Same<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false;
const every = { ...routes, ...adminRoutes };
type To<Name extends keyof typeof every> = (typeof every)[Name];
type Args<Route> = Route extends RouteTo<infer Of> ? ArgsOf<Of> : never;

describe('the compiler', () => {
  test('knows answers from the contract', () => {
    const answers: readonly [
      Same<AnswerOf<typeof declared.account>, AccountView>,
      Same<AnswerOf<typeof declared.fundRequests>, FundRequestPage>,
    ] = [true, true];
    expect(answers).toEqual([true, true]);
  });

  test('refuses a call without what its path needs', () => {
    // @ts-expect-error: whose account?
    callOf(routes.account, {});
    // @ts-expect-error: which request?
    callOf(adminRoutes.confirmFunding, { userId: 'amara', idempotencyKey: 'k' });
    // @ts-expect-error: which file?
    pathOf(routes.file);
    expect(pathOf(routes.file, { fileId: 'f1' })).toMatch(/\/f1$/);
  });

  test('refuses what is done once for each key without one', () => {
    // @ts-expect-error: an invitation has a key, though the server takes one without
    callOf(adminRoutes.inviteAdmin);
    expect(callOf(adminRoutes.inviteAdmin, { idempotencyKey: 'k' }).idempotencyKey).toBe('k');
  });

  test('refuses a command without a key', () => {
    // @ts-expect-error: a command has a key
    expect(callOf(adminRoutes.confirmFunding, ofRequest).idempotencyKey).toBeUndefined();
    const asked: Same<Args<To<'fundRequests'>> & object, { idempotencyKey: string }> = false;
    expect(asked).toBe(false);
  });

  test('refuses a body and a query that the contract does not have', () => {
    const request = { amount: '1', currency: 'BTC', evidenceId: 'f', idempotencyKey: 'k' } as const;
    callOf(routes.requestFunding, request);
    // @ts-expect-error: amounts never travel as numbers
    callOf(routes.requestFunding, { ...request, amount: 1 });
    // @ts-expect-error: not a currency to pay in
    callOf(routes.requestFunding, { ...request, currency: 'EUR' });
    // @ts-expect-error: no such status
    callOf(adminRoutes.fundRequests, { status: 'confirm' });
    // @ts-expect-error: a number is given as a number
    callOf(adminRoutes.fundRequests, { limit: 'ten' });
    // @ts-expect-error: a list is asked for as JSON
    callOf(adminRoutes.fundRequests, { format: 'csv' });
    expect(callOf(adminRoutes.fundRequests, { limit: 10 }).address).toContain('limit=10');
  });

  test('refuses to look for a code that a route never refuses with', () => {
    const failure = { kind: 'problem', status: 409, detail: '', errors: [] } as const;
    const confirm = (error: FailureOf<To<'confirmFunding'>>) => hasCode(error, 'request_already_confirmed');
    // @ts-expect-error: nothing could have confirmed it already
    const reject = (error: FailureOf<To<'rejectFunding'>>) => hasCode(error, 'request_already_confirmed');
    // @ts-expect-error: a query has no key
    const ask = (error: FailureOf<To<'account'>>) => hasCode(error, 'idempotency_key_reused');
    expect(confirm({ ...failure, code: 'request_already_confirmed' })).toBe(true);
    expect(reject({ ...failure, code: 'request_closed' })).toBe(false);
    expect(ask({ kind: 'unreachable' })).toBe(false);
  });
});
