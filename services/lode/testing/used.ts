import { cpSync } from 'node:fs';
import { logStart } from '#kernel';
import { accountStream } from '#ledger';
import { inspect } from './folder.js';
import { confirmFunding, join, keyed, requestFunding, type Person } from './people.js';
import { dataFolder, firstAdmin, startProgram } from './start.js';

/** A data folder with a history that the program has left. */
export type Used = {
  readonly path: string;
  readonly admin: Person;
  readonly ann: Person;
  readonly bob: Person;
  /** Positions in its log: where Ann asked for funding first, and where that was confirmed. */
  readonly asked: number;
  readonly paid: number;
  /** The first position from there on after which an event of another stream stands. */
  readonly parting: number;
  /** A copy to spoil, and what removes all of them. */
  readonly copy: () => string;
  readonly remove: () => Promise<void>;
};

/** More events than such a history has. */
const EVENTS_MAX = 1_000;

/** Makes a history with the built program: money that came in, money that went, and a request that waits. */
export async function usedFolder(): Promise<Used> {
  const folder = dataFolder();
  const program = await startProgram(folder.path);
  const admin = await firstAdmin(program);
  const [ann, bob] = [await join(program.visitor, 'Ann'), await join(program.visitor, 'Bob')];
  for (const person of [ann, bob, ann]) {
    await confirmFunding(admin, person, (await requestFunding(person)).requestId);
  }
  await requestFunding(bob);
  const { position } = await admin.api.get('adjustWallet', {
    params: { userId: ann.userId },
    body: { amounts: { BTC: '-200.00' }, reason: 'paid out by hand' },
    headers: keyed(),
  });
  // Read models have seen everything when it is left.
  await admin.api.get('totals', { headers: { 'Lode-Position': position } });
  program.child.kill('SIGTERM');
  await program.ended;
  const log = await (await inspect(folder.path)).openLog();
  const events = await log.readAll(logStart, EVENTS_MAX);
  await log.close();
  const ofAnn = events.filter(({ stream }) => stream === accountStream(ann.userId));
  const positionOf = (type: string) => Number(ofAnn.find((event) => event.type === type)?.position);
  const [asked, paid] = [positionOf('FundingRequested'), positionOf('FundingConfirmed')];
  const parting = events.findIndex(
    ({ position, stream }, n) => Number(position) >= paid && stream !== events[n + 1]?.stream,
  );
  const copies: ReturnType<typeof dataFolder>[] = [];
  return {
    path: folder.path,
    asked,
    paid,
    parting: Number(events[parting]?.position),
    admin,
    ann,
    bob,
    copy: () => {
      const copy = dataFolder();
      copies.push(copy);
      cpSync(folder.path, copy.path, { recursive: true });
      return copy.path;
    },
    remove: async () => {
      for (const one of [folder, ...copies]) await one.remove();
    },
  };
}
