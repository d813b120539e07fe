// The page on capacity: sums from assumptions, which are here, and from what docs/explanation/speed.md says was measured,
// which is read from there. A figure that is no longer found there stops whoever makes the page.

const DAYS = 365;
const HOUR = 3_600;
const DAY = 24 * HOUR;
const GB = 1e9;
const TB = 1e12;

/** What is assumed of whoever uses it. */
const assumed = {
  /** The share of accounts that does something on a day, and events that each of these makes then. */
  activeADay: 0.04,
  eventsOfActive: 2,
  /** The busiest second, as a multiple of the mean one. */
  peak: 20,
  /** Years of which an account has its events. */
  years: 5,
  /** Until another projector works in the place of one that died, in seconds: reckoned in decision 70, and rounded up. */
  takeover: 10,
};
const ACCOUNTS = [1e6, 1e7, 1e8];

/** Where in the page about speed each figure stands. */
const places = {
  appends: /^\| log: 1 event an append, 64 under way +\| +([\d,]+) \|/m,
  commands: /^\| API: durable commands, 64 connections, 64 accounts +\| +([\d,]+) \|/m,
  rebuilt: /^\| rebuild of 100,000 events a second +\| ([\d,]+) on the log of ten million/m,
  logGb: /The log has ([\d,]+) GB, the read\s+models [\d,]+ GB/,
  modelsGb: /The log has [\d,]+ GB, the read\s+models ([\d,]+) GB/,
  tickSeconds: /With the machine to itself that takes ([\d,]+) s/,
};
/** Events of the log that these bytes are of, and accounts that the tick pays. */
const MEASURED_EVENTS = 1e7;
const MEASURED_ACCOUNTS = 1e6;

function measuredIn(speed) {
  return Object.fromEntries(
    Object.entries(places).map(([name, place]) => {
      const figure = place.exec(speed)?.[1];
      if (figure === undefined)
        throw new Error(`docs/explanation/speed.md has no figure for ${name}: see scripts/lib/capacity.mjs.`);
      return [name, Number(figure.replaceAll(',', ''))];
    }),
  );
}

/** What so many accounts come to. */
function sumsOf(accounts, { activeADay, eventsOfActive, peak, years, takeover }, measured) {
  const events = accounts * activeADay * eventsOfActive * DAYS;
  const mean = events / (DAYS * DAY);
  const busiest = mean * peak;
  const waiting = takeover * busiest;
  return {
    events,
    mean,
    busiest,
    ofLog: busiest / measured.appends,
    ofApi: busiest / measured.commands,
    ofFolding: busiest / measured.rebuilt,
    log: (events * measured.logGb * GB) / MEASURED_EVENTS,
    models: (events * measured.modelsGb * GB) / MEASURED_EVENTS,
    rebuild: events / measured.rebuilt,
    waiting,
    caughtUp: waiting / (measured.rebuilt - busiest),
    tick: (accounts * measured.tickSeconds) / MEASURED_ACCOUNTS,
    cold: (busiest * events * years) / accounts,
  };
}

const whole = (value) => Math.round(value).toLocaleString('en');
/** A number with two digits that say something. */
const digits = (value) => Number(value.toPrecision(2)).toLocaleString('en', { maximumFractionDigits: 6 });
const share = (value) => `${digits(value * 100)} %`;
const bytes = (value) => (value < TB ? `${digits(value / GB)} GB` : `${digits(value / TB)} TB`);
const millions = (value) => `${digits(value / 1e6)} M`;
const time = (seconds) => {
  if (seconds < 120) return `${digits(seconds)} s`;
  return seconds < 2 * HOUR ? `${digits(seconds / 60)} min` : `${digits(seconds / HOUR)} h`;
};

