import { join } from 'node:path';

/** Commands that are sent at once. */
const AT_ONCE = 1_000;
const ACTOR = { kind: 'person', id: 'bench', role: 'user' };

/** The executor of accounts on an embedded log of its own; `open` starts another one that remembers nothing. */
export async function accountsOn(root, folder) {
  const dist = (...path) => import(join(root, 'dist', 'libs', ...path, 'index.js'));
  const { openSqliteEventStore } = await dist('event-store', 'sqlite');
  const { createExecutor } = await dist('commands');
  const { accountDecider, accountStream } = await dist('ledger');
  const { commandIdOf, sha256 } = await dist('kernel');
  const store = await openSqliteEventStore({ file: join(folder, 'events.sqlite') });

  const commandTo = (userId, key, command) => {
    const stream = accountStream(userId);
    const commandId = commandIdOf(ACTOR.id, stream, key);
    const ids = { commandId, correlationId: commandId, causationId: commandId };
    return { stream, command, context: { actor: ACTOR, requestHash: sha256(key), ...ids } };
  };
  const open = () => {
    const executor = createExecutor({ store, decider: accountDecider, clock: Date.now });
    const send = ({ stream, command, context }) => executor.execute(stream, command, context);
    return {
      opened: (userId, number) =>
        send(
          commandTo(userId, 'opening', {
            type: 'OpenAccount',
            userId,
            accountNumber: String(3_000_000_000 + number),
            role: 'user',
            profile: 'sealed',
          }),
        ),
      fundRequest: (userId, key) => send(commandTo(userId, key, requestOf(`${userId} ${key}`))),
      adjustment: (userId, key) => send(commandTo(userId, key, ADJUSTMENT)),
    };
  };
  return { open, close: store.close };
}

/** One dollar, at a dollar for each unit. */
const ADJUSTMENT = {
  type: 'AdjustWallet',
  entries: [{ currency: 'BTC', amount: 100n }],
  prices: { BTC: 10n ** 8n, PI: 10n ** 8n, USDT: 10n ** 8n },
};

function requestOf(requestId) {
  const evidence = {
    fileId: requestId,
    name: 'evidence.png',
    type: 'image/png',
    bytes: 1_000,
    sha256: 'ab'.repeat(32),
  };
  return {
    type: 'RequestFunding',
    requestId,
    amount: 10_000n,
    currency: 'BTC',
    evidence,
    depositAddress: null,
  };
}

let numbers = 0;

export async function openAccount(accounts, userId) {
  await accounts.opened(userId, numbers++);
}

/** So many fund requests, of these accounts in turn. */
export function fundRequests(accounts, userIds, count) {
  return inTurn(userIds, count, (userId, n) => accounts.fundRequest(userId, `request ${n}`));
}

/** So many adjustments of these accounts in turn. */
export function adjustments(accounts, userIds, count) {
  return inTurn(userIds, count, (userId, n) => accounts.adjustment(userId, `adjustment ${n}`));
}

async function inTurn(userIds, count, send) {
  for (let from = 0; from < count; from += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, n) => from + n);
    await Promise.all(some.map((n) => send(userIds[n % userIds.length], n)));
  }
}
