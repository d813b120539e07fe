import { eventCodecs, plainCodec, type EventCodecs } from '#kernel';
import type { AccessEvent } from './events.js';

/** How the events are stored: just as they are. */
export const accessCodecs: EventCodecs<AccessEvent> = eventCodecs<AccessEvent>({
  SignedIn: plainCodec(),
  SignInRefused: plainCodec(),
  SessionEnded: plainCodec(),
  SessionsEnded: plainCodec(),
  PasswordChanged: plainCodec(),
  PasswordReset: plainCodec(),
  SecondFactorChanged: plainCodec(),
  EmailChangeAsked: plainCodec(),
  EmailChangeConfirmed: plainCodec(),
  EmailChanged: plainCodec(),
  EmailChangeFailed: plainCodec(),
  TransferPinSet: plainCodec(),
  TransferPinRefused: plainCodec(),
  ParkedEventDiscarded: plainCodec(),
});
