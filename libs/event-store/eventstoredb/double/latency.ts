import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** What was seen of appends since `hold` was called. */
export type AppendTraffic = {
  /** How often the client waited for answers before it sent more. */
  readonly roundTrips: number;
  /** The most bytes that were sent and not answered. */
  readonly unansweredMax: number;
};

/** A wire of some latency, for the answers to appends. */
export type Latency = {
  /**
   * From now on answers leave together, once no append has come for `ms`: what is sent at once, however slowly this
   * machine does it, is answered after one round trip.
   */
  hold(ms: number): void;
  came(bytes: number): void;
  answer(bytes: number, send: () => void): void;
  traffic(): AppendTraffic;
};

/** Turns of the event loop in which nothing may come before answers leave: an append on its way takes a few. */
const QUIET_TURNS = 100;

/** A wire without latency, until `hold` is called. */
export function createLatency(): Latency {
  const held: (() => void)[] = [];
  let holdMs = 0;
  /** Counts what came, so that a wait for quiet knows whether anything has. */
  let arrivals = 0;
  let unanswered = 0;
  let unansweredMax = 0;
  let roundTrips = 0;

  async function releaseWhenQuiet(): Promise<void> {
    for (let seen = -1; seen !== arrivals;) {
      seen = arrivals;
      await sleep(holdMs);
      for (let turn = 0; turn < QUIET_TURNS; turn++) await nextTurn();
    }
    roundTrips++;
    for (const send of held.splice(0)) send();
  }

  return {
    hold(ms) {
      holdMs = ms;
      [unanswered, unansweredMax, roundTrips] = [0, 0, 0];
    },
    came(bytes) {
      unanswered += bytes;
      unansweredMax = Math.max(unansweredMax, unanswered);
    },
    answer(bytes, send) {
      const leave = () => {
        unanswered -= bytes;
        send();
      };
      if (holdMs === 0) {
        leave();
        return;
      }
      arrivals++;
      if (held.push(leave) === 1) void releaseWhenQuiet();
    },
    traffic: () => ({ roundTrips, unansweredMax }),
  };
}
