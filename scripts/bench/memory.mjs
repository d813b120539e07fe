import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { accountsOn, adjustments, openAccount } from './accounts.mjs';

/** Accounts whose wallets they adjust: what an account remembers of requests would count as its state. */
const ACCOUNTS = 1_000;
/** What a program of so many commands may take in memory, in MiB. */
const RESIDENT_MAX = 500;
const MIB = 1_024 * 1_024;

/** The memory that a process of its own has after so many commands of a few accounts: the log and its executor. */
export async function measureMemory(root, folder, commands) {
  const args = [fileURLToPath(import.meta.url), root, folder, String(commands)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const { resident, heap, seconds } = JSON.parse(stdout);
  return {
    name: `memory after ${commands.toLocaleString('en')} commands of ${ACCOUNTS.toLocaleString('en')} accounts`,
    perSecond: commands / seconds,
    note:
      `${resident} MiB resident, ${heap} MiB of heap` +
      (resident > RESIDENT_MAX ? `: MORE THAN ${RESIDENT_MAX}` : ''),
  };
}

/** What runs in the process of its own. */
async function main([root, folder, commands]) {
  const { open, close } = await accountsOn(root, folder);
  const accounts = open();
  const people = Array.from({ length: ACCOUNTS }, (_, n) => `user-${n}`);
  for (const userId of people) await openAccount(accounts, userId);
  const from = performance.now();
  await adjustments(accounts, people, Number(commands));
  const seconds = (performance.now() - from) / 1_000;
  const { rss, heapUsed } = process.memoryUsage();
  console.log(JSON.stringify({ resident: Math.round(rss / MIB), heap: Math.round(heapUsed / MIB), seconds }));
  await close();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2));