/** The tables' lines: what it is, how it is reckoned, and how a sum of it is written. */
const lines = [
  ['events a year', 'accounts × active a day × events of each × 365', ({ events }) => millions(events)],
  ['events a second, mean', 'events a year ÷ seconds of a year', ({ mean }) => digits(mean)],
  ['events a second, busiest', 'mean × peak', ({ busiest }) => digits(busiest)],
  ['… of what the log takes', 'busiest ÷ appends a second', ({ ofLog }) => share(ofLog)],
  [
    '… of what one API takes',
    'busiest ÷ commands a second, on 64 accounts in memory',
    ({ ofApi }) => share(ofApi),
  ],
  ['… of what one projector folds', 'busiest ÷ events folded a second', ({ ofFolding }) => share(ofFolding)],
  ['log, a year', 'events × bytes of an event', ({ log }) => bytes(log)],
  ['read models, a year', 'events × bytes of documents an event', ({ models }) => bytes(models)],
  ['rebuild of a year’s events', 'events ÷ events folded a second', ({ rebuild }) => time(rebuild)],
  ['events that wait after a takeover', 'busiest × seconds of a takeover', ({ waiting }) => digits(waiting)],
  ['… and are folded in', 'waiting ÷ (folded − busiest)', ({ caughtUp }) => time(caughtUp)],
  ['a bonus tick that pays everybody', 'accounts × seconds of an account', ({ tick }) => time(tick)],
  [
    'events read a second, if no account is in memory',
    'busiest × events of an account',
    ({ cold }) => digits(cold),
  ],
];

/** The table of sums. */
function table(sums) {
  const head = `| | reckoned as | ${ACCOUNTS.map((accounts) => `${whole(accounts / 1e6)} M accounts`).join(' | ')} |`;
  const rows = lines.map(([what, how, written]) => `| ${what} | ${how} | ${sums.map(written).join(' | ')} |`);
  return [head, `| --- | --- |${' ---: |'.repeat(ACCOUNTS.length)}`, ...rows].join('\n');
}

/**
 * The page's text. `speed` is that of the page about speed; `tickHours` lie between two bonus ticks. Throws when a figure isn't found.
 */
