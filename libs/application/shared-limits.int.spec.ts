import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createIdentity, foldEmail, type Identity, type IdentityStore } from '#identity';
import { openMongoIdentityStore } from '#identity/mongodb';
import { hasCode, type Actor, type Clock } from '#kernel';
import { accountStream } from '#ledger';
import { startDouble, type MongoDbDouble } from '#mongodb/double';
import { RequestEmailChange, RequestEmailChangeHandler } from './access/change-email.js';
import { callerContext, visitorContext, type CallerContext } from './access/context.js';
import { RequestPasswordReset, RequestPasswordResetHandler } from './access/reset-password.js';
import { RequestEmailVerification, RequestEmailVerificationHandler } from './access/verify-email.js';
import { createAggregates, type Aggregates } from './aggregates.js';
import { SendMessage, SendMessageHandler } from './messages/send.js';
import { AskForOwnData, AskForOwnDataHandler } from './people/own-data.js';
import {
  CLIENT,
  contextOf,
  customer,
  openAccessWorld,
  personalContextOf,
  registered,
  signIn,
  type AccessWorld,
} from './testing/index.js';
import { createAccountNumbers } from './transfers/account-numbers.js';

/* Two programs that count in one MongoDB, the clock of one of which is an hour ahead. */

const HOUR_MS = 60 * 60_000;
/** More than messages that one person may send: those are changes, too. */
const CHANGES = 20;

