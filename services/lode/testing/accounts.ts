import { randomUUID } from 'node:crypto';
import { createAggregates, foundPlatform } from '#application';
import { openEngines } from '#engines';
import { systemRandom } from '#kernel';
import { accountStream, defaultBonusPolicy, PRICE_SCALE, type AccountCommand } from '#ledger';
import { between } from './folder.js';
import { serverSettingsOf } from './mix.js';

const NAMES = { firstname: 'Bo', lastname: 'Nus', email: 'bo@example.org', phone: '1' };
const ONE = 10n ** BigInt(PRICE_SCALE);

/**
 * Writes into the log of a data folder what commands to an account would have left at a time, in milliseconds. Whose
 * account is opened gets a name.
 */
export async function writeAccount(
  folder: string,
  time: number,
  userId: string,
  ...commands: readonly AccountCommand[]
): Promise<void> {
  await foundAt(folder, time);
  await between(folder, async ({ eventStore, identity: { personKeys } }) => {
    const { accounts } = createAggregates({ eventStore, clock: () => time });
    for (const command of commands) {
      const commandId = randomUUID();
      if (command.type === 'OpenAccount') await personKeys.createKey(userId);
      const named =
        command.type === 'OpenAccount'
          ? { ...command, profile: await personKeys.encryptFor(userId, NAMES) }
          : command;
      await accounts.execute(accountStream(userId), named, {
        actor: { kind: 'system', id: 'test', role: 'system' },
        commandId,
        requestHash: 'none',
        correlationId: commandId,
        causationId: commandId,
      });
    }
  });
}

/** Founds the platform, if it isn't yet, at a time: nothing in the log is to be later than what is written after it. */
async function foundAt(folder: string, time: number): Promise<void> {
  const engines = await openEngines({ dataFolder: folder, ...(await serverSettingsOf(folder)) }, 'alone');
  try {
    const { events: eventStore, close } = await engines.openStores();
    try {
      await foundPlatform(createAggregates({ eventStore, clock: () => time }), systemRandom);
    } finally {
      await close();
    }
  } finally {
    await engines.close();
  }
}

/** A customer whose bonus cycle begins with so many cents in the wallet, all prices being 1. */
export const beginsCycle = (userId: string, cents: bigint): readonly AccountCommand[] => [
  {
    type: 'OpenAccount',
    userId,
    role: 'user',
    accountNumber: '30' + userId.padStart(8, '0'),
    profile: '',
  },
  {
    type: 'AdjustWallet',
    entries: [{ currency: 'USDT', amount: cents }],
    prices: { BTC: ONE, PI: ONE, USDT: ONE },
  },
  { type: 'StartBonusCycle', policy: defaultBonusPolicy },
];
