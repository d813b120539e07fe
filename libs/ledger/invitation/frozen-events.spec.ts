import { describe, expect, test } from '@jest/globals';
import { invitationDecider, type Invitation, type InvitationEvent } from '#ledger';
import { foldFrozen, testExamples } from '#ledger/contract';

/** A stream as it stands in logs that people have; never change a line (see the account's). */
const stream = [
  String.raw`{"type":"InvitationIssued","data":{"invitationId":"i1","role":"admin","expiresAt":"2026-01-08T00:00:00.000Z"},"id":"080f783f-0615-5cc5-ab3d-9950c638bd18","version":1,"stream":"invitation-i1","revision":0,"at":"2026-01-01T12:00:10.500Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"commandId":"1d79fa7a-040b-5b11-82e4-5fc55b7f592c","requestHash":"0df80feb56c00ace7130844bf2e6111c29a904532e228c3150d0f2bafb4d33ea","correlationId":"1d79fa7a-040b-5b11-82e4-5fc55b7f592c","causationId":"1d79fa7a-040b-5b11-82e4-5fc55b7f592c","session":"s2","chain":"efd0e61500a54ecd579b973f29f6ca26e481ba42eeafac5bcf61827ccd82804b"}}`,
  String.raw`{"type":"InvitationAccepted","data":{"invitationId":"i1","userId":"u2"},"id":"28f61acd-0d98-5562-881c-f3d92662c210","version":1,"stream":"invitation-i1","revision":1,"at":"2026-01-01T12:00:12.000Z","meta":{"actor":{"kind":"person","id":"u1","role":"user"},"commandId":"686b08c2-4272-527a-9c75-07d50fe2e14b","requestHash":"65486f48794c77a00451e69206cd222c3c9988fad57c1a781fc6e0c7cab80d33","correlationId":"686b08c2-4272-527a-9c75-07d50fe2e14b","causationId":"686b08c2-4272-527a-9c75-07d50fe2e14b","chain":"1e49653bdb1ca382c60542f6336dd658a77241de79f2843c04cdae3cd65243dc"}}`,
];

/** Another one, which was taken back; never change a line of it either. */
const revoked = [
  String.raw`{"type":"InvitationIssued","data":{"invitationId":"i2","role":"admin","expiresAt":"2026-01-08T00:00:00.000Z"},"id":"001c8462-a2bc-53a0-94c6-4b40296c2992","version":1,"stream":"invitation-i2","revision":0,"at":"2026-01-01T12:00:20.500Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"causationId":"3d79fa7a-040b-5b11-82e4-5fc55b7f592d","commandId":"3d79fa7a-040b-5b11-82e4-5fc55b7f592d","correlationId":"3d79fa7a-040b-5b11-82e4-5fc55b7f592d","requestHash":"2d23c9a4abf1ec42b0d051bb63e6c369c955f9aefa9de319383034d7407a4af0","session":"s2","chain":"69834af4207a067ac4998a1f56929a4149b508cb128f2e52cdf93f242ba23614"}}`,
  String.raw`{"type":"InvitationRevoked","data":{"invitationId":"i2"},"id":"f867af44-b940-5310-82be-73afc466359c","version":1,"stream":"invitation-i2","revision":1,"at":"2026-01-01T12:00:21.000Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"causationId":"4d79fa7a-040b-5b11-82e4-5fc55b7f592e","commandId":"4d79fa7a-040b-5b11-82e4-5fc55b7f592e","correlationId":"4d79fa7a-040b-5b11-82e4-5fc55b7f592e","reason":"Sent to the wrong address.","requestHash":"94a88df48ff789b6ec8c082f91098d31629bd3b5f5efeb13b8e27d471e67690e","session":"s2","chain":"379ae255c8127282047d0f3c0cff1bbf71abae29f47f59a28a6319b26e4eae83"}}`,
];
/** One that makes less than an owner; never change it either. */
const forDuty = [
  String.raw`{"type":"InvitationIssued","data":{"duty":"support","expiresAt":"2026-01-08T00:00:00.000Z","invitationId":"i3","role":"admin"},"id":"54e0d16b-fedc-54b2-9e38-3870761cbb9d","version":2,"stream":"invitation-i3","revision":0,"at":"2026-01-01T12:00:30.500Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"causationId":"5d79fa7a-040b-5b11-82e4-5fc55b7f592f","commandId":"5d79fa7a-040b-5b11-82e4-5fc55b7f592f","correlationId":"5d79fa7a-040b-5b11-82e4-5fc55b7f592f","requestHash":"b1b58e01f457fd2be8907d8b005b1f90e166be7ed5548304a123eab9a04e8f01","session":"s2","chain":"e4ca152f5f6bd027b04de18c8570a1a9dda27bde47a8ff3c78437b9176b00b9e"}}`,
];

describe('the events of an invitation are frozen', () => {
  testExamples(invitationDecider.codecs, [stream, revoked, forDuty]);

  test('the stored stream gives the state that it always gave', () => {
    const before = foldFrozen<InvitationEvent, Invitation>(invitationDecider, stream.slice(0, 1));
    const issued = { kind: 'issued', expiresAt: '2026-01-08T00:00:00.000Z' };
    expect(before).toEqual({ ...issued, invitationId: 'i1', duty: 'owner' });
    const after = foldFrozen<InvitationEvent, Invitation>(invitationDecider, stream);
    expect(after).toEqual({ kind: 'accepted', invitationId: 'i1', duty: 'owner', userId: 'u2' });
    const back = foldFrozen<InvitationEvent, Invitation>(invitationDecider, revoked);
    expect(back).toEqual({ kind: 'revoked', invitationId: 'i2' });
    const less = foldFrozen<InvitationEvent, Invitation>(invitationDecider, forDuty);
    expect(less).toEqual({ ...issued, invitationId: 'i3', duty: 'support' });
  });
});
