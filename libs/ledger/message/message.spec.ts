import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { InvariantViolation, isLodeError } from '#kernel';
import { messageDecider, messageStream, type Message, type MessageCommand, type MessageEvent } from '#ledger';

const { decide, evolve, initial } = messageDecider;
const NOW = '2026-01-01T00:00:00.000Z';
const sending = { type: 'SendMessage', messageId: 'm1', userId: undefined, sealed: 'v1.a.b' } as const;
const refusal = expect.objectContaining({ code: 'message_not_found' });

function after(...commands: readonly MessageCommand[]): Message {
  return commands.reduce<Message>((state, one) => decide(one, state, NOW).reduce(evolve, state), initial);
}

describe('a message', () => {
  test('is sent unread, by a customer or a visitor', () => {
    expect(messageStream('m1')).toBe('message-m1');
    expect(after(sending)).toEqual({ kind: 'sent', messageId: 'm1', isRead: false });
    expect(decide(sending, initial, NOW)).toEqual([
      { type: 'MessageSent', data: { messageId: 'm1', sealed: 'v1.a.b' } },
    ]);
    expect(decide({ ...sending, userId: 'u1' }, initial, NOW)[0]?.data).toMatchObject({ userId: 'u1' });
  });

  test('is read, unread again and read again', () => {
    const read = after(sending, { type: 'ReadMessage' });
    expect(read).toMatchObject({ isRead: true });
    const unread = decide({ type: 'UnreadMessage' }, read, NOW).reduce(evolve, read);
    expect(unread).toMatchObject({ isRead: false });
    expect(decide({ type: 'ReadMessage' }, unread, NOW)).toHaveLength(1);
  });

  test.each(['ReadMessage', 'UnreadMessage', 'ForgetMessage'] as const)(
    'that nobody sent refuses %s',
    (type) => {
      expect(() => decide({ type }, initial, NOW)).toThrow(refusal);
    },
  );

  test.each([{ type: 'ReadMessage' }, { type: 'UnreadMessage' }, sending] as const)(
    'that is forgotten refuses $type',
    (command) => {
      expect(() => decide(command, after(sending, { type: 'ForgetMessage' }), NOW)).toThrow(refusal);
    },
  );

  test('asked for what is already so gives no events', () => {
    const command = fc.constantFrom<MessageCommand>(
      sending,
      { type: 'ReadMessage' },
      { type: 'UnreadMessage' },
      { type: 'ForgetMessage' },
    );
    const taken = (one: MessageCommand, state: Message) => {
      try {
        return decide(one, state, NOW);
      } catch (error) {
        if (isLodeError(error)) return [];
        throw error;
      }
    };
    fc.assert(
      fc.property(fc.array(command), command, (before, one) => {
        const step = (state: Message, next: MessageCommand) => taken(next, state).reduce(evolve, state);
        const state = [...before, one].reduce(step, initial);
        expect(taken(one, state)).toEqual([]);
      }),
    );
  });

  test('folding what no decision gives stops', () => {
    const sent = decide(sending, initial, NOW);
    const forgotten = after(sending, { type: 'ForgetMessage' });
    const read: MessageEvent = { type: 'MessageRead', data: { messageId: 'm1' } };
    expect(() => sent.reduce(evolve, after(sending))).toThrow(InvariantViolation);
    expect(() => evolve(forgotten, read)).toThrow(InvariantViolation);
    expect(() => evolve(initial, read)).toThrow(InvariantViolation);
  });
});
