import { describe, expect, test } from '@jest/globals';
import { invitationDecider, type Invitation, type InvitationEvent } from '#ledger';
import { exampleTypes, foldFrozen, holdsChain, storedAgain } from '#ledger/testing';

/** A stream as it stands in logs that people have; never change a line (see the account's). */
const stream = [
  String.raw`{"type":"InvitationIssued","data":{"invitationId":"i1","role":"admin","expiresAt":"2026-01-08T00:00:00.000Z"},"id":"080f783f-0615-5cc5-ab3d-9950c638bd18","version":1,"stream":"invitation-i1","revision":0,"at":"2026-01-01T12:00:10.500Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"commandId":"1d79fa7a-040b-5b11-82e4-5fc55b7f592c","requestHash":"0df80feb56c00ace7130844bf2e6111c29a904532e228c3150d0f2bafb4d33ea","correlationId":"1d79fa7a-040b-5b11-82e4-5fc55b7f592c","causationId":"1d79fa7a-040b-5b11-82e4-5fc55b7f592c","session":"s2","chain":"efd0e61500a54ecd579b973f29f6ca26e481ba42eeafac5bcf61827ccd82804b"}}`,
  String.raw`{"type":"InvitationAccepted","data":{"invitationId":"i1","userId":"u2"},"id":"28f61acd-0d98-5562-881c-f3d92662c210","version":1,"stream":"invitation-i1","revision":1,"at":"2026-01-01T12:00:12.000Z","meta":{"actor":{"kind":"person","id":"u1","role":"user"},"commandId":"686b08c2-4272-527a-9c75-07d50fe2e14b","requestHash":"65486f48794c77a00451e69206cd222c3c9988fad57c1a781fc6e0c7cab80d33","correlationId":"686b08c2-4272-527a-9c75-07d50fe2e14b","causationId":"686b08c2-4272-527a-9c75-07d50fe2e14b","chain":"1e49653bdb1ca382c60542f6336dd658a77241de79f2843c04cdae3cd65243dc"}}`,
];

describe('the events of an invitation are frozen', () => {
  test('every type has an example in the version that is written today', () => {
    expect(exampleTypes(stream)).toEqual(
      expect.arrayContaining(Object.entries(invitationDecider.codecs.versions)),
    );
  });

  test('no example is of a type that the program has forgotten', () => {
    const known = Object.keys(invitationDecider.codecs.versions);
    expect(exampleTypes(stream).filter(([type]) => !known.includes(type))).toEqual([]);
  });

  test('each example is read, and one of today’s version would be stored as the very same text', () => {
    for (const { stored, again } of storedAgain(invitationDecider.codecs, stream)) expect(again).toBe(stored);
  });

  test('the chain of the stored stream holds', () => {
    expect(holdsChain(stream)).toBe(true);
  });

  test('the stored stream gives the state that it always gave', () => {
    const before = foldFrozen<InvitationEvent, Invitation>(invitationDecider, stream.slice(0, 1));
    expect(before).toEqual({ kind: 'issued', invitationId: 'i1', expiresAt: '2026-01-08T00:00:00.000Z' });
    const after = foldFrozen<InvitationEvent, Invitation>(invitationDecider, stream);
    expect(after).toEqual({ kind: 'accepted', invitationId: 'i1', userId: 'u2' });
  });
});
