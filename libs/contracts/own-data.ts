import { z } from 'zod';
import { accountEvents, json } from './audit.js';
import { secondFactorState, securityEvents, sessions } from './auth.js';
import { fileId, instant, position } from './common.js';
import { mail, pendingEmail } from './mail.js';
import { message } from './messages.js';
import { securityProof } from './proof.js';
import { notification, transaction } from './transactions.js';
import { receivedTransfer, transfer } from './transfers.js';
import { account, fundRequest } from './wallet.js';
import { withdrawal } from './withdrawals.js';

/** Of what is told in full by its address, and asks who it is that asks. */
export const securityProofBody = z.object({ proof: securityProof.optional() });

/** A stored file as its owner is told of it. Its content is fetched from `url`, with the same token. */
export const ownFile = z.object({
  fileId,
  purpose: z.string().meta({ description: 'What it was uploaded for, such as evidence' }),
  mediaType: z.string(),
  bytes: z.int(),
  sha256: z.string(),
  createdAt: instant.meta({ description: 'When it was uploaded. Its original name is not kept' }),
  url: z.string().meta({ description: 'Where the file is' }),
});
export type OwnFile = z.infer<typeof ownFile>;

/** An event of the own account, with what it keeps encrypted: it is the person’s own. */
export const ownEvent = accountEvents.shape.events.element.extend({
  opened: z
    .record(z.string(), z.union([z.record(z.string(), json), z.literal('forgotten')]))
    .optional()
    .meta({ description: 'What the event keeps encrypted, by the name that it has there' }),
});
export type OwnEvent = z.infer<typeof ownEvent>;

/** What Lode has about a person, as one file. Lists are whole, with the newest first. */
export const ownData = z.object({
  madeAt: instant.meta({ description: 'When it was asked for' }),
  upTo: position.meta({
    description:
      'The file has at least what the log had up to here, but for events that a read model holds back',
  }),
  account: account.meta({ description: 'Profile, preferences, addresses and balances' }),
  secondFactor: secondFactorState.pick({
    isOn: true,
    hasApp: true,
    recoveryCodesLeft: true,
    passkeys: true,
  }),
  pendingEmail: pendingEmail
    .nullable()
    .meta({ description: 'Another e-mail address that waits for its link; null for none' }),
  sessions: sessions.shape.items,
  transactions: z.array(transaction),
  fundRequests: z.array(fundRequest),
  withdrawals: z.array(withdrawal),
  transfers: z.array(transfer),
  receivedTransfers: z.array(receivedTransfer),
  notifications: z.array(notification),
  messages: z
    .array(message.omit({ isRead: true }))
    .meta({ description: 'What was written to the operator while signed in' }),
  mails: z
    .array(mail.pick({ mailId: true, kind: true, to: true, state: true, queuedAt: true, at: true }))
    .meta({ description: 'Mails of late: to whom and about what, never what they said' }),
  files: z.array(ownFile),
  security: securityEvents.shape.events,
  events: z.array(ownEvent).meta({ description: 'What happened to the account, and what it was after each' }),
});
export type OwnData = z.infer<typeof ownData>;
