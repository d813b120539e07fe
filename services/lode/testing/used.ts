import { cpSync } from 'node:fs';
import { confirmFunding, join, keyed, requestFunding, type Person } from './people.js';
import { dataFolder, firstAdmin, startProgram } from './start.js';

/** A data folder with a history that the program has left. */
export type Used = {
  readonly path: string;
  readonly admin: Person;
  readonly ann: Person;
  readonly bob: Person;
  /** A copy to spoil, and what removes all of them. */
  readonly copy: () => string;
  readonly remove: () => void;
};

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
  await admin.api.get('adjustWallet', {
    params: { userId: ann.userId },
    body: { amounts: { BTC: '-200.00' }, reason: 'paid out by hand' },
    headers: keyed(),
  });
  program.child.kill('SIGTERM');
  await program.ended;
  const copies: ReturnType<typeof dataFolder>[] = [];
  return {
    path: folder.path,
    admin,
    ann,
    bob,
    copy: () => {
      const copy = dataFolder();
      copies.push(copy);
      cpSync(folder.path, copy.path, { recursive: true });
      return copy.path;
    },
    remove: () => {
      for (const one of [folder, ...copies]) one.remove();
    },
  };
}
