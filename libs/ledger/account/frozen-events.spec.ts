import { describe, expect, test } from '@jest/globals';
import { Map as PersistentMap } from 'immutable';
import { accountDecider, parseMoney, type Account, type AccountEvent, type AccountRequest } from '#ledger';
import { exampleTypes, foldFrozen, holdsChain } from '#ledger/testing';

/**
 * A stream as it stands in logs that people have, at least one event of each type and version. Never change a line: logs
 * can't be changed either. A new type, or a new version of one, gets a line of its own and an expectation below.
 */
const stream = [
  String.raw`{"type":"AccountOpened","data":{"userId":"u1","accountNumber":"3012345678","role":"user","profile":"c2VhbGVk"},"id":"fba101bc-d51c-56cd-aad2-20bf9a1b123d","version":1,"stream":"account-u1","revision":0,"at":"2026-01-01T12:00:01.500Z","meta":{"actor":{"kind":"person","id":"u1","role":"user"},"commandId":"13d867c1-5768-5d97-a195-4547c8ebf9b1","requestHash":"bc04d68f3cef1deda737b0dca60b21cd4b1e567c9362756feb5b141ad6205c60","correlationId":"13d867c1-5768-5d97-a195-4547c8ebf9b1","causationId":"13d867c1-5768-5d97-a195-4547c8ebf9b1","chain":"a3afff0f28e134f006990ffeb4a3f362483e3aa83f0791d5ea73174d133bab15"}}`,
  String.raw`{"type":"FundingRequested","data":{"requestId":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA1","amount":"300.00","currency":"BTC","evidence":{"fileId":"f1","mediaType":"image/png","bytes":2048,"sha256":"2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"}},"id":"d84b0eda-50c0-5496-9996-cca0ce642e27","version":1,"stream":"account-u1","revision":1,"at":"2026-01-01T12:00:03.000Z","meta":{"actor":{"kind":"person","id":"u1","role":"user"},"commandId":"7641cc53-75a9-5e57-a188-e97c21c2efd6","requestHash":"5a0912565b2fa1a512031d3ea9e770c87b07bbfc7ff9cb0b91acabe7883e7db0","correlationId":"7641cc53-75a9-5e57-a188-e97c21c2efd6","causationId":"7641cc53-75a9-5e57-a188-e97c21c2efd6","session":"s1","chain":"c396f121dd7d7baee3f1525d950d2845a60683f75a22b20d504d1eeb23bdddbe"}}`,
  String.raw`{"type":"FundingConfirmed","data":{"requestId":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA1","currency":"BTC","amount":"300.00","price":"60000.12345678","converted":"0.00499998","postings":[{"account":"operator/deposits","currency":"USD","amount":"-300.00"},{"account":"customer/u1/available","currency":"USD","amount":"300.00"},{"account":"operator/deposits","currency":"BTC","amount":"-0.00499998"},{"account":"customer/u1/available","currency":"BTC","amount":"0.00499998"}]},"id":"5d01613d-6005-5e44-b8ae-73df4a9c3fd9","version":1,"stream":"account-u1","revision":2,"at":"2026-01-01T12:00:04.500Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"commandId":"f5384d4a-19a5-563b-b051-daae004a51ff","requestHash":"184a4938e3812821913b9f6dec4b613ffddfee9924c6c77a079b7613f276f575","correlationId":"f5384d4a-19a5-563b-b051-daae004a51ff","causationId":"f5384d4a-19a5-563b-b051-daae004a51ff","session":"s2","chain":"3e2caf65e363ddf9dd2e6a3407555cb41f8b60557026b925d7c3533a6f211111"}}`,
  String.raw`{"type":"FundingRequested","data":{"requestId":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA2","amount":"50.01","currency":"PI","evidence":{"fileId":"f1","mediaType":"image/png","bytes":2048,"sha256":"2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"}},"id":"b9c1eca8-3d18-5ee9-bf14-183c10846516","version":1,"stream":"account-u1","revision":3,"at":"2026-01-01T12:00:06.000Z","meta":{"actor":{"kind":"person","id":"u1","role":"user"},"commandId":"d64b98bc-b504-50d4-bc27-c754337a99b3","requestHash":"994b20fa26c24d852a83d05fdeeb5ce8c4b2699dc83047148de51486b91d3cb0","correlationId":"d64b98bc-b504-50d4-bc27-c754337a99b3","causationId":"d64b98bc-b504-50d4-bc27-c754337a99b3","session":"s1","chain":"718cec56fea98083706c9a78c0c61cc6d54d5bea3047f1a6c614b4410919d21f"}}`,
  String.raw`{"type":"FundingRejected","data":{"requestId":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA2"},"id":"eb6d2a5b-1382-5bf5-bab6-f4012bd16f28","version":1,"stream":"account-u1","revision":4,"at":"2026-01-01T12:00:07.500Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"commandId":"b7ab0dfe-6fc4-51bd-bca0-46e77ae41a83","requestHash":"ba5d09ef6be0c8a442059b9283fac60116b473dc897d075cfe041b6615b35387","correlationId":"b7ab0dfe-6fc4-51bd-bca0-46e77ae41a83","causationId":"b7ab0dfe-6fc4-51bd-bca0-46e77ae41a83","reason":"The receipt is of another payment.","session":"s2","chain":"cfe6ea24cb98b7a080e77e83f667b8f300b9b4d9bf09ed31346dc51301145ba0"}}`,
  String.raw`{"type":"WalletCredited","data":{"currency":"USDT","amount":"10.50","price":"1.00000000","converted":"10.500000","postings":[{"account":"operator/adjustments","currency":"USD","amount":"-10.50"},{"account":"customer/u1/available","currency":"USD","amount":"10.50"},{"account":"operator/adjustments","currency":"USDT","amount":"-10.500000"},{"account":"customer/u1/available","currency":"USDT","amount":"10.500000"}]},"id":"378352c3-0ea1-5c19-a760-be04d057dda9","version":1,"stream":"account-u1","revision":5,"at":"2026-01-01T12:00:09.000Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"commandId":"f5c176e0-1203-5c9c-89ac-b59070355245","requestHash":"5938bba46ac8aeeacfcb7fd94768cc6663bacfccff7abe231b576fbb97966948","correlationId":"f5c176e0-1203-5c9c-89ac-b59070355245","causationId":"f5c176e0-1203-5c9c-89ac-b59070355245","reason":"Correction","session":"s2","chain":"ef1980751ec4ff546d9b147652af7963afbd9153f6c6548eabf5ef91a6180d17"}}`,
  String.raw`{"type":"WalletDebited","data":{"currency":"BTC","amount":"100.00","price":"60000.12345678","converted":"0.00166666","postings":[{"account":"customer/u1/available","currency":"USD","amount":"-100.00"},{"account":"operator/adjustments","currency":"USD","amount":"100.00"},{"account":"customer/u1/available","currency":"BTC","amount":"-0.00166666"},{"account":"operator/adjustments","currency":"BTC","amount":"0.00166666"}]},"id":"f2b88bfe-288f-5483-b408-93a3f6283def","version":1,"stream":"account-u1","revision":6,"at":"2026-01-01T12:00:09.000Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"commandId":"f5c176e0-1203-5c9c-89ac-b59070355245","requestHash":"5938bba46ac8aeeacfcb7fd94768cc6663bacfccff7abe231b576fbb97966948","correlationId":"f5c176e0-1203-5c9c-89ac-b59070355245","causationId":"f5c176e0-1203-5c9c-89ac-b59070355245","reason":"Correction","session":"s2","chain":"84a0013f82c2e9b6145593633fe33cc2222f0573d0f30f5dda8cb2d71b6468c5"}}`,
];

