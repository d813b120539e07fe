import { randomUUID } from 'node:crypto';
import { createAggregates, settingsInForce } from '#application';
import { accountStream, parseMoney, type AccountCommand } from '#ledger';
import { between } from './folder.js';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** What each of them has in the wallet, US dollars. */
const IDLE_WALLET = '100.00';

/**
 * Customers whose bonus cycles began `days` ago and who are suspended, so that nothing is paid until they are let in.
 * They never sign in. For a folder that no program runs on; gives their ids.
 */
export async function idleCustomers(folder: string, count: number, days: number): Promise<readonly string[]> {
  return between(folder, async ({ eventStore, identity }) => {
    const clock = () => Date.now() - days * DAY_MS - 1_000;
    const aggregates = createAggregates({ eventStore, clock });
    const { prices, bonusPolicy: policy } = await settingsInForce(aggregates);
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) {
      const userId = randomUUID();
      ids.push(userId);
      await identity.personKeys.createKey(userId);
      const names = { firstname: 'Ida', lastname: 'Idle', email: `${userId}@example.org`, phone: '1' };
      const profile = await identity.personKeys.encryptFor(userId, names);
      const accountNumber = `8${String(n).padStart(9, '0')}`;
      const entries = [{ currency: 'BTC', amount: parseMoney(IDLE_WALLET, 'USD') }] as const;
      const commands: readonly AccountCommand[] = [
        { type: 'OpenAccount', userId, accountNumber, role: 'user', profile },
        { type: 'AdjustWallet', entries, prices },
        { type: 'StartBonusCycle', policy },
        { type: 'Suspend' },
      ];
      for (const command of commands) {
        const commandId = randomUUID();
        await aggregates.accounts.execute(accountStream(userId), command, {
          actor: { kind: 'operator', id: 'operator', role: 'system' },
          commandId,
          requestHash: commandId,
          correlationId: commandId,
          causationId: commandId,
          reason: 'a test',
        });
      }
    }
    return ids;
  });
}
