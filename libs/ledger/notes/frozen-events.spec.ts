import { describe, expect, test } from '@jest/globals';
import { notesDecider, type Notes, type NotesEvent } from '#ledger';
import { foldFrozen, testExamples } from '#ledger/contract';

/** A stream as it stands in logs that people have; never change a line (see the account's). */
const stream = [
  String.raw`{"type":"NoteAdded","data":{"userId":"u1","noteId":"n1","sealed":"v1.AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"},"id":"2e84e806-d31f-5ea3-90e2-effb7dd4dceb","version":1,"stream":"notes-u1","revision":0,"at":"2026-01-01T12:03:00.500Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"causationId":"5d79fa7a-040b-5b11-82e4-5fc55b7f5920","commandId":"5d79fa7a-040b-5b11-82e4-5fc55b7f5920","correlationId":"5d79fa7a-040b-5b11-82e4-5fc55b7f5920","requestHash":"d905d024419dce80fea49798b905e173104d93d00419c629a1485682abf284db","session":"s2","chain":"9df2ab083121d787390407e411fb35faf6be2b7100ca140ac8c08d3bb1e8e161"}}`,
  String.raw`{"type":"NoteAdded","data":{"userId":"u1","noteId":"n2","sealed":"v1.AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"},"id":"d7e508e0-ddf6-5c8f-a34e-48cdb492cd2b","version":1,"stream":"notes-u1","revision":1,"at":"2026-01-01T12:03:01.500Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"causationId":"5d79fa7a-040b-5b11-82e4-5fc55b7f5921","commandId":"5d79fa7a-040b-5b11-82e4-5fc55b7f5921","correlationId":"5d79fa7a-040b-5b11-82e4-5fc55b7f5921","requestHash":"23b34dcd5442a9371470d6ef1d6751f0f7bb65b9675050d60f3b97a5fb2baec9","session":"s2","chain":"12a2885a9dbd68ff9a194b5e15589a47038ee467163775fa1db08f799a758748"}}`,
];

describe('the events of notes are frozen', () => {
  testExamples(notesDecider.codecs, [stream]);

  test('the stored stream gives the state that it always gave', () => {
    expect(foldFrozen<NotesEvent, Notes>(notesDecider, stream)).toEqual({ last: 'n2' });
  });
});
