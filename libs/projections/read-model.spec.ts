import { describe, expect, test } from '@jest/globals';
import {
  accessDecider,
  accountDecider,
  changeDecider,
  invitationDecider,
  messageDecider,
  productDecider,
  settingsDecider,
  type MessageEvent,
} from '#ledger';
import { ignore, logModel, readModel, walletModels, type Handler, type Handlers } from '#projections';
import type { Document } from '#read-store';
import { recorded } from './testing/index.js';

type Seen = Document & { readonly seen: string };

const common = { name: 'seen', version: 1, indexes: [], ownerOf: () => null };
const see: Handler<MessageEvent, Seen> = ({ data, position, type }) => [
  { id: data.messageId, change: () => ({ id: data.messageId, position, seen: type }) },
];
const all = { MessageSent: see, MessageRead: see, MessageUnread: ignore, MessageForgotten: see } as const;
const event = (type: string) => recorded(1, 'message-m', type, { messageId: 'm' });

describe('a read model of some streams', () => {
  const model = readModel<MessageEvent, Seen>({ ...common, on: all });

  test('handles what has a handler, and not what it ignores', () => {
    expect(model.handles).toEqual(['MessageSent', 'MessageRead', 'MessageForgotten']);
    expect(model.on(event('MessageRead'))[0]?.change(undefined)).toMatchObject({ seen: 'MessageRead' });
    expect(model.on(event('MessageUnread'))).toEqual([]);
  });

  test.each(['AccountOpened', 'constructor', 'toString', ''])('changes nothing for %j', (type) => {
    expect(model.on(event(type))).toEqual([]);
  });

  // The compiler is the test: where the next line has no error, the comment that expects one is an error.
  test('does not compile when an event of its streams is left out, or is not one of them', () => {
    const define = (on: Handlers<MessageEvent, Seen>) => readModel({ ...common, on });
    const { MessageUnread: _, ...some } = all;
    const wrong = (seen: { readonly type: 'MessageSent' }) => [{ id: seen.type, change: () => undefined }];
    // @ts-expect-error: nothing is said about MessageUnread
    const incomplete = define(some);
    // @ts-expect-error: messages know no MessageLost
    define({ ...all, MessageLost: see });
    // @ts-expect-error: this handler is for another event
    define({ ...all, MessageRead: wrong });
    expect(incomplete.handles).not.toContain('MessageUnread');
  });
});

describe('a read model of the whole log', () => {
  test('is given every event, whatever its type', () => {
    const model = logModel<Seen>({
      ...common,
      on: ({ id, position, type }) => [{ id, change: () => ({ id, position, seen: type }) }],
    });
    expect(model.handles).toBe('all');
    expect(model.on(event('Unheard'), 1)[0]?.change(undefined)).toMatchObject({ seen: 'Unheard' });
  });
});

test('what read models of the wallet handle are events that the ledger decides', () => {
  const deciders = [
    accessDecider,
    accountDecider,
    changeDecider,
    invitationDecider,
    messageDecider,
    productDecider,
    settingsDecider,
  ];
  const known = new Set(deciders.flatMap(({ codecs }) => Object.keys(codecs.versions)));
  for (const { handles } of walletModels)
    if (handles !== 'all') for (const type of handles) expect(known).toContain(type);
});
