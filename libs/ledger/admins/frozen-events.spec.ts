import { describe, expect, test } from '@jest/globals';
import { adminsDecider, type Admins, type AdminsEvent } from '#ledger';
import { foldFrozen, testExamples } from '#ledger/contract';

/** A stream as it stands in logs that people have; never change a line (see the account's). */
const stream = [
  String.raw`{"type":"AdminAdmitted","data":{"userId":"u1"},"id":"93dedff6-df96-5acc-9142-c99c1ef10fc2","version":1,"stream":"admins","revision":0,"at":"2026-01-01T12:00:00.000Z","meta":{"actor":{"kind":"system","id":"admins","role":"system"},"causationId":"9e387e1c-6180-585c-9e43-c7d1638ff42a","commandId":"9e387e1c-6180-585c-9e43-c7d1638ff42a","correlationId":"9e387e1c-6180-585c-9e43-c7d1638ff42a","requestHash":"bb82030dbc2bcaba32a90bf2e207a84a856fc5f033b77c480836ab6f77f40f19","chain":"5df2af48e463ad960cdc0d8dce3fd412fe1cdcf0e1b4de2034bcff819a7ca1ff"}}`,
  String.raw`{"type":"AdminAdmitted","data":{"userId":"u2"},"id":"bb38a8c8-b085-53a7-8cc5-65e2ba442bc5","version":1,"stream":"admins","revision":1,"at":"2026-01-02T12:00:00.000Z","meta":{"actor":{"kind":"system","id":"admins","role":"system"},"causationId":"4ec55ab5-1d04-504a-94ec-0068c0b37415","commandId":"4ec55ab5-1d04-504a-94ec-0068c0b37415","correlationId":"4ec55ab5-1d04-504a-94ec-0068c0b37415","requestHash":"6ca202c88e549dff68c09bfafbfc60b2fac074debc1e6777e9ba4b6c703ed114","chain":"45f6c7acde77de72e7c1954fea68f74b3eb0f7d55a42fb0b35603ca31733f4d5"}}`,
  String.raw`{"type":"AdminSuspended","data":{"userId":"u2"},"id":"0cc5f46f-758e-5782-afe8-e547fcdee960","version":1,"stream":"admins","revision":2,"at":"2026-01-03T12:00:00.000Z","meta":{"actor":{"kind":"person","id":"u1","role":"admin"},"causationId":"19414a1c-eee8-5a6d-9677-8c93cbda7378","commandId":"19414a1c-eee8-5a6d-9677-8c93cbda7378","correlationId":"19414a1c-eee8-5a6d-9677-8c93cbda7378","requestHash":"6ca202c88e549dff68c09bfafbfc60b2fac074debc1e6777e9ba4b6c703ed114","chain":"242c8396a5aa4364da3142a65cbc3423132246ac0632dd8d67ffcda3a8a01063"}}`,
  String.raw`{"type":"AdminActivated","data":{"userId":"u2"},"id":"a6ef4c15-c3d4-5563-8f3d-36971feefacd","version":1,"stream":"admins","revision":3,"at":"2026-01-04T12:00:00.000Z","meta":{"actor":{"kind":"person","id":"u1","role":"admin"},"causationId":"b1a20dcb-174a-5058-a391-df489a83e3b3","commandId":"b1a20dcb-174a-5058-a391-df489a83e3b3","correlationId":"b1a20dcb-174a-5058-a391-df489a83e3b3","requestHash":"6ca202c88e549dff68c09bfafbfc60b2fac074debc1e6777e9ba4b6c703ed114","chain":"e9136af922892a06e3d7b0c8902844e32378324c5bab16b8cff249d5ee1ada79"}}`,
  String.raw`{"type":"AdminRemoved","data":{"userId":"u2"},"id":"b5dc0109-ab25-5b4f-8fbe-2aeaa196478f","version":1,"stream":"admins","revision":4,"at":"2026-01-05T12:00:00.000Z","meta":{"actor":{"kind":"operator","id":"operator","role":"system"},"causationId":"9472c164-7e32-58ee-b7e5-40e9ad76f8f1","commandId":"9472c164-7e32-58ee-b7e5-40e9ad76f8f1","correlationId":"9472c164-7e32-58ee-b7e5-40e9ad76f8f1","requestHash":"6ca202c88e549dff68c09bfafbfc60b2fac074debc1e6777e9ba4b6c703ed114","chain":"fe36f4da6596c175f67e3b3a13bb4450628af3981d050f7897b56c41c8aed18d"}}`,
  String.raw`{"type":"AdminDutyChanged","data":{"duty":"support","userId":"u1"},"id":"5d1c8a54-93f6-5f0a-9f3c-2f3f8f7d6b11","version":1,"stream":"admins","revision":5,"at":"2026-01-06T12:00:00.000Z","meta":{"actor":{"kind":"operator","id":"operator","role":"system"},"causationId":"0b9d4c1e-6a7f-5a3e-8f21-7d5e4c3b2a10","commandId":"0b9d4c1e-6a7f-5a3e-8f21-7d5e4c3b2a10","correlationId":"0b9d4c1e-6a7f-5a3e-8f21-7d5e4c3b2a10","requestHash":"6ca202c88e549dff68c09bfafbfc60b2fac074debc1e6777e9ba4b6c703ed114","chain":"1a61cdfa1a1ca24ade52d109e8a04ee20e6439f4d82aa154bff85cc67022f52c"}}`,
  String.raw`{"type":"AdminExpected","data":{"duty":"auditor","userId":"u3"},"id":"72e3e82b-631f-55a8-98b2-65ceea3b6947","version":1,"stream":"admins","revision":6,"at":"2026-01-07T12:00:00.000Z","meta":{"actor":{"kind":"system","id":"admins","role":"system"},"causationId":"4ec55ab5-1d04-504a-94ec-0068c0b37416","commandId":"4ec55ab5-1d04-504a-94ec-0068c0b37416","correlationId":"4ec55ab5-1d04-504a-94ec-0068c0b37416","requestHash":"f1bd633256020ebe7f8cb4c4f7d021265171e5172f78f2bcca98374b8c97a361","chain":"41b2ec4f0c6701b613c4dc7b30f788786edd03a2cc2f0ca7097d88ab19130225"}}`,
];

describe('the events of the list of admins are frozen', () => {
  testExamples(adminsDecider.codecs, [stream]);

  test('the stored stream gives the state that it always gave', () => {
    expect(foldFrozen<AdminsEvent, Admins>(adminsDecider, stream)).toEqual(
      new Map([
        ['u1', { standing: 'active', duty: 'support' }],
        ['u2', { standing: 'removed', duty: 'owner' }],
        ['u3', { standing: 'expected', duty: 'auditor' }],
      ]),
    );
  });
});
