import { unreachable } from '#kernel';
import {
  accountDecider,
  accountStream,
  type AccountCommand,
  type AccountEvent,
  type LedgerEvent,
} from '#ledger';
import type { Reactor, ReactorCommand } from './reactor.js';

type TransferEvent = Extract<
  AccountEvent,
  { readonly type: 'TransferConfirmed' | 'TransferReceived' | 'TransferRefused' }
>;

/** What takes a confirmed transfer to its receiver, and the answer back. */
export type TransferStep = Extract<
  AccountCommand,
  { readonly type: 'ReceiveTransfer' | 'SettleTransfer' | 'ReturnTransfer' }
>;

const STREAM_PREFIX = accountStream('');

/**
 * Takes a confirmed transfer from its sender to its receiver, and the answer back: three commands to two streams, each
 * because of the event that the one before left. Between them the money stands in `transit`.
 */
export const transfers: Reactor<TransferStep, 'transfers'> = {
  name: 'transfers',
  handles: [
    'TransferConfirmed',
    'TransferReceived',
    'TransferRefused',
  ] satisfies readonly LedgerEvent['type'][],
  // Transfers have nothing to do with each other: one that fails holds back no other.
  keyOf: ({ type, data }) => {
    const id = type === 'TransferConfirmed' ? data['requestId'] : data['transferId'];
    return typeof id === 'string' ? id : '';
  },
  on: (stored) => follow(accountDecider.codecs.decode(stored) as TransferEvent, stored.stream),
};

function follow(event: TransferEvent, stream: string): readonly ReactorCommand<TransferStep>[] {
  switch (event.type) {
    case 'TransferConfirmed': {
      const { amount, converted, currency, price, receiver, requestId: transferId } = event.data;
      if (receiver === null) return [];
      const from = stream.slice(STREAM_PREFIX.length);
      // What was sent, to the last unit: nothing is converted again on the way.
      const conversion = { amount, converted, currency, price };
      const command = { type: 'ReceiveTransfer', transferId, from, conversion } as const;
      return [{ stream: accountStream(receiver.userId), step: 'receive', command }];
    }
    case 'TransferReceived': {
      const { from, transferId: requestId } = event.data;
      return [
        { stream: accountStream(from), step: 'settle', command: { type: 'SettleTransfer', requestId } },
      ];
    }
    case 'TransferRefused': {
      const { from, transferId: requestId } = event.data;
      return [
        { stream: accountStream(from), step: 'return', command: { type: 'ReturnTransfer', requestId } },
      ];
    }
    default:
      return unreachable(event);
  }
}
