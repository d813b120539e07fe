import { describe, expect, test } from '@jest/globals';
import { accessDecider, type Access, type AccessEvent } from '#ledger';
import { exampleTypes, foldFrozen, holdsChain, storedAgain } from '#ledger/testing';

/** A stream as it stands in logs that people have; never change a line (see the account's). */
const stream = [
  String.raw`{"type":"SignedIn","data":{"sessionId":"s1","client":"v1.AAECAwQFBgcICQoL.3q2-7wECAwQFBgcICQoLDA0ODw"},"id":"3c445fe8-7d90-59e7-ba70-c239497890be","version":1,"stream":"access-u1","revision":0,"at":"2026-01-02T08:00:01.500Z","meta":{"actor":{"kind":"person","id":"u1","role":"user"},"commandId":"16ff9717-6cd1-5371-a713-29e7ef99bb4a","requestHash":"ad93e16bf443deec737d5ca5e3d7ab7e6f17b55694a6b05473f80aff6164866f","correlationId":"16ff9717-6cd1-5371-a713-29e7ef99bb4a","causationId":"16ff9717-6cd1-5371-a713-29e7ef99bb4a","session":"s1","chain":"86a952f1f937aa108666d3010604889ef75d0ba2f4f12889cf3a8e965151972b"}}`,
  String.raw`{"type":"SignInRefused","data":{"why":"password","client":"v1.AAECAwQFBgcICQoL.3q2-7wECAwQFBgcICQoLDA0ODw","since":"2026-01-02T08:00:03.000Z","count":1},"id":"68f8e738-1b52-5b0f-bc5d-81c034ee4c7e","version":1,"stream":"access-u1","revision":1,"at":"2026-01-02T08:00:03.000Z","meta":{"actor":{"kind":"person","id":"u1","role":"user"},"commandId":"9efa11a9-4399-5f5e-8ce4-aebccea5885c","requestHash":"f239968227145ce1374f048d1e187a59498294913fa7e1cec87d68bdc00a205c","correlationId":"9efa11a9-4399-5f5e-8ce4-aebccea5885c","causationId":"9efa11a9-4399-5f5e-8ce4-aebccea5885c","session":"s1","chain":"78dd4b1093fed9ef36d219b7f6f8892213793aeec55283e9c30eddcf7a0dda21"}}`,
  String.raw`{"type":"TransferPinSet","data":{"client":"v1.AAECAwQFBgcICQoL.3q2-7wECAwQFBgcICQoLDA0ODw"},"id":"5483296d-30bf-5f24-9684-c525f2920707","version":1,"stream":"access-u1","revision":2,"at":"2026-01-02T08:00:04.500Z","meta":{"actor":{"kind":"person","id":"u1","role":"user"},"commandId":"91b6e5c9-4d43-5d48-ae07-b870aa2e6f33","requestHash":"78d90b087166ab034025af1912a1bf6bbae1731dbb293242f0da3e45640dc91a","correlationId":"91b6e5c9-4d43-5d48-ae07-b870aa2e6f33","causationId":"91b6e5c9-4d43-5d48-ae07-b870aa2e6f33","session":"s1","chain":"cd1a46282f04c834da0a72d6f90107e677ab10b0a6a6e14bdc017a175ce8e306"}}`,
  String.raw`{"type":"TransferPinRefused","data":{"triesLeft":4,"client":"v1.AAECAwQFBgcICQoL.3q2-7wECAwQFBgcICQoLDA0ODw"},"id":"07c7aa65-8073-5a7f-91c2-a2a89d11775d","version":1,"stream":"access-u1","revision":3,"at":"2026-01-02T08:00:06.000Z","meta":{"actor":{"kind":"person","id":"u1","role":"user"},"commandId":"a86cd4b3-d38a-536b-9c31-475756e9c9d5","requestHash":"876bbad90b35e9fb7ad10a3789679d1dda85467f3031df50cb0d30cbb489e8ef","correlationId":"a86cd4b3-d38a-536b-9c31-475756e9c9d5","causationId":"a86cd4b3-d38a-536b-9c31-475756e9c9d5","session":"s1","chain":"cb30385c9d6b8506719c4327a6cdc7ed2b79dce77e82f8f162599f5341d275aa"}}`,
  String.raw`{"type":"SignedIn","data":{"sessionId":"s2"},"id":"d4908116-eddb-579b-88b5-7841c7c6ed6e","version":1,"stream":"access-u1","revision":4,"at":"2026-01-02T08:00:07.500Z","meta":{"actor":{"kind":"person","id":"u1","role":"user"},"commandId":"5056659e-fcc1-5788-8f04-f1dbcd8bfc75","requestHash":"90603435d22aba9335546760165ac9f001669fc05eef983f6094c3b8dbfc8bbf","correlationId":"5056659e-fcc1-5788-8f04-f1dbcd8bfc75","causationId":"5056659e-fcc1-5788-8f04-f1dbcd8bfc75","session":"s2","chain":"c9e97f06a4b7417ba127f683117bcd38d078fc10adf3ce775a4891bc431cf8b4"}}`,
  String.raw`{"type":"PasswordChanged","data":{"client":"v1.AAECAwQFBgcICQoL.3q2-7wECAwQFBgcICQoLDA0ODw"},"id":"40a9ddf3-667c-5339-9479-cc83ecccb6a2","version":1,"stream":"access-u1","revision":5,"at":"2026-01-02T08:00:09.000Z","meta":{"actor":{"kind":"person","id":"u1","role":"user"},"commandId":"d5da43ad-7e8e-5f2e-a32a-8487cc71e075","requestHash":"a055f3a3b23422f47c0a98c03c100fe64e037d8f0bfdb3a761a6e8f1214e09b0","correlationId":"d5da43ad-7e8e-5f2e-a32a-8487cc71e075","causationId":"d5da43ad-7e8e-5f2e-a32a-8487cc71e075","session":"s1","chain":"8f5db177bb7cec11c6bc0c33153ff3af5ab19eef3302ef0d8955d15a8e1fdd65"}}`,
  String.raw`{"type":"SessionsEnded","data":{"why":"password","except":"s2"},"id":"9b00d2cd-a669-536c-945d-6dd218b658e3","version":1,"stream":"access-u1","revision":6,"at":"2026-01-02T08:00:10.500Z","meta":{"actor":{"kind":"person","id":"u1","role":"user"},"commandId":"90097cc6-3753-5948-bda8-c3f29620885b","requestHash":"9bae2e8905223706bd979f04bdecdbd9d3a41e66a37734fe30853880463bc3fe","correlationId":"90097cc6-3753-5948-bda8-c3f29620885b","causationId":"90097cc6-3753-5948-bda8-c3f29620885b","session":"s1","chain":"272172f792efae344c619d090f65f3020fe8ffae6df199445d9c04694a6b7446"}}`,
  String.raw`{"type":"SignedIn","data":{"sessionId":"s3","client":"v1.AAECAwQFBgcICQoL.3q2-7wECAwQFBgcICQoLDA0ODw"},"id":"0850bccf-2ac0-5af2-8c3c-fcadce3be88b","version":1,"stream":"access-u1","revision":7,"at":"2026-01-02T08:00:12.000Z","meta":{"actor":{"kind":"person","id":"u1","role":"user"},"commandId":"e227e37c-e184-53f7-919f-faded00aa2d4","requestHash":"4832d9f84721dfbebf0420b3cc54bdaa246a2d21146c2d9901b417d55581b957","correlationId":"e227e37c-e184-53f7-919f-faded00aa2d4","causationId":"e227e37c-e184-53f7-919f-faded00aa2d4","session":"s3","chain":"170c60e7e8eff0e1f8d3d6cdd1bc6764f724980d1f2b21aed93fa51dcee9c395"}}`,
  String.raw`{"type":"SessionEnded","data":{"sessionId":"s2","why":"reuse","client":"v1.AAECAwQFBgcICQoL.3q2-7wECAwQFBgcICQoLDA0ODw"},"id":"3a068617-4d8b-53a6-bd08-db0fad71a62f","version":1,"stream":"access-u1","revision":8,"at":"2026-01-02T08:00:13.500Z","meta":{"actor":{"kind":"person","id":"u1","role":"user"},"commandId":"b3d0d32a-8086-5f12-b16f-392bfa62e502","requestHash":"142d112a932e7a035a2c75eab21619bf84b25a069d11a638cb20321e4df90fb3","correlationId":"b3d0d32a-8086-5f12-b16f-392bfa62e502","causationId":"b3d0d32a-8086-5f12-b16f-392bfa62e502","session":"s2","chain":"f864cd16498665965475639460fa5c86ac793a340300d7251e110ec5ca5a1003"}}`,
  String.raw`{"type":"ParkedEventDiscarded","data":{"model":"accounts","eventId":"3c445fe8-7d90-59e7-ba70-c239497890be","stream":"account-u2","revision":4},"id":"28e0bd4b-5aaa-5cc6-8d92-c2b4fd873b60","version":1,"stream":"access-u1","revision":9,"at":"2026-01-02T08:00:15.000Z","meta":{"actor":{"kind":"person","id":"u1","role":"admin"},"commandId":"6707f61e-f3e2-5b98-80df-79137cf32799","requestHash":"47c4469d501d226734379f07e571ba5533280ec09853e9e8cbd7ba853328f94f","correlationId":"6707f61e-f3e2-5b98-80df-79137cf32799","causationId":"6707f61e-f3e2-5b98-80df-79137cf32799","reason":"The model cannot take it.","session":"s3","chain":"4732d914720cf391ed29616829a3ba0b57eaab38c6df1cd1a18341d3010c7289"}}`,
  String.raw`{"type":"PasswordReset","data":{"client":"v1.AAECAwQFBgcICQoL.3q2-7wECAwQFBgcICQoLDA0ODw"},"id":"26160854-888f-500c-90d8-3fad5993519f","version":1,"stream":"access-u1","revision":10,"at":"2026-01-02T08:00:30.000Z","meta":{"actor":{"kind":"person","id":"u1","role":"user"},"commandId":"4c8ba349-7ac9-562d-b5fc-871ba5d7cb5e","requestHash":"a055f3a3b23422f47c0a98c03c100fe64e037d8f0bfdb3a761a6e8f1214e09b0","correlationId":"4c8ba349-7ac9-562d-b5fc-871ba5d7cb5e","causationId":"4c8ba349-7ac9-562d-b5fc-871ba5d7cb5e","chain":"6b2e9373e65d5b223b57db1bf04d5f453ded3951dae541db7d242d870f4c903e"}}`,
  String.raw`{"type":"SecondFactorChanged","data":{"change":"set up","client":"v1.AAECAwQFBgcICQoL.3q2-7wECAwQFBgcICQoLDA0ODw"},"id":"8d2f5c61-5f4b-5b7e-9a53-2f1c0a7e4b90","version":1,"stream":"access-u1","revision":11,"at":"2026-01-02T08:00:31.500Z","meta":{"actor":{"kind":"person","id":"u1","role":"user"},"commandId":"0f6a2c1d-9b3e-5d47-8c5a-7e1b2d3c4f50","requestHash":"a055f3a3b23422f47c0a98c03c100fe64e037d8f0bfdb3a761a6e8f1214e09b0","correlationId":"0f6a2c1d-9b3e-5d47-8c5a-7e1b2d3c4f50","causationId":"0f6a2c1d-9b3e-5d47-8c5a-7e1b2d3c4f50","chain":"314051d12e4d665fc1cfe8911cd2e84dd831bb6d258baf62dbcabf5f676cb765"}}`,
];