export function capacityPage(speed, { tickHours }) {
  const measured = measuredIn(speed);
  const sums = ACCOUNTS.map((accounts) => sumsOf(accounts, assumed, measured));
  const [small, middle, large] = sums;
  const eventsOfAccount = assumed.activeADay * assumed.eventsOfActive * DAYS;
  return `
# Capacity

How far one Lode goes, as sums. They are made from figures that were [measured](speed.md) and from assumptions about who uses it: nobody has
run Lode with 10 million accounts, let alone 100. Where a sum says that something is enough, that is a reason to try it, and no more.

## What is assumed

| | |
| --- | ---: |
| accounts that do something on a day | ${share(assumed.activeADay)} |
| events that each of these makes then | ${assumed.eventsOfActive} |
| so events of an account a year | ${digits(eventsOfAccount)} |
| the busiest second, of the mean one | ${assumed.peak} times |
| years of which an account has its events | ${assumed.years} |
| until another projector has taken over, as [decision 70](../adr/0070-leases-that-end-soon.md) reckons it | ${assumed.takeover} s |

## What was measured

On two cores with all engines embedded, each by itself but for the commands, which had a projector and the client beside them. Where engines
are servers these have to be measured, by \`EVENTSTORE_URL=… npm run bench -- --only eventstore\` and \`MONGODB_URL=… npm run bench -- --only mongodb\`.

| | |
| --- | ---: |
| appends of one event a second | ${whole(measured.appends)} |
| commands a second through one API, on 64 accounts that are in memory | ${whole(measured.commands)} |
| events folded a second, in a rebuild | ${whole(measured.rebuilt)} |
| bytes of an event in the log | ${whole((measured.logGb * GB) / MEASURED_EVENTS)} |
| bytes of documents that an event leaves | ${whole((measured.modelsGb * GB) / MEASURED_EVENTS)} |
| a bonus tick over a million accounts | ${whole(measured.tickSeconds)} s |

## What it comes to

${table(sums)}

Bytes are of one copy, as SQLite keeps it: a replica set of three has them three times. A live projector folds smaller batches than a rebuild, so that its share is
larger than it says here.

## What is the limit

**At 1 million accounts** nothing is. The busiest second takes ${share(small.ofApi)} of one API, a year takes ${bytes(small.log + small.models)}, and read models are
made anew in ${time(small.rebuild)} for each year of the log: one program on one disk does.

**At 10 million** still no rate is, but making read models anew becomes a job of hours: ${time(middle.rebuild)} for each year of the log, beside the old ones,
which are served meanwhile. A change of a read model has to be planned, and the disk needs room for both. A tick takes ${time(middle.tick)}.

**At 100 million** it is not writing: one log takes all of it with ${share(large.ofLog)} of its appends, and ${share(large.ofApi)} of an API that has the accounts in memory. The limits, in the order in which they
are met:

1. **Rebuilds**: ${time(large.rebuild)} for each year of the log, by one projector that reads, folds and writes on one thread. Up to 16 [share it](../adr/0082-lanes-that-programs-share.md), each
   of which still reads all of the log, and the sums over everybody are one program’s alone: how much sooner they are together nobody has measured on machines of their own.
2. **The volume of read models**: ${bytes(large.models)} a year, more than the log’s ${bytes(large.log)}, because events, transactions and notifications have documents
   of their own that are never removed.
3. **Accounts that are not in memory**: a command on one reads all its events. After ${assumed.years} years these are ${whole(eventsOfAccount * assumed.years)}, and if no account of
   the busiest second is remembered, ${digits(large.cold)} events a second are read to decide on ${digits(large.busiest)}.
4. **The tick**: ${time(large.tick)} when everybody is due at once, of the ${tickHours} hours between two; it grows with the events of an account as well.

Where a projector dies, ${digits(large.waiting)} events wait when the next one begins after what is assumed above; at the speed of a rebuild it folds them in ${time(large.caughtUp)}, and live somewhat later.

## The way on

Nothing of this is built, nor will it be before a measurement asks for it. In the order in which the limits are met:

- **Sealed pieces of the log.** What is old goes into an object store in pieces that never change, with the hash of each in the log. A rebuild and \`lode verify\`
  then read many at once instead of one log from its beginning to its end.
- **Closing the books.** An event that carries an account’s balances, open requests, chain and remembered commands over a year’s end lets what came before it be
  removed from the log’s own disk, once the sealed piece that has it was verified. Whoever asks why a balance is what it is, or what it was, is
  answered from the piece. The documents of closed years could go the same way. Events are removed from followers before the leader, and no id is ever
  given again.
- **An account’s state, kept at a revision.** Beside its balances and open requests it has what makes a repeated command known, the chain’s last hash
  and a digest of itself, so that a command on an account that was forgotten reads one document and the few events since. It is a cache: any of it can
  be dropped, and a share of them is compared with a whole fold, day by day. A stream shorter than 64 events has none. That would end the third limit and most of the fourth.
- **Cells, for other operators or regions.** Each has a log, read models and a root of keys of its own. A column that says whose a row is would be
  one forgotten condition away from showing it to somebody else.
- **Several logs, last of all.** The sums leave the log at ${share(large.ofLog)} of what it takes. Transfers between accounts already go by events on both sides, so a log can be parted by
  account; moving a part means to stop it by its epoch, copy it, verify its chains and only then point to the copy. It is not worth that below about 4,000 appends a second
  for hours on end, or 10 TB that have to be at hand; both are estimates.
- **Changes of shape go in two steps**, whatever the size: one release reads the new form, the next one writes it, so that programs of both run side by side. A test runs
  two versions beside each other; [simulated deployments](simulation.md) are of one, and should run the last release beside the new one in some of their seeds.
`;
}
