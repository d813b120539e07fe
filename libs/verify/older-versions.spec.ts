import { describe, expect, test } from '@jest/globals';
import { canonicalJson, positionOf, type StoredData } from '#kernel';
import { accountDecider } from '#ledger';
import { ledgerKinds, verifyLog } from '#verify';
import { logOf, nextPosition, sealedLog } from '#verify/testing';

const worth = { amount: '300.00', converted: '0.00499998', currency: 'BTC', price: '60000.12345678' };
const postings = [
  { account: 'operator/deposits', amount: '-300.00', currency: 'USD' },
  { account: 'customer/ann/available', amount: '300.00', currency: 'USD' },
  { account: 'operator/deposits', amount: '-0.00499998', currency: 'BTC' },
  { account: 'customer/ann/available', amount: '0.00499998', currency: 'BTC' },
];
const after = { balance: '0.00499998', wallet: '300.00' };
const evidence = { bytes: 3, fileId: 'f1', mediaType: 'image/png', sha256: 'ab' };

/** A chained stream whose confirmation is stored as it was in a version: before version 2 it told no balances. */
function logOfVersion(version: 1 | 2) {
  const fact = (type: string, data: StoredData) => ({ type, stream: 'account-ann', data });
  const confirmed = { ...worth, postings, requestId: 'r1', ...(version === 1 ? {} : { after }) };
  return sealedLog([
    fact('AccountOpened', { accountNumber: '3012345678', profile: 'v1.sealed', role: 'user', userId: 'ann' }),
    fact('FundingRequested', { amount: '300.00', currency: 'BTC', evidence, requestId: 'r1' }),
    { ...fact('FundingConfirmed', confirmed), version },
  ]);
}

/** A worked example of an event that is stored in an older version. */
describe('an event of version 1 in a chained stream', () => {
  const log = logOfVersion(1);
  const { codecs, evolve, initial } = accountDecider;

  test('folds as one of version 2 does', () => {
    const state = (version: 1 | 2) => logOfVersion(version).map(codecs.decode).reduce(evolve, initial);
    expect(state(1)).toEqual(state(2));
    expect(state(1)).toMatchObject({ available: { USD: 30_000n, BTC: 499_998n } });
  });

  test('is the same event in the domain, but for the balances that it never told', () => {
    const read = (version: 1 | 2) => logOfVersion(version).map(codecs.decode)[2]?.data;
    expect(read(1)).toEqual({ ...read(2), after: null });
  });

  test('verifies, and stays what an export of the log writes', async () => {
    const before = log.map(canonicalJson);
    const options = { kinds: ledgerKinds, upTo: positionOf(1_000), nextPosition };
    expect(await verifyLog({ log: logOf(log), ...options })).toMatchObject({ events: 3, faults: [] });
    log.map(codecs.decode).reduce(evolve, initial);
    expect(log.map(canonicalJson)).toEqual(before);
    expect(before[2]).toContain('"type":"FundingConfirmed","version":1');
    expect(before[2]).not.toContain('"after"');
  });
});
