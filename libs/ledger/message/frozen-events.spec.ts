import { describe, expect, test } from '@jest/globals';
import { messageDecider, type Message, type MessageEvent } from '#ledger';
import { foldFrozen, testExamples } from '#ledger/contract';

/** A stream as it stands in logs that people have; never change a line (see the account's). */
const stream = [
  String.raw`{"type":"MessageSent","data":{"messageId":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA1","userId":"u1","sealed":"v1.AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"},"id":"d716d407-682c-5642-9016-36acad8b9125","version":1,"stream":"message-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA1","revision":0,"at":"2026-01-01T12:01:01.500Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"commandId":"91f0ca65-ca94-516e-8970-da5af80058a6","requestHash":"871d2049deaee29fd65d69e6557671aa62142ab0949788bf64ded0d28e2d1c44","correlationId":"91f0ca65-ca94-516e-8970-da5af80058a6","causationId":"91f0ca65-ca94-516e-8970-da5af80058a6","session":"s2","chain":"25e5bf986f5b573ca3dfa3142a9fb7b0691806095d3f4631eb9c5fd240cf4063"}}`,
  String.raw`{"type":"MessageRead","data":{"messageId":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA1"},"id":"7b78cef8-486b-56f7-9817-5797cb897a20","version":1,"stream":"message-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA1","revision":1,"at":"2026-01-01T12:01:03.000Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"commandId":"74b32830-c109-5672-b86f-68efb685b32a","requestHash":"7f1dd00d7fbed7a78dbe11a52260ffb25899d04d17d969742651d63831b536e6","correlationId":"74b32830-c109-5672-b86f-68efb685b32a","causationId":"74b32830-c109-5672-b86f-68efb685b32a","session":"s2","chain":"8dd5b44aa74c4c8fd8e5e6fab525f06b8b769dcd07fc99a25ecc6ac90e7659f0"}}`,
  String.raw`{"type":"MessageUnread","data":{"messageId":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA1"},"id":"c8ccb66e-23f6-53ac-93d5-d563f609cbd3","version":1,"stream":"message-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA1","revision":2,"at":"2026-01-01T12:01:04.500Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"commandId":"2d57b8ab-0269-5811-a177-5fbd2de2be55","requestHash":"7f1fb88b85cce1407458bac5a0aa35e9c88b24f073350d6c514d86bdeafd82f4","correlationId":"2d57b8ab-0269-5811-a177-5fbd2de2be55","causationId":"2d57b8ab-0269-5811-a177-5fbd2de2be55","session":"s2","chain":"c23364cd9a7223f4966cbecec5337c23893a7026963b7e718f8b7e7ed7e6dc5b"}}`,
  String.raw`{"type":"MessageForgotten","data":{"messageId":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA1"},"id":"2e465266-1b5b-59a4-bcd1-318d275df6c3","version":1,"stream":"message-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA1","revision":3,"at":"2026-01-01T12:01:06.000Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"commandId":"5f602b54-efff-568c-8243-512d4f92b12b","requestHash":"4a39371524b9c3e7d00f40771713748cb093b70fb56f0482e2f51ab9a237e0ca","correlationId":"5f602b54-efff-568c-8243-512d4f92b12b","causationId":"5f602b54-efff-568c-8243-512d4f92b12b","reason":"The sender asked for it","session":"s2","chain":"c9010fa778de93a0167aafe3ed96a49c6bbe24888a35068995e91fb8a5986e4c"}}`,
];

describe('the events of a message are frozen', () => {
  testExamples(messageDecider.codecs, [stream]);

  test('the stored stream gives the states that it always gave', () => {
    const messageId = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA1';
    const states = stream.map((_, n) =>
      foldFrozen<MessageEvent, Message>(messageDecider, stream.slice(0, n + 1)),
    );
    expect(states).toEqual([
      { kind: 'sent', messageId, isRead: false },
      { kind: 'sent', messageId, isRead: true },
      { kind: 'sent', messageId, isRead: false },
      { kind: 'forgotten', messageId },
    ]);
  });
});
