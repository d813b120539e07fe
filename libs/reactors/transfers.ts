import { unreachable, type RecordedEvent } from '#kernel';
import {
  accountStream,
  parseDecimal,
  parseMoney,
  PRICE_SCALE,
  type AccountCommand,
  type AccountEvent,
  type PaymentCurrency,
  type Worth,
} from '#ledger';
import type { Reactor, ReactorCommand } from './reactor.js';

type TransferEvent = RecordedEvent<
  Extract<AccountEvent, { readonly type: 'TransferConfirmed' | 'TransferReceived' | 'TransferRefused' }>
>;

const STREAM_PREFIX = accountStream('');

/**
 * Takes a confirmed transfer from its sender to its receiver, and the answer back: three commands to two streams, each
 * because of the event that the one before left. Between them the money stands in `transit`.
 */
export const transfers: Reactor<AccountCommand> = {
  name: 'transfers',
  handles: ['TransferConfirmed', 'TransferReceived', 'TransferRefused'],
  // Transfers have nothing to do with each other: one that fails holds back no other.
  keyOf: (event) => transferIdOf(event as TransferEvent),
  on: (event) => follow(event as TransferEvent),
};

function transferIdOf({ type, data }: TransferEvent): string {
  return type === 'TransferConfirmed' ? data.requestId : data.transferId;
}

function follow(event: TransferEvent): readonly ReactorCommand<AccountCommand>[] {
  switch (event.type) {
    case 'TransferConfirmed': {
      const { receiver, requestId: transferId } = event.data;
      if (receiver === null) return [];
      const from = event.stream.slice(STREAM_PREFIX.length);
      const command = { type: 'ReceiveTransfer', transferId, from, worth: worthIn(event.data) } as const;
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

type WorthAsText = {
  readonly currency: PaymentCurrency;
  readonly amount: string;
  readonly price: string;
  readonly converted: string;
};

/** What an event says that was sent, to the last unit: nothing is converted again on the way. */
function worthIn({ currency, amount, price, converted }: WorthAsText): Worth {
  return {
    currency,
    amount: parseMoney(amount, 'USD'),
    price: parseDecimal(price, PRICE_SCALE),
    converted: parseMoney(converted, currency),
  };
}
