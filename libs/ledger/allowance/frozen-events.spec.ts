import { describe, expect, test } from '@jest/globals';
import { allowanceDecider, allowanceStream, type Allowance, type AllowanceEvent } from '#ledger';
import { foldFrozen, testExamples } from '#ledger/contract';

/** A stream as it stands in logs that people have; never change a line (see the account's). */
const stream = [
  String.raw`{"type":"AllowanceUsed","data":{"amount":"1500.00","approvals":2,"at":"2026-01-01T12:00:01.500Z","currency":"BTC"},"id":"7e765061-20de-5610-a9eb-a4702e666507","version":1,"stream":"allowance-a1","revision":0,"at":"2026-01-01T12:00:01.500Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"causationId":"ab205430-9b53-5b78-832f-cd4df777ea9e","commandId":"ab205430-9b53-5b78-832f-cd4df777ea9e","correlationId":"ab205430-9b53-5b78-832f-cd4df777ea9e","requestHash":"cd4d5abf9b12783bbf8c90ae19092dcfd7f72d41cfc5f53a09d51202081093cf","session":"s2","chain":"76c6d7365fe750168b31cc2b2098828da314483eb37ade4199730b7a7b51ef46"}}`,
  String.raw`{"type":"AllowanceUsed","data":{"amount":"0.01","approvals":1,"at":"2026-01-01T12:00:03.000Z","currency":"PI"},"id":"e62b8a7f-d755-518a-8598-11dfddef805e","version":1,"stream":"allowance-a1","revision":1,"at":"2026-01-01T12:00:03.000Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"causationId":"c459ac4f-7e4b-5137-a0e9-9d2bcd59909e","commandId":"c459ac4f-7e4b-5137-a0e9-9d2bcd59909e","correlationId":"c459ac4f-7e4b-5137-a0e9-9d2bcd59909e","requestHash":"f7f9bb9f9daf86c602a9d837cc880d01cd37c197875d64c415565e12f789a806","session":"s2","chain":"6fe58f35dbcdab79ecc432575077ff36a4a1f9150f3fb7ca5a098e392068100d"}}`,
];

describe('the events of what an admin moves are frozen', () => {
  testExamples(allowanceDecider.codecs, [stream]);

  test('the stored stream gives the state that it always gave', () => {
    expect(allowanceStream('a1')).toBe('allowance-a1');
    const [first, second] = ['2026-01-01T12:00:01.500Z', '2026-01-01T12:00:03.000Z'].map(Date.parse);
    expect(foldFrozen<AllowanceEvent, Allowance>(allowanceDecider, stream)).toEqual({
      moved: [
        { currency: 'BTC', approvals: 2, amount: 150_000n, from: first, to: first },
        { currency: 'PI', approvals: 1, amount: 1n, from: second, to: second },
      ],
    });
  });
});
