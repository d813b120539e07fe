import { randomUUID } from 'node:crypto';
import { createAggregates } from '#application';
import { openEngines } from '#engines';
import { accountStream, defaultBonusPolicy, PRICE_SCALE, type AccountCommand } from '#ledger';
import { serverSettingsOf } from './mix.js';

const ONE = 10n ** BigInt(PRICE_SCALE);

/** Writes into the log of a data folder what commands to an account would have left at a time, in milliseconds. */
export async function writeAccount(
  folder: string,
  time: number,
  userId: string,
  ...commands: readonly AccountCommand[]
): Promise<void> {
  const engines = await openEngines({ dataFolder: folder, ...(await serverSettingsOf(folder)) }, 'alone');
  const eventStore = await engines.openLogToFill();
  const { accounts } = createAggregates({ eventStore, clock: () => time });
  for (const command of commands) {
    const commandId = randomUUID();
    await accounts.execute(accountStream(userId), command, {
      actor: { kind: 'system', id: 'test', role: 'system' },
      commandId,
      requestHash: 'none',
      correlationId: commandId,
      causationId: commandId,
    });
  }
  await eventStore.close();
  await engines.close();
}

/** A customer whose bonus cycle begins with so many cents in the wallet, all prices being 1. */
export const beginsCycle = (userId: string, cents: bigint): readonly AccountCommand[] => [
  {
    type: 'OpenAccount',
    userId,
    role: 'user',
    accountNumber: '30' + userId.padStart(8, '0'),
    profile: 'v1.sealed',
  },
  {
    type: 'AdjustWallet',
    entries: [{ currency: 'USDT', amount: cents }],
    prices: { BTC: ONE, PI: ONE, USDT: ONE },
  },
  { type: 'StartBonusCycle', policy: defaultBonusPolicy },
];
