import { describe, expect, test } from '@jest/globals';
import { operationsDecider, type Operations, type OperationsEvent } from '#ledger';
import { exampleTypes, foldFrozen, holdsChain, storedAgain } from '#ledger/testing';

/** A stream as it stands in logs that people have; never change a line (see the account's). */
const stream = [
  String.raw`{"type":"OperationOrdered","data":{"operation":"rebuild","about":"accounts"},"id":"172e8207-c596-5566-9c5c-46ed7f29c22d","version":1,"stream":"operations-2026-01","revision":0,"at":"2026-01-02T08:00:00.000Z","meta":{"actor":{"kind":"person","id":"u1","role":"admin"},"commandId":"8ebe40a1-b9f6-5b7e-a4c8-70757f7c7646","requestHash":"7944eb5f7471ae4c43e8671b8cf0e16b8a9f5cf863d99cc2ceb8a294eba3ef97","correlationId":"8ebe40a1-b9f6-5b7e-a4c8-70757f7c7646","causationId":"8ebe40a1-b9f6-5b7e-a4c8-70757f7c7646","session":"s1","chain":"85c8a59440de89f0adc826988f9e322bad261dbab3db1ae3882d6de135ab5581"}}`,
  String.raw`{"type":"OperationOrdered","data":{"operation":"cancel rebuild","about":"accounts"},"id":"dac2e5eb-ee91-5f45-89f8-833bf686e1a9","version":1,"stream":"operations-2026-01","revision":1,"at":"2026-01-02T08:00:01.500Z","meta":{"actor":{"kind":"person","id":"u1","role":"admin"},"commandId":"7a816046-cf75-568e-8da0-92079fd86f61","requestHash":"d1af9de6f5c57cf643d84b41ffe1ac2a7bdea6c6c7b549935780616edb300f2a","correlationId":"7a816046-cf75-568e-8da0-92079fd86f61","causationId":"7a816046-cf75-568e-8da0-92079fd86f61","session":"s1","chain":"b2cfb4afde0020b8c9a851aa70d399e5dd3a520be00652b951493929be57d158"}}`,
  String.raw`{"type":"OperationOrdered","data":{"operation":"replay","about":"accounts","stream":"account-u2"},"id":"0c69f36b-4d62-5438-9880-5b5d444f8c85","version":1,"stream":"operations-2026-01","revision":2,"at":"2026-01-02T08:00:03.000Z","meta":{"actor":{"kind":"person","id":"u1","role":"admin"},"commandId":"b7c82587-b80c-5518-9c7d-0a2e2a743dfa","requestHash":"63170128cb667ba440f26c28f475bef9c4964bb05dcac42f468ff78c0e83a664","correlationId":"b7c82587-b80c-5518-9c7d-0a2e2a743dfa","causationId":"b7c82587-b80c-5518-9c7d-0a2e2a743dfa","session":"s1","chain":"14440a7f660eb576140cb189b6d17a3c55fd2727ccd8ebff1dc94ca7bf3ba071"}}`,
  String.raw`{"type":"OperationOrdered","data":{"operation":"run job","about":"bonus-tick"},"id":"34efec48-35fe-57dc-8ff9-57b049ef2f44","version":1,"stream":"operations-2026-01","revision":3,"at":"2026-01-02T08:00:04.500Z","meta":{"actor":{"kind":"person","id":"u1","role":"admin"},"commandId":"fc9b37a3-aacf-52cd-b60e-433432d0647d","requestHash":"04d3dde1f40483a8b35e294e46c26be51b51f04bb1ca9609297cb59fec6001c0","correlationId":"fc9b37a3-aacf-52cd-b60e-433432d0647d","causationId":"fc9b37a3-aacf-52cd-b60e-433432d0647d","session":"s1","chain":"90dba521c7247ec193cab0edd5567c107b46e9dd3ee63cfbe3290fc00faa023f"}}`,
  String.raw`{"type":"OperationOrdered","data":{"operation":"retry"},"id":"62675bcb-5d57-5421-9ae9-a50027c93840","version":1,"stream":"operations-2026-01","revision":4,"at":"2026-01-02T08:00:06.000Z","meta":{"actor":{"kind":"person","id":"u1","role":"admin"},"commandId":"c8796eea-4de6-5de6-a665-0fdd59923024","requestHash":"a2962d7a130b167ae5c4ab5730efea1d7cad7056810801b8717aef8c9aa05d2b","correlationId":"c8796eea-4de6-5de6-a665-0fdd59923024","causationId":"c8796eea-4de6-5de6-a665-0fdd59923024","session":"s1","chain":"76c451b34321691d73edba9d9a4aa48486932ee2a1530936b2b3e2542a83c0f4"}}`,
  String.raw`{"type":"OperationOrdered","data":{"operation":"backup"},"id":"37f2a778-6655-5cc1-8ba5-4ceba2bd2edc","version":1,"stream":"operations-2026-01","revision":5,"at":"2026-01-02T08:00:07.500Z","meta":{"actor":{"kind":"person","id":"u1","role":"admin"},"commandId":"5c9950d7-a1b9-55eb-98e6-3cd3923d96b1","requestHash":"98b925f89369f64c75ca27ffcae98f8bb6e0a02de3799c81d9f237e8730325ee","correlationId":"5c9950d7-a1b9-55eb-98e6-3cd3923d96b1","causationId":"5c9950d7-a1b9-55eb-98e6-3cd3923d96b1","reason":"Before the upgrade.","session":"s1","chain":"d5e2c2c93acc8aad076eeaca3e1d0adfc0210b55bee8ea59a0f02aefcf3d242c"}}`,
  String.raw`{"type":"OperationOrdered","data":{"operation":"verify"},"id":"c331dfcb-8a07-5027-b276-93c8e524e251","version":1,"stream":"operations-2026-01","revision":6,"at":"2026-01-02T08:00:09.000Z","meta":{"actor":{"kind":"person","id":"u1","role":"admin"},"commandId":"fe7152bd-8b20-5b68-83e7-d02fd528a8a6","requestHash":"783bd0aed000658a6872f6715719fa0479d3865a466d017ff4ff942a03095006","correlationId":"fe7152bd-8b20-5b68-83e7-d02fd528a8a6","causationId":"fe7152bd-8b20-5b68-83e7-d02fd528a8a6","session":"s1","chain":"d3e025f5de0c5c253a6069bc699a973e1be2febe392c4e2fa8825a7a32d1290b"}}`,
];

describe('the events of what admins order are frozen', () => {
  test('every type has an example in the version that is written today', () => {
    expect(exampleTypes(stream)).toEqual(
      expect.arrayContaining(Object.entries(operationsDecider.codecs.versions)),
    );
  });

  test('no example is of a type that the program has forgotten', () => {
    const known = Object.keys(operationsDecider.codecs.versions);
    expect(exampleTypes(stream).filter(([type]) => !known.includes(type))).toEqual([]);
  });

  test('each example is read, and one of today’s version would be stored as the very same text', () => {
    for (const { stored, again } of storedAgain(operationsDecider.codecs, stream)) expect(again).toBe(stored);
  });

  test('the chain of the stored stream holds', () => {
    expect(holdsChain(stream)).toBe(true);
  });

  test('the stored stream gives the state that it always gave', () => {
    expect(foldFrozen<OperationsEvent, Operations>(operationsDecider, stream)).toEqual({ ordered: 7 });
  });
});
