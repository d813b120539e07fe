import { startDouble } from './double.js';

/**
 * A double in a process of its own, which can be killed: `node process.js FILE PORT VERSION [REPLICA SET]`. It tells
 * its parent that it is ready, and is told `{ dieAfter: n }`: after the n-th single write from then on, which is on
 * disk, it kills itself as the system would.
 */
const [file = '', port = '0', version, replicaSet] = process.argv.slice(2);
let left = Infinity;

await startDouble({
  file,
  port: Number(port),
  version: version === '7' ? 7 : 8,
  ...(replicaSet === undefined ? {} : { replicaSet }),
  onWrite: (sync) => {
    left--;
    if (left > 0) return;
    sync();
    process.kill(process.pid, 'SIGKILL');
  },
});
process.on('message', (order: { readonly dieAfter: number }) => {
  left = order.dieAfter;
  process.send?.({ heard: order.dieAfter });
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