describe('what one person may ask for, of two programs on one MongoDB (double) whose clocks are an hour apart', () => {
  type Program = AccessWorld & { readonly sendLink: () => Promise<{ kind: 'queued'; expiresAt: number }> };
  let server: MongoDbDouble;
  let mongo: IdentityStore;
  let world: AccessWorld;
  let programs: readonly [Program, Program];
  let ann: { readonly userId: string; readonly email: string; readonly password: string };
  let caller: CallerContext;
  let sent: number;

  beforeEach(async () => {
    let clock: Clock = () => 0;
    server = await startDouble({ replicaSet: 'rs0', clock: () => clock() });
    mongo = await openMongoIdentityStore({ url: server.url, database: 'lode' });
    let store: IdentityStore | undefined;
    world = await openAccessWorld({
      over: (inner) => (store = { ...inner, secret: mongo.secret, ...countsOf(mongo) }),
    });
    if (store === undefined) throw new Error('the world has a store');
    sent = 0;
    clock = world.clock;
    const isOpen = async () => true;
    const later = () => world.clock() + HOUR_MS;
    const ahead = await createIdentity({ store, isOpen, clock: later });
    programs = [programOf(world.identity), { ...programOf(ahead), clock: later }];
    ann = await registered(world);
    caller = callerContext((await signIn(world, ann)).tokens.session, CLIENT);
  });
  afterEach(async () => {
    await world.close();
    await mongo.close();
    await server.stop();
  });

  const countsOf = ({ counts }: IdentityStore) => (counts === undefined ? {} : { counts });
  const programOf = (identity: Identity): Program => ({
    ...world,
    identity,
    aggregates: createAggregates({
      eventStore: world.eventStore,
      clock: world.clock,
      budget: { openRequests: 1_000, commandsPerHour: CHANGES },
      bucketsOf: identity.bucketsOf,
    }),
    sendLink: async () => {
      sent += 1;
      return { kind: 'queued', expiresAt: world.clock() };
    },
  });

  /** Asks so often, by turns of the programs and all at once; how often that was not refused for having asked too often. */
  async function admitted(times: number, ask: (program: 0 | 1, n: number) => Promise<unknown>) {
    const asked = Array.from({ length: times }, async (_, n) => {
      try {
        await ask(n % 2 === 0 ? 0 : 1, n);
        return 1;
      } catch (error) {
        if (!hasCode(error, 'rate_limited')) throw error;
        return 0;
      }
    });
    return (await Promise.all(asked)).reduce<number>((sum, one) => sum + one, 0);
  }

  const change = (aggregates: Aggregates, actor: Actor, key: string) =>
    aggregates.accounts.execute(
      accountStream(ann.userId),
      { type: 'ChangeProfile', profile: key },
      contextOf(actor, key),
    );

  test.each<[string, number, () => (program: 0 | 1, n: number) => Promise<unknown>]>([
    [
      'changes',
      CHANGES,
      () => (program, n) => change(programs[program].aggregates, customer(ann.userId), `change ${n}`),
    ],
    [
      'messages',
      10,
      () => {
        const handlers = programs.map((program) => new SendMessageHandler(program));
        return async (program, n) =>
          handlers[program]?.execute(
            new SendMessage(personalContextOf(customer(ann.userId), `send ${n}`), {
              messageId: `m${n}`,
              userId: ann.userId,
              sender: ann.userId,
              words: { name: 'Ann', message: 'Hello' },
            }),
          );
      },
    ],
    [
      'account numbers looked up',
      30,
      () => {
        const readers = programs.map(({ identity }) =>
          createAccountNumbers({ list: async () => [] }, identity.bucketsOf),
        );
        return async (program, n) => readers[program]?.holderOf(String(3_000_000_000 + n), ann.userId);
      },
    ],
    [
      'files of one’s own data',
      3,
      () => {
        const security = { given: async () => world.eventStore.head() };
        const projections = { waitFor: async () => true };
        const handlers = programs.map(
          (program) => new AskForOwnDataHandler({ ...program, security, projections }),
        );
        const { password } = ann;
        return async (program) =>
          handlers[program]?.execute(new AskForOwnData(caller, { password }, 'downloadOwnData'));
      },
    ],
    [
      'links to another e-mail',
      3,
      () => {
        const handlers = programs.map(
          (program) => new RequestEmailChangeHandler({ ...program, mailing: program }),
        );
        const { password } = ann;
        return async (program, n) =>
          handlers[program]?.execute(new RequestEmailChange(caller, `${n}@example.net`, { password }));
      },
    ],
    [
      'links to verify the e-mail',
      3,
      () => {
        const handlers = programs.map((program) => {
          const aggregates = unverified(program.aggregates);
          return new RequestEmailVerificationHandler({ ...program, aggregates, mailing: program });
        });
        return async (program) => handlers[program]?.execute(new RequestEmailVerification(caller));
      },
    ],
  ])(
    '%s are as many as one program would give, however many are asked for at once',
    async (_, most, begin) => {
      const ask = begin();
      expect(await admitted(4 * most, ask)).toBe(most);
      expect(await admitted(2, (program, n) => ask(program, 4 * most + n))).toBe(0);
    },
  );

  test('links to reset a password are sent as often as one program would, and nobody is told', async () => {
    const handlers = programs.map(
      (program) =>
        new RequestPasswordResetHandler({
          ...program,
          mailing: {
            ...program,
            ...world.mailing,
            sendLink: program.sendLink,
            pretendLink: async () => undefined,
          },
        }),
    );
    const ask = async (n: number) =>
      handlers[n % 2]?.execute(
        new RequestPasswordReset(visitorContext(CLIENT), n % 3 === 0 ? foldEmail(ann.email) : ann.email),
      );
    await Promise.all(Array.from({ length: 12 }, (_, n) => ask(n)));
    expect(sent).toBe(3);
  });

  test('what changed nothing is given back, and time gives as much as passes by the server’s clock', async () => {
    const actor = customer(ann.userId);
    const [{ aggregates }, { aggregates: ahead }] = programs;
    for (let n = 0; n < CHANGES; n += 1) await change(aggregates, actor, `change ${n}`);
    await expect(change(ahead, actor, 'more')).rejects.toMatchObject({
      code: 'rate_limited',
      details: { retryAfterSeconds: HOUR_MS / CHANGES / 1_000 },
    });
    // A repeat is given its first answer.
    await change(ahead, actor, 'change 0');
    world.waitLong(HOUR_MS / CHANGES);
    await change(ahead, actor, 'more');
    expect(await admitted(2, (program) => change(programs[program].aggregates, actor, 'yet more'))).toBe(0);
  });

  test('are one command to MongoDB on the way of what is counted, and none for what is not', async () => {
    const [{ aggregates }] = programs;
    await change(aggregates, customer(ann.userId), 'first');
    server.resetCounts();
    await change(aggregates, customer(ann.userId), 'counted');
    expect(server.commands()).toEqual(new Map([['findAndModify', 1]]));
    server.resetCounts();
    await aggregates.accounts.execute(
      accountStream(ann.userId),
      { type: 'Suspend' },
      contextOf({ kind: 'person', id: 'an admin', role: 'admin' }, 'suspend'),
    );
    expect(server.commands()).toEqual(new Map());
  });

  test('a change that could not be counted is refused, and is none', async () => {
    const actor = customer(ann.userId);
    const [{ aggregates }] = programs;
    for (const fault of ['cut-before', 'cut-after'] as const) {
      server.failNext('findAndModify', fault);
      await expect(change(aggregates, actor, fault)).rejects.toMatchObject({ code: 'unavailable' });
    }
    const types = (await world.eventStore.readStream(accountStream(ann.userId), { limit: 10 })).map(
      ({ type }) => type,
    );
    expect(types).not.toContain('ProfileChanged');
  });
});

/** Aggregates as they are of somebody who has not verified the e-mail. */
function unverified(aggregates: Aggregates): Aggregates {
  const { accounts } = aggregates;
  const load: typeof accounts.load = async (stream) => {
    const loaded = await accounts.load(stream);
    const { state } = loaded;
    return state.kind === 'open' ? { ...loaded, state: { ...state, isEmailVerified: false } } : loaded;
  };
  return { ...aggregates, accounts: { ...accounts, load } };
}
