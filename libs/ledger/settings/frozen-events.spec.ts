import { describe, expect, test } from '@jest/globals';
import { settingsDecider, type Settings, type SettingsEvent } from '#ledger';
import { foldFrozen, testExamples } from '#ledger/contract';

/** A stream as it stands in logs that people have; never change a line (see the account's). */
const stream = [
  String.raw`{"type":"DepositDetailsChanged","data":{"phoneNumber":"+41 44 000 00 00","email":"office@lode.example","contactAddress":"1 Example Street, Zürich","btcWallet":"bc1qexample","ethWallet":"0xexample","piWallet":"GEXAMPLE"},"id":"e9fcdc59-025a-551e-a2a4-93fa0250a17f","version":1,"stream":"settings-global","revision":0,"at":"2026-01-01T12:01:01.500Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"commandId":"b31b1359-d627-5e33-b73e-6ee76cc312ee","requestHash":"ce47edc4384c86590095bec0137c1ddedb3ff4b671e7c1ed9827387ce851a33b","correlationId":"b31b1359-d627-5e33-b73e-6ee76cc312ee","causationId":"b31b1359-d627-5e33-b73e-6ee76cc312ee","reason":"First details","session":"s2","chain":"3c67fa928d17f97eaac4bb7613821afe78652a45cb9e2e3358d9f192155718b4"}}`,
  String.raw`{"type":"DepositDetailsChanged","data":{"piWallet":"GEXAMPLE2"},"id":"daffb517-5241-59ea-a514-ca72368f8d63","version":1,"stream":"settings-global","revision":1,"at":"2026-01-01T12:01:03.000Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"commandId":"2d544519-88a7-567f-a9d9-c647f8c692cc","requestHash":"17d58802381edcbeab995f483fe1507bbf9c7e9a3db13c129d8fa17de78f4de9","correlationId":"2d544519-88a7-567f-a9d9-c647f8c692cc","causationId":"2d544519-88a7-567f-a9d9-c647f8c692cc","session":"s2","chain":"19d75cf78840b0f3dc4048ae89e82190a510d2caac264fafb9b2881f981ef10e"}}`,
  String.raw`{"type":"DollarRateSet","data":{"rate":"0.92500000"},"id":"7fe97f48-52b7-5ffe-89f0-6db4b686caf7","version":1,"stream":"settings-global","revision":2,"at":"2026-01-01T12:01:04.500Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"commandId":"0ef31a16-8ede-5073-bac7-0a96c4d7ead4","requestHash":"a53eba4dbbdd10395f444701b32e547a9d900ac17539bc0e0a91f5b962a06c72","correlationId":"0ef31a16-8ede-5073-bac7-0a96c4d7ead4","causationId":"0ef31a16-8ede-5073-bac7-0a96c4d7ead4","reason":"The bank’s rate of today","session":"s2","chain":"5cdb6120e9986d7c1fedf8296fb9a4368ddf579b4af313f9412d52d7f59f7897"}}`,
  String.raw`{"type":"PricesSet","data":{"prices":{"BTC":"60000.12345678","PI":"0.31415927"}},"id":"3985ee01-3e55-5e2e-bcd7-4a9e2f7549e1","version":1,"stream":"settings-global","revision":3,"at":"2026-01-01T12:01:06.000Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"commandId":"57cd8b08-4ce0-5e95-8adb-ee829cfdccc8","requestHash":"d420d1c6d1016e74628eb06a89c3f477f0045980ad8728694ec271d7a035e51b","correlationId":"57cd8b08-4ce0-5e95-8adb-ee829cfdccc8","causationId":"57cd8b08-4ce0-5e95-8adb-ee829cfdccc8","session":"s2","chain":"d87c7ae58e11e6705c90adc0963570dc972dcc1c4583b5bc1ca3fb6774904d90"}}`,
  String.raw`{"type":"BonusPolicySet","data":{"policy":{"rate":"0.125","windowDays":14,"everyHours":24,"capDays":10,"currency":"BTC"}},"id":"9589b25b-a093-5e19-a826-9190cdeb0d06","version":1,"stream":"settings-global","revision":4,"at":"2026-01-01T12:01:07.500Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"commandId":"75c22bef-ca8c-5e42-87ca-5f86c2d61d6c","requestHash":"34c8f607fb7151814884f1145965f00ab55ecd0c659bacee2a6ce0680bfd17bb","correlationId":"75c22bef-ca8c-5e42-87ca-5f86c2d61d6c","causationId":"75c22bef-ca8c-5e42-87ca-5f86c2d61d6c","session":"s2","chain":"14da5355ee4b6df3717eefa95c27478a51619b5ccb893d936dc6d7f91abdd6d1"}}`,
  String.raw`{"type":"ContentChanged","data":{"content":{"social":{"linkedin":"https://example.org/lode"},"team":[{"name":"Ann"}]}},"id":"2acb28f1-11cf-598a-b63e-e325eeceac0a","version":1,"stream":"settings-global","revision":5,"at":"2026-01-01T12:01:09.000Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"commandId":"ae5744cd-ab26-5371-b108-0af457e8b5a4","requestHash":"e6f974b19d7a909a19c09c5d1e853dc81aaf662c7177ef6194989f0b80bbdb38","correlationId":"ae5744cd-ab26-5371-b108-0af457e8b5a4","causationId":"ae5744cd-ab26-5371-b108-0af457e8b5a4","session":"s2","chain":"a83fed6ddc67821fb0425502e0661572c966e8b579f99cb2ce84ffefe7119641"}}`,
  String.raw`{"type":"ContentChanged","data":{"content":{"team":null}},"id":"fa68c5cb-307d-58f4-8d07-99d099e29e58","version":1,"stream":"settings-global","revision":6,"at":"2026-01-01T12:01:10.500Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"commandId":"639fdd3d-827b-5208-a728-0be78b4344e6","requestHash":"6e235f5f4e23ca647be01bcbb4763922e275a609f4ae50a751ada115c347af52","correlationId":"639fdd3d-827b-5208-a728-0be78b4344e6","causationId":"639fdd3d-827b-5208-a728-0be78b4344e6","session":"s2","chain":"f1c3481808288c2b82184f0c05f5613654ab0cfda672c522f3f23c22299c53b8"}}`,
  String.raw`{"type":"DepositDetailsChanged","data":{"email":null,"piWallet":"GEXAMPLE3"},"id":"b21bdf68-5e2a-5dd2-9eff-ffc9f99e9dd1","version":2,"stream":"settings-global","revision":7,"at":"2026-01-01T12:01:12.000Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"commandId":"64ede177-ced4-5809-82fd-31e11047f073","requestHash":"738a474f518ef6ebac70682a1c00e7d132a48e1e56f84a4d2b1a66a8e8a0c1db","correlationId":"64ede177-ced4-5809-82fd-31e11047f073","causationId":"64ede177-ced4-5809-82fd-31e11047f073","session":"s2","chain":"c1d2477a5f2bb1de90b157ab9d07434fbceeb79d43eef0265cae3edbe7f6d5d4"}}`,
  String.raw`{"type":"DepositDetailsChanged","data":{"email":"office@lode.example","piWallet":"GEXAMPLE2"},"id":"9d16c30c-ef50-5b12-89b9-9b9ff14d68e6","version":2,"stream":"settings-global","revision":8,"at":"2026-01-01T12:01:13.500Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"commandId":"7866f835-6bc2-583f-8dca-c99aca3e5c02","requestHash":"1597775f959398cb6a34a6fd6452c58f4e85b45e66364254a07c8cfb302ef8f9","correlationId":"7866f835-6bc2-583f-8dca-c99aca3e5c02","causationId":"7866f835-6bc2-583f-8dca-c99aca3e5c02","session":"s2","chain":"172970975afea78d922dfe7e38a6bac753ebb53728763eb6faab3f4875b20d66"}}`,
  String.raw`{"type":"AdminAccessSet","data":{"needsSecondFactor":true},"id":"16ab9437-df21-5a32-aadb-b5e541af488d","version":1,"stream":"settings-global","revision":9,"at":"2026-01-01T12:01:15.000Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"commandId":"c251c445-6318-5d82-b516-f234e130782f","requestHash":"2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881","correlationId":"c251c445-6318-5d82-b516-f234e130782f","causationId":"c251c445-6318-5d82-b516-f234e130782f","session":"s2","chain":"08854e37a6f47bd1305c98968efe1c0ac319b440ca174749bd40f81cb3e29191"}}`,
  String.raw`{"type":"ApprovalLimitsSet","data":{"expireHours":48,"tiers":{"BTC":[{"above":"1000.00","approvals":2},{"above":"50000.00","approvals":3}]}},"id":"23a2f267-24e5-580e-8a73-fd2ba8e3a713","version":1,"stream":"settings-global","revision":10,"at":"2026-01-01T12:01:16.500Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"causationId":"d219d0aa-aee2-52d9-a361-f8e72313d7a1","commandId":"d219d0aa-aee2-52d9-a361-f8e72313d7a1","correlationId":"d219d0aa-aee2-52d9-a361-f8e72313d7a1","reason":"Two look at it.","requestHash":"506be3b33e7c0f67ad3bf563977c2cc7d47c127406147f5fb1538139cc4c0cff","session":"s2","chain":"19450b6abfe0b2da45ddb9488061aebe1724de67aa2cafad51eb69e6fb4638d6"}}`,
];

describe('the events of the settings are frozen', () => {
  testExamples(settingsDecider.codecs, [stream]);

  test('the stored stream gives the state that it always gave', () => {
    const expected: Settings = {
      deposit: {
        phoneNumber: '+41 44 000 00 00',
        email: 'office@lode.example',
        contactAddress: '1 Example Street, Zürich',
        btcWallet: 'bc1qexample',
        ethWallet: '0xexample',
        piWallet: 'GEXAMPLE2',
      },
      prices: { BTC: 6_000_012_345_678n, PI: 31_415_927n, USDT: 100_000_000n },
      rate: 92_500_000n,
      bonusPolicy: { rate: '0.125', windowDays: 14, everyHours: 24, capDays: 10, currency: 'BTC' },
      content: { social: { linkedin: 'https://example.org/lode' } },
      adminAccess: { needsSecondFactor: true },
      approvalLimits: {
        expireHours: 48,
        tiers: {
          BTC: [
            { above: 100_000n, approvals: 2 },
            { above: 5_000_000n, approvals: 3 },
          ],
        },
      },
    };
    expect(foldFrozen<SettingsEvent, Settings>(settingsDecider, stream)).toEqual(expected);
  });
});
