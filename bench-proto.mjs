import { rmSync, existsSync, cpSync } from 'node:fs';
import { openSqliteEventStore } from './dist/libs/event-store/sqlite/index.js';
import { createExecutor } from './dist/libs/commands/index.js';
import { accountDecider } from './dist/libs/ledger/index.js';
import { uuidV5, sha256 } from './dist/libs/kernel/index.js';
const N = Number(process.argv[2] ?? 100000), M = Number(process.argv[3] ?? N), B = Number(process.argv[4] ?? 1000);
const prices = { BTC: 100000000n, PI: 100000000n, USDT: 100000000n };
const ns = '6d1d8c4e-0a55-5b0e-9d6c-5f9f3f8f3a01';
const ctx = (k) => { const commandId = uuidV5(ns, k); return { actor: { kind: 'system', id: 'bonus', role: 'system' }, commandId, requestHash: sha256(commandId), correlationId: commandId, causationId: commandId }; };
const base = `/tmp/jobsbench/base-${N}.sqlite`, file = '/tmp/jobsbench/run.sqlite';
const open = async (f) => { const store = await openSqliteEventStore({ file: f }); return { store, ex: createExecutor({ store, decider: accountDecider, clock: Date.now }) }; };
if (!existsSync(base)) {
  const { store, ex } = await open(base);
  for (let from = 0; from < N; from += 2000) await Promise.all(Array.from({ length: 2000 }, async (_, i) => {
    const id = `user-${from + i}`;
    await ex.execute(`account-${id}`, { type: 'OpenAccount', userId: id, accountNumber: String(3000000000 + from + i), role: 'user', profile: 'x'.repeat(300) }, ctx(`o${from + i}`));
    await ex.execute(`account-${id}`, { type: 'AdjustWallet', entries: [{ currency: 'USDT', amount: 100000n }], prices }, ctx(`a${from + i}`));
    await ex.execute(`account-${id}`, { type: 'AdjustWallet', entries: [{ currency: 'BTC', amount: 5000n }], prices }, ctx(`b${from + i}`));
  }));
  await store.close();
}
for (const e of ['', '-wal', '-shm']) rmSync(file + e, { force: true });
cpSync(base, file);
const { store, ex } = await open(file);
const start = performance.now(); const cpu0 = process.cpuUsage();
let pending = new Set();
for (let from = 0; from < M; from += B) {
  const p = (async () => {
    const ids = Array.from({ length: B }, (_, i) => `user-${from + i}`);
    if (ex.executeMany) { await ex.executeMany(ids.map((id, i) => ({ stream: `account-${id}`, command: { type: 'AdjustWallet', entries: [{ currency: 'USDT', amount: 777n }], prices }, context: ctx(`t${from + i}`) }))); }
    else await Promise.all(ids.map((id, i) => ex.execute(`account-${id}`, { type: 'AdjustWallet', entries: [{ currency: 'USDT', amount: 777n }], prices }, ctx(`t${from + i}`))));
  })();
  pending.add(p); p.finally(() => pending.delete(p));
  if (pending.size >= 2) await Promise.race(pending);
}
await Promise.all(pending);
const s = (performance.now() - start) / 1000; const cpu = process.cpuUsage(cpu0);
console.log(`${M} in ${s.toFixed(2)} s: ${Math.round(M / s)}/s, cpu ${((cpu.user + cpu.system) / 1e6).toFixed(1)} s, per ${(s / M * 1e6).toFixed(1)} us; rss ${(process.memoryUsage().rss / 2 ** 20) | 0}`);
await store.close();
