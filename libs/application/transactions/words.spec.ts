import { expect, test } from '@jest/globals';
import type { NotificationDocument } from '#projections';
import { sentenceOf } from './words.js';

const told: NotificationDocument = {
  id: '1',
  position: '1' as NotificationDocument['position'],
  userId: 'u1',
  kind: 'SignedIn',
  created: '2026-01-31T14:05:00.000Z',
  eventId: 'e1',
  change: null,
  failure: null,
  inForceFrom: null,
  amount: null,
  currency: null,
  requestId: null,
  reason: null,
};

test.each<readonly [Partial<NotificationDocument>, string]>([
  [{ kind: 'SignedIn' }, 'Somebody signed in as you from a network where you never did.'],
  [{ kind: 'PasswordChanged' }, 'Your password was changed.'],
  [{ kind: 'PasswordReset' }, 'Your password was set anew by a link that was mailed to you.'],
  [{ kind: 'SecondFactorChanged', change: 'set up' }, 'A second factor was set up for your account.'],
  [{ kind: 'SecondFactorChanged', change: 'removed' }, 'The second factor of your account was removed.'],
  [{ kind: 'SecondFactorChanged', change: 'passkey added' }, 'A passkey was added to your account.'],
  [{ kind: 'SecondFactorChanged', change: 'passkey removed' }, 'A passkey of your account was removed.'],
  [
    { kind: 'SecondFactorChanged', change: 'recovery code used' },
    'A recovery code of your account was used.',
  ],
  [
    { kind: 'SecondFactorChanged', change: 'new recovery codes' },
    'New recovery codes were drawn for your account.',
  ],
  [
    { kind: 'EmailChangeAsked' },
    'Another e-mail address was asked for. It is yours once the link that was sent there is used.',
  ],
  [{ kind: 'EmailChanged' }, 'Your e-mail address was changed.'],
  [{ kind: 'EmailChangeFailed', failure: 'canceled' }, 'The change of your e-mail address was canceled.'],
  [
    { kind: 'EmailChangeFailed', failure: 'taken' },
    'Your e-mail address was not changed: another account has the new one.',
  ],
  [
    { kind: 'EmailChangeFailed', failure: 'void' },
    'Your e-mail address was not changed: the link was no longer good.',
  ],
  [{ kind: 'TransferPinSet' }, 'A transfer pin was set for your account.'],
  [{ kind: 'WalletAddressSaved', currency: 'BTC' }, 'Your BTC wallet address was saved.'],
  [{ kind: 'WalletAddressSaved' }, 'Your wallet address was saved.'],
  [
    { kind: 'WalletAddressSaved', currency: 'PI', inForceFrom: '2026-02-01T14:05:00.000Z' },
    'Another PI wallet address was saved. It is in force from 2026-02-01 14:05 UTC; until then you can cancel it in Settings.',
  ],
  // The one before could not be paid to any more.
  [
    { kind: 'WalletAddressSaved', currency: 'PI', inForceFrom: '2026-01-31T14:05:00.000Z' },
    'Your PI wallet address was saved.',
  ],
  [
    { kind: 'WalletAddressCanceled', currency: 'USDT' },
    'The change of your USDT wallet address was canceled.',
  ],
  [
    { kind: 'TransferReceived', amount: '1234.50', currency: 'BTC' },
    'You received a transfer of $1,234.50 (BTC).',
  ],
])('%j is told as a sentence', (more, sentence) => {
  expect(sentenceOf({ ...told, ...more })).toBe(sentence);
});
