import { afterEach, expect, test } from '@jest/globals';
import { once } from 'node:events';
import {
  dataFolder,
  firstAdmin,
  join,
  keyed,
  killAll,
  signIn,
  startProgram,
  type Listening,
  type Person,
} from '../testing/index.js';

const ADMINS = 4;
/** So many commands are answered in each round before the program is killed. */
const ANSWERED = [0, 1, 3] as const;

const folder = dataFolder();
const programs: Listening[] = [];
afterEach(async () => {
  await killAll(programs);
  await folder.remove();
});

async function start(): Promise<Listening> {
  const program = await startProgram(folder.path);
  programs.push(program);
  return program;
}

/** Those of them who can sign in, signed in. */
async function whoCanComeIn({ visitor }: Listening, people: readonly Person[]): Promise<readonly Person[]> {
  const answers = await Promise.allSettled(people.map((person) => signIn(visitor, person)));
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
}

/** Has each of them suspend all others, all at once. */
const suspendEachOther = (admins: readonly Person[]) =>
  admins.flatMap(({ api, userId }) =>
    admins
      .filter((other) => other.userId !== userId)
      .map((other) => api.call('suspend', { params: { userId: other.userId }, body: {}, headers: keyed() })),
  );

/** Resolves once so many of them are answered. */
async function answered(calls: readonly Promise<unknown>[], least: number): Promise<void> {
  const gate = Promise.withResolvers<void>();
  let count = 0;
  const look = () => (count >= least ? gate.resolve() : undefined);
  for (const call of calls)
    void call.then(
      () => {
        count += 1;
        look();
      },
      () => undefined,
    );
  look();
  await gate.promise;
}

test('four admins who suspend each other at once leave one, also when the program is killed meanwhile', async () => {
  let program = await start();
  let admins: readonly Person[] = [await firstAdmin(program)];
  while (admins.length < ADMINS) {
    const { token } = await admins[0]!.api.get('inviteAdmin');
    admins = [...admins, await join(program.visitor, `Admin${admins.length}`, token)];
  }

  for (const least of ANSWERED) {
    const asked = suspendEachOther(admins);
    await answered(asked, least);
    program.child.kill('SIGKILL');
    await Promise.all([Promise.allSettled(asked), once(program.child, 'close')]);
    program = await start();
    const left = await whoCanComeIn(program, admins);
    expect(left.length).toBeGreaterThan(0);
    const [first] = left;
    for (const { userId } of admins)
      await first!.api.call('activate', { params: { userId }, body: {}, headers: keyed() });
    admins = await whoCanComeIn(program, admins);
    expect(admins).toHaveLength(ADMINS);
  }

  await Promise.all(suspendEachOther(admins));
  const left = await whoCanComeIn(program, admins);
  expect(left).toHaveLength(1);
  const statuses = await Promise.all(admins.map(async ({ api }) => (await api.call('people')).status));
  expect(statuses.toSorted()).toEqual([200, 401, 401, 401]);
});
