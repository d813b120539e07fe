import { useSyncExternalStore } from 'react';

/** A toast that was shown: what it said, and when, as ISO 8601. */
export type Told = { readonly id: number; readonly message: string; readonly at: string };

/** How many are remembered. */
const MOST = 50;

let told: readonly Told[] = [];
const listeners = new Set<() => void>();

function become(next: readonly Told[]): void {
  told = next;
  for (const listener of listeners) listener();
}

/** Remembers what a toast says, for who missed it. */
export function remember(message: string): void {
  const id = (told[0]?.id ?? 0) + 1;
  become([{ id, message, at: new Date().toISOString() }, ...told].slice(0, MOST));
}

/** Forgets all of it: it was said to somebody who is not there any more. */
export function forgetTold(): void {
  become([]);
}

/** What toasts have said since the page was loaded, newest first. */
export function useTold(): readonly Told[] {
  return useSyncExternalStore(subscribe, () => told);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
