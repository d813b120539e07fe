import { join } from 'node:path';
import { quantile } from './client.mjs';
import { accountsOn, fundRequests, openAccount } from './accounts.mjs';

/**
 * The first command on a stream that nobody remembers, in a program that has just started, of each of these lengths in
 * events; and what the
 * commands of another account wait meanwhile, one after the other.
 */
export async function measureCold(root, folder, lengths, say) {
  const rows = [];
  for (const length of lengths) {
    const { open, close } = await accountsOn(root, join(folder, String(length)));
    const writer = open();
    await openAccount(writer, 'long');
    await openAccount(writer, 'other');
    say(`writing a stream of ${length.toLocaleString('en')} events`);
    await fundRequests(writer, ['long'], length - 1);
    const accounts = open();
    await accounts.fundRequest('other', 'warm');
    let isDone = false;
    const waits = [];
    const others = async () => {
      for (let n = 0; !isDone; n++) {
        const sent = performance.now();
        await accounts.fundRequest('other', `meanwhile ${n}`);
        waits.push(performance.now() - sent);
      }
    };
    const meanwhile = others();
    const from = performance.now();
    await accounts.fundRequest('long', 'first');
    const took = performance.now() - from;
    isDone = true;
    await meanwhile;
    await close();
    waits.sort((a, b) => a - b);
    rows.push({
      name: `another account’s command while ${length.toLocaleString('en')} cold events are folded`,
      p50: quantile(waits, 0.5),
      p99: quantile(waits, 0.99),
      note: `${waits.at(-1).toFixed(1)} ms at most; the cold stream’s own first command took ${took.toFixed(0)} ms`,
    });
  }
  return rows;
}
