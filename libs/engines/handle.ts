import type { MessagePort } from 'node:worker_threads';
import { invariant } from '#kernel';
import type { EnginesHandle, EngineSettings } from './engines.js';

/** Where the engines are, and the way to the one writer of the log. */
type Shared = EngineSettings & { readonly port: MessagePort };

type EmbeddedHandle = EnginesHandle & EngineSettings;

export function handleFor({ dataFolder, port }: Shared): EnginesHandle {
  return { dataFolder, transfer: [port] } as EmbeddedHandle;
}

/** What is in a handle that this program shared: no other thread gets one. */
export function openHandle(handle: EnginesHandle): Shared {
  const { dataFolder, transfer } = handle as EmbeddedHandle;
  const [port] = transfer;
  invariant(port !== undefined, 'a handle leads to the writer of the log');
  return { dataFolder, port };
}
