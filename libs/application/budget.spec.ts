import { expect, test } from '@jest/globals';
import type { Executor } from '#commands';
import { localBuckets } from '#identity';
import { LodeError, type ErrorCode } from '#kernel';
import { accountStream, type Account, type AccountCommand, type AccountEvent } from '#ledger';
import { createHourlyBudget } from './budget.js';
import { contextOf, customer } from './testing/index.js';

const AN_HOUR = 2;
const USER = 'ann';

/** What becomes of a person's commands when the first ones fail so. */
async function outcomes(code: ErrorCode): Promise<readonly unknown[]> {
  const refused: Executor<AccountCommand, AccountEvent, Account>['execute'] = async (_, command) => {
    throw command instanceof LodeError ? command : new LodeError(code, 'a test');
  };
  const unused = () => Promise.reject(new Error('nobody asks'));
  const budget = createHourlyBudget(
    localBuckets(() => 0),
    AN_HOUR,
  );
  const { execute } = budget({ execute: refused, executeMany: unused, load: unused });
  const command = { type: 'CancelWalletAddress', currency: 'BTC' } as const;
  const codes: unknown[] = [];
  for (let n = 0; n <= AN_HOUR; n++)
    await execute(accountStream(USER), command, contextOf(customer(USER), `key ${n}`)).catch(
      (error: unknown) => codes.push(error instanceof LodeError ? error.code : error),
    );
  return codes;
}

test.each([
  ['conflict', 'conflict'],
  ['unavailable', 'unavailable'],
  // It may be in the log.
  ['unknown_outcome', 'rate_limited'],
] as const)('after as many %s as may change something, the next is %s', async (code, next) => {
  expect(await outcomes(code)).toEqual([code, code, next]);
});
