import { LodeError } from '#kernel';
import type { Server } from './server.js';

/** What callers hear of all that is told here to operators. */
const told = "The event store can't be reached.";

type Reason = {
  /** What gRPC, Node or OpenSSL say of the last attempt to connect. */
  readonly said: RegExp;
  readonly tls?: boolean;
  readonly sentence: (address: string) => string;
};

/** Why a server is not reached, as far as it can be told; the first that fits. */
const reasons: readonly Reason[] = [
  {
    said: /wrong version number|packet length too long|before secure TLS connection/i,
    tls: true,
    sentence: (address) =>
      `EventStoreDB at ${address} does not speak TLS there: correct the port, have the server use a certificate, or set tls=false where nobody else can listen.`,
  },
  {
    said: /ERR_TLS_CERT_ALTNAME_INVALID/,
    sentence: (address) =>
      `The certificate of EventStoreDB at ${address} is for other names: use one of them in the connection string, or have a certificate made for this one.`,
  },
  {
    said: /certificate (?:has expired|is not yet valid)/i,
    sentence: (address) =>
      `The certificate of EventStoreDB at ${address} is not valid today: renew it, or correct the clock of this machine.`,
  },
  {
    said: /certificate/i,
    sentence: (address) =>
      `The certificate of EventStoreDB at ${address} is not signed by anybody known here: name the file of its authority in the connection string, as tlsCAFile=/path/ca.crt.`,
  },
  {
    said: /Failed to connect|ECONNRESET/,
    tls: false,
    sentence: (address) =>
      `EventStoreDB at ${address} ends connections as soon as they are made. If it speaks TLS, take tls=false out of the connection string.`,
  },
  {
    said: /UNIMPLEMENTED/,
    sentence: (address) =>
      `What answers at ${address} is no EventStoreDB of release 21.10 or later: correct the port, or upgrade the server.`,
  },
  {
    said: /Name resolution failed/,
    sentence: (address) => `There is no host of the name in ${address}: correct the connection string.`,
  },
  {
    said: /Failed to discover/,
    sentence: (address) =>
      `No server of the EventStoreDB cluster at ${address} can be reached: look at the name and port, at tls= and tlsCAFile= in the connection string, and whether the servers run.`,
  },
];

/** The server cannot be reached and nothing was written. Says why, and what to do, where the cause tells. */
export function unavailable(cause: unknown, { address, hasTls }: Server): LodeError {
  const said = cause instanceof Error ? cause.message : '';
  const reason = reasons.find((one) => (one.tls ?? hasTls) === hasTls && one.said.test(said));
  const message =
    reason?.sentence(address) ??
    `EventStoreDB at ${address} cannot be reached: see whether it runs, and whether the address is right.`;
  return new LodeError('unavailable', message, {}, { cause, told });
}

/** The server has answered, and then said nothing to what it was asked. */
export function silent(asked: string, ms: number, { address }: Server): LodeError {
  return new LodeError(
    'unavailable',
    `EventStoreDB at ${address} answers, but gave no answer within ${ms / 1_000} seconds when it was asked ${asked}: look at its own log and at its disk.`,
    {},
    { told },
  );
}

/** The server answered an earlier release's way, in which appends cannot be sent as they are here. */
export function tooOld({ address }: Server): LodeError {
  return new LodeError(
    'unavailable',
    `EventStoreDB at ${address} is older than release 21.10: upgrade the server.`,
    {},
    { told },
  );
}

/** The server refuses the user, or that there is none. `isKnown`: it knows the user, who may not do this. */
export function accessDenied(cause: unknown, isKnown: boolean, server: Server): LodeError {
  return new LodeError('unavailable', refusal(isKnown, server), {}, { cause, told });
}

function refusal(isKnown: boolean, { address, hasUser, hasTls }: Server): string {
  if (!hasUser)
    return `EventStoreDB at ${address} wants a name and password: put them into the connection string, as in esdb://name:password@host:2113.`;
  if (!hasTls)
    return `EventStoreDB at ${address} wants a name and password, which are not sent without TLS: take tls=false out of the connection string.`;
  if (isKnown)
    return `EventStoreDB at ${address} does not let the user of the connection string do this: give that user the right to read $all and to read and write streams.`;
  return `EventStoreDB at ${address} refuses the name and password of the connection string: correct them.`;
}
