// What the rules of eslint.config.js let pass. The list only shrinks: an entry that is needed no longer is refused.

/** Files that reach for the machine's own time, timers or randomness, each with why. */
export const ownTime = {
  'libs/engines/disk.ts': 'measures the disk',
  'libs/event-store/eventstoredb/append-queue.ts':
    'an append that waits keeps the process alive, which Timers never do',
  'libs/event-store/eventstoredb/listeners.ts': 'listens for as long as the process lives',
  'libs/event-store/eventstoredb/reads.ts':
    'a read that waits keeps the process alive, which Timers never do',
  'libs/event-store/sqlite/appender.ts': 'gathers the appends of one turn of the event loop for one commit',
  'libs/files/retry.ts': 'a try that waits keeps the process alive, which Timers never do',
  'libs/kernel/ids.ts': 'is the system’s clock and randomness',
  'libs/kernel/timers.ts': 'is the system’s timers',
  'services/api/http/downloads.ts': 'cuts off a reader who takes nothing, and lets other requests go on',
  'services/api/live/hub.ts': 'a heartbeat for each connection',
  'services/api/pages/pages.ts': 'draws the nonce of a page',
  'services/lode/alive.ts': 'keeps the process alive, which Timers never do',
};
