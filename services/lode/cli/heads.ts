import { formatHeads, headsOf } from '#verify';
import type { Call, Outcome } from './command.js';
import { readingLog, withInspection } from './folder.js';

/** `lode heads`. */
export function runHeads({ settings, progress }: Call): Promise<Outcome> {
  return withInspection(settings, (engines) =>
    readingLog(engines, async (log) => {
      const upTo = await log.head();
      const heads = await headsOf({
        log,
        upTo,
        progress: (events) => progress('Reading the log', events),
      });
      const { platformId = null, position, events, streams, digest } = heads;
      const line = formatHeads(heads);
      return {
        ok: true,
        facts: { heads: line, platformId, position, events, streams, digest },
        lines: [line],
      };
    }),
  );
}
