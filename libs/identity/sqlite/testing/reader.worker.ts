import { parentPort, workerData } from 'node:worker_threads';
import { openPersonKeys } from '#identity/sqlite';

const reader = openPersonKeys(workerData as { readonly file: string });
parentPort?.on('message', ({ userId, text }: { readonly userId: string; readonly text: string }) => {
  void reader.load([userId]).then(() => parentPort?.postMessage(reader.decrypt(userId, text)));
});
