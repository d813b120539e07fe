import type { MessagePort } from 'node:worker_threads';
import type { EnginesHandle, EngineSettings } from './engines.js';

/** Where the engines are, and the way to the one writer of the log where it is a thread of this program. */
type Shared = { readonly settings: EngineSettings; readonly port: MessagePort | undefined };

type OpenHandle = EnginesHandle & { readonly settings: EngineSettings };

export function handleFor({ settings, port }: Shared): EnginesHandle {
  return { settings, transfer: port === undefined ? [] : [port] } as OpenHandle;
}

/** What is in a handle that this program shared: no other thread gets one. */
export function openHandle(handle: EnginesHandle): Shared {
  const { settings, transfer } = handle as OpenHandle;
  return { settings, port: transfer[0] };
}