describe('the events of an account are frozen', () => {
  test('every type has an example in the version that is written today', () => {
    expect(exampleTypes(stream)).toEqual(expect.arrayContaining(Object.entries(accountDecider.versions)));
  });

  test('no example is of a type that the program has forgotten', () => {
    const known = Object.keys(accountDecider.versions);
    expect(exampleTypes(stream).filter(([type]) => !known.includes(type))).toEqual([]);
  });

  test('the chain of the stored stream holds', () => {
    expect(holdsChain(stream)).toBe(true);
  });

  test('the stored stream gives the state that it always gave', () => {
    const expected: Account = {
      kind: 'open',
      userId: 'u1',
      accountNumber: '3012345678',
      role: 'user',
      available: {
        USD: parseMoney('210.50', 'USD'),
        BTC: parseMoney('0.00333332', 'BTC'),
        PI: 0n,
        USDT: parseMoney('10.50', 'USDT'),
      },
      held: { USD: 0n, BTC: 0n, PI: 0n, USDT: 0n },
      status: 'active',
      profile: 'c2VhbGVk',
      address: null,
      image: null,
      incoming: PersistentMap(),
      bonus: null,
      requests: PersistentMap<string, AccountRequest>([
        [
          'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA1',
          { kind: 'funding', status: 'confirmed', amount: 30_000n, currency: 'BTC' },
        ],
        [
          'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA2',
          { kind: 'funding', status: 'rejected', amount: 5_001n, currency: 'PI' },
        ],
      ]),
    };
    const state = foldFrozen<AccountEvent, Account>(accountDecider, stream);
    expect(plain(state)).toEqual(plain(expected));
  });
});

/** The state with its requests as plain entries, so that they are compared by what they hold. */
function plain(state: Account) {
  return state.kind === 'open' ? { ...state, requests: Object.fromEntries(state.requests) } : state;
}