describe('the events of a person’s access are frozen', () => {
  test('every type has an example in the version that is written today', () => {
    expect(exampleTypes(stream)).toEqual(
      expect.arrayContaining(Object.entries(accessDecider.codecs.versions)),
    );
  });

  test('no example is of a type that the program has forgotten', () => {
    const known = Object.keys(accessDecider.codecs.versions);
    expect(exampleTypes(stream).filter(([type]) => !known.includes(type))).toEqual([]);
  });

  test('each example is read, and one of today’s version would be stored as the very same text', () => {
    for (const { stored, again } of storedAgain(accessDecider.codecs, stream)) expect(again).toBe(stored);
  });

  test('the chain of the stored stream holds', () => {
    expect(holdsChain(stream)).toBe(true);
  });

  test('the stored stream gives the state that it always gave', () => {
    const before = foldFrozen<AccessEvent, Access>(accessDecider, stream.slice(0, 6));
    const refusals = { since: '2026-01-02T08:00:03.000Z', count: 1 };
    expect(before).toEqual({ sessions: ['s1', 's2'], refusals, wrongPins: 1 });
    const after = foldFrozen<AccessEvent, Access>(accessDecider, stream);
    expect(after).toEqual({ sessions: ['s3'], refusals, wrongPins: 1 });
  });
});
