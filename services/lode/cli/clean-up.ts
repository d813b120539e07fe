/** What ends a command from outside. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const steps = new Set<() => void>();

/** Does some work, then `undo`, whatever becomes of it: also when a signal ends the command in the middle. */
export async function withCleanup<T>(undo: () => void, work: () => Promise<T>): Promise<T> {
  if (steps.size === 0) for (const signal of SIGNALS) process.on(signal, endBy);
  steps.add(undo);
  try {
    return await work();
  } finally {
    steps.delete(undo);
    if (steps.size === 0) letGo();
    undo();
  }
}

/** Undoes everything, newest first, and ends as the signal would have ended it. */
function endBy(signal: NodeJS.Signals): void {
  try {
    for (const undo of [...steps].reverse()) undo();
  } finally {
    letGo();
    process.kill(process.pid, signal);
  }
}

function letGo(): void {
  for (const signal of SIGNALS) process.off(signal, endBy);
}
