import { describe, expect, test } from '@jest/globals';
import { changeDecider, type Change, type ChangeEvent } from '#ledger';
import { foldFrozen, testExamples } from '#ledger/contract';

/** Three streams as they stand in logs that people have; never change a line (see the account's). */
const refused = [
  String.raw`{"type":"ChangeAsked","data":{"part":"approval-limits","values":{"tiers":{"BTC":[{"above":"1000.00","approvals":2}]},"expireHours":48},"changeId":"Zq1Xw8Rt5Yb2Nc7Md4Kf9Ls0Hg3Jp6VaUe","by":"a1","until":"2026-11-29T12:03:00.500Z"},"id":"be954d25-b249-5d56-8c70-beb1dffeee24","version":1,"stream":"change-Zq1Xw8Rt5Yb2Nc7Md4Kf9Ls0Hg3Jp6VaUe","revision":0,"at":"2026-11-26T12:03:01.500Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"causationId":"cea92421-0eeb-5c66-b7e7-d1ae85b36297","commandId":"cea92421-0eeb-5c66-b7e7-d1ae85b36297","correlationId":"cea92421-0eeb-5c66-b7e7-d1ae85b36297","reason":"As agreed.","requestHash":"4c66b7518bbf10a5276151781e9d56561900e219dd8d94262a9dacb5837a7327","session":"s2","chain":"dcc26472d8ac01e9c30727c5ec897f4b744a0354ce1327bad27b591b7f884687"}}`,
  String.raw`{"type":"ChangeApproved","data":{"changeId":"Zq1Xw8Rt5Yb2Nc7Md4Kf9Ls0Hg3Jp6VaUe","by":"a2"},"id":"8d98fce6-ecfb-5e6c-bc08-8f176649a0df","version":1,"stream":"change-Zq1Xw8Rt5Yb2Nc7Md4Kf9Ls0Hg3Jp6VaUe","revision":1,"at":"2026-11-26T12:03:02.500Z","meta":{"actor":{"kind":"person","id":"a2","role":"admin"},"causationId":"904dab0d-34bd-55b7-a8a8-e06e0c759ead","commandId":"904dab0d-34bd-55b7-a8a8-e06e0c759ead","correlationId":"904dab0d-34bd-55b7-a8a8-e06e0c759ead","requestHash":"8490cbb767da0df640e412c5e429d0cd797aec0c3377f5a1a9a670007807d6c8","session":"s2","chain":"ff20e42dd3a8fb6a4fc2b65a11c80373f2dbefd53e95c7ae39ad53b2d21f5ea0"}}`,
  String.raw`{"type":"ChangeRefused","data":{"changeId":"Zq1Xw8Rt5Yb2Nc7Md4Kf9Ls0Hg3Jp6VaUe","code":"setting_invalid"},"id":"b402df8e-2cde-5fc6-a50e-0cab64c5bb64","version":1,"stream":"change-Zq1Xw8Rt5Yb2Nc7Md4Kf9Ls0Hg3Jp6VaUe","revision":2,"at":"2026-11-26T12:03:03.500Z","meta":{"actor":{"kind":"person","id":"a2","role":"admin"},"causationId":"00e19c66-a665-574c-9879-e1d486be7b6b","commandId":"00e19c66-a665-574c-9879-e1d486be7b6b","correlationId":"00e19c66-a665-574c-9879-e1d486be7b6b","requestHash":"eda4a2f84875ee0c7e4de75547edd58a42964699f34c98f9c8f98d008d01fb72","session":"s2","chain":"5beb0f0c37da866011e7355edacb8051df66a7b73d72b82ab12312f006d59a15"}}`,
];
const rejected = [
  String.raw`{"type":"ChangeAsked","data":{"part":"duty","values":{"userId":"u1","duty":"finance"},"changeId":"Aq1Xw8Rt5Yb2Nc7Md4Kf9Ls0Hg3Jp6VaUe","by":"a1","until":"2026-11-29T12:03:00.500Z"},"id":"a03a77f0-28c0-558b-8053-f87217ba7610","version":1,"stream":"change-Aq1Xw8Rt5Yb2Nc7Md4Kf9Ls0Hg3Jp6VaUe","revision":0,"at":"2026-11-26T12:03:04.500Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"causationId":"3ce51f3f-ab86-55b3-bd53-954f048d8ea5","commandId":"3ce51f3f-ab86-55b3-bd53-954f048d8ea5","correlationId":"3ce51f3f-ab86-55b3-bd53-954f048d8ea5","reason":"Knows the books.","requestHash":"f56987824cf0bfeadfb23d4a914855031c3010e82df97db032361462f23f528e","session":"s2","chain":"79d01d09887950325c286a0d82c27e7f9edcd312bf17e1d10485c2797d0b8b47"}}`,
  String.raw`{"type":"ChangeRejected","data":{"changeId":"Aq1Xw8Rt5Yb2Nc7Md4Kf9Ls0Hg3Jp6VaUe","by":"a2"},"id":"97f29ea0-711c-5e22-8871-57e508d269d0","version":1,"stream":"change-Aq1Xw8Rt5Yb2Nc7Md4Kf9Ls0Hg3Jp6VaUe","revision":1,"at":"2026-11-26T12:03:05.500Z","meta":{"actor":{"kind":"person","id":"a2","role":"admin"},"causationId":"608fd7e5-0d70-5834-a9a2-04f2c044703b","commandId":"608fd7e5-0d70-5834-a9a2-04f2c044703b","correlationId":"608fd7e5-0d70-5834-a9a2-04f2c044703b","reason":"Not yet.","requestHash":"f351e41821855ec29a010731f12c625f93bec33f15749e819ebee72455ff72e1","session":"s2","chain":"7b7cc5b9104387d58da06383f0ee972d9f5fa9654eb34c2c4688aa5262b12076"}}`,
];
const made = [
  String.raw`{"type":"ChangeAsked","data":{"part":"prices","values":{"prices":{"BTC":"61000"}},"changeId":"Bq1Xw8Rt5Yb2Nc7Md4Kf9Ls0Hg3Jp6VaUe","by":"a1","until":"2026-11-29T12:03:00.500Z"},"id":"c3b5ac9d-a440-59d4-ad1d-fb8bff1585ae","version":1,"stream":"change-Bq1Xw8Rt5Yb2Nc7Md4Kf9Ls0Hg3Jp6VaUe","revision":0,"at":"2026-11-26T12:03:06.500Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"causationId":"d6e02da4-74fd-5f55-929d-29c0dc3562d7","commandId":"d6e02da4-74fd-5f55-929d-29c0dc3562d7","correlationId":"d6e02da4-74fd-5f55-929d-29c0dc3562d7","reason":"The market moved.","requestHash":"7f4d29e57009751c279c4fdce56859f602356f1eceadb2ce43eb3a96fe820729","session":"s2","chain":"13a58b17e724d476cac8f06d54e00e8eca50421d28440c061dc322832f727862"}}`,
  String.raw`{"type":"ChangeApproved","data":{"changeId":"Bq1Xw8Rt5Yb2Nc7Md4Kf9Ls0Hg3Jp6VaUe","by":"a2"},"id":"14fdc2ac-060b-5fe6-a551-ce4b87d1572c","version":1,"stream":"change-Bq1Xw8Rt5Yb2Nc7Md4Kf9Ls0Hg3Jp6VaUe","revision":1,"at":"2026-11-26T12:03:07.500Z","meta":{"actor":{"kind":"person","id":"a2","role":"admin"},"causationId":"c4520e71-a8b5-5bd0-8645-7bed9795d62c","commandId":"c4520e71-a8b5-5bd0-8645-7bed9795d62c","correlationId":"c4520e71-a8b5-5bd0-8645-7bed9795d62c","requestHash":"d4ea6671f8c925cf929a3a915b8e5d1646279f647bd11f7f629da39478cefdd7","session":"s2","chain":"6e6d10e1ee918115807b8abe821c0b6835d6e4b02b5acde4b0f46692e00262e3"}}`,
  String.raw`{"type":"ChangeMade","data":{"changeId":"Bq1Xw8Rt5Yb2Nc7Md4Kf9Ls0Hg3Jp6VaUe"},"id":"7d292b22-49d3-59e8-8718-9dfaf7cf4faf","version":1,"stream":"change-Bq1Xw8Rt5Yb2Nc7Md4Kf9Ls0Hg3Jp6VaUe","revision":2,"at":"2026-11-26T12:03:08.500Z","meta":{"actor":{"kind":"person","id":"a2","role":"admin"},"causationId":"623a62f5-4b51-5a6a-85ed-78f9215ba32f","commandId":"623a62f5-4b51-5a6a-85ed-78f9215ba32f","correlationId":"623a62f5-4b51-5a6a-85ed-78f9215ba32f","requestHash":"0a2c46a2d31d559d5d56c742a9d2ddc312b235d4fac8cb44b965bd5b4ab1c403","session":"s2","chain":"7d43318038e73a423c2c881585934f66ca9ded88f0fdd0c5950eb894ae5f3249"}}`,
];

describe('the events of changes are frozen', () => {
  testExamples(changeDecider.codecs, [refused, rejected, made]);

  test('the stored streams give the states that they always gave', () => {
    expect(foldFrozen<ChangeEvent, Change>(changeDecider, refused)).toEqual({
      kind: 'asked',
      changeId: 'Zq1Xw8Rt5Yb2Nc7Md4Kf9Ls0Hg3Jp6VaUe',
      change: {
        part: 'approval-limits',
        values: { tiers: { BTC: [{ above: '1000.00', approvals: 2 }] }, expireHours: 48 },
      },
      by: 'a1',
      until: '2026-11-29T12:03:00.500Z',
      status: 'refused',
    });
    expect(foldFrozen<ChangeEvent, Change>(changeDecider, rejected)).toMatchObject({
      change: { part: 'duty', values: { userId: 'u1', duty: 'finance' } },
      status: 'rejected',
    });
    expect(foldFrozen<ChangeEvent, Change>(changeDecider, made)).toMatchObject({
      change: { part: 'prices', values: { prices: { BTC: '61000' } } },
      status: 'made',
    });
  });
});
