import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  ACCESS_TOKEN_MS,
  ADMIN_SESSION_MS,
  REFRESH_OVERLAP_MS,
  SESSION_IDLE_MS,
  SESSION_LIFE_MS,
  storeLimits,
  type Tokens,
} from '#identity';
import { CLIENT, createWorld, START, type IdentityStoreFixture, type World } from './world.js';

const ANN = { userId: 'ann', role: 'user' } as const;
const BOB = { userId: 'bob', role: 'admin' } as const;
const MINUTE_MS = 60_000;
const ELSEWHERE = { address: '2001:db8::1', agent: 'Elsewhere/2.0' };

export function sessionsContract(fixture: () => Promise<IdentityStoreFixture>): void {
  describe('sessions', () => {
    let world: World;
    beforeEach(async () => void (world = await createWorld(fixture)));
    afterEach(() => world.end());
    const sessions = () => world.identity.sessions;
    const authenticate = async (token: string | undefined) => sessions().authenticate(token);
    const refresh = (tokens: Tokens) => sessions().refresh(tokens.refreshToken, CLIENT);
    const refused = (code: string) => expect.objectContaining({ code });

    test('a session starts with two secrets, and the access token says who it is', async () => {
      const tokens = await sessions().start(ANN, CLIENT);
      expect(tokens.accessToken).toMatch(/^la_[A-Za-z0-9_-]{43}$/);
      expect(tokens.refreshToken).toMatch(/^lr_[A-Za-z0-9_-]{43}$/);
      expect(tokens.accessExpiresAt).toBe(START + ACCESS_TOKEN_MS);
      expect(tokens.refreshExpiresAt).toBe(START + SESSION_IDLE_MS);
      expect(tokens.session).toMatchObject({ ...ANN, expiresAt: START + ACCESS_TOKEN_MS });
      expect(await authenticate(tokens.accessToken)).toEqual(tokens.session);
    });

    test('a token is one session’s: another that has the same is not opened', async () => {
      const rowOf = (sessionId: string) => ({
        ...ANN,
        ...CLIENT,
        sessionId,
        createdAt: START,
        lastUsedAt: START,
        rotatedAt: START,
        idleEndsAt: START + SESSION_IDLE_MS,
        endsAt: START + SESSION_LIFE_MS,
        generation: 0,
      });
      const open = (sessionId: string, access: string, refreshed: string) =>
        world.store.openSession(
          rowOf(sessionId),
          { hash: access, expiresAt: START + ACCESS_TOKEN_MS },
          refreshed,
        );
      await open('one', 'access', 'refresh');
      await expect(open('two', 'access', 'other refresh')).rejects.toThrow();
      await expect(open('three', 'other access', 'refresh')).rejects.toThrow();
      expect(await world.store.sessionByAccess('access')).toMatchObject({ session: { sessionId: 'one' } });
      expect(await world.store.sessionByRefresh('refresh')).toMatchObject({ session: { sessionId: 'one' } });
      expect(await world.store.sessionByAccess('other access')).toBeUndefined();
      expect(await world.store.sessionByRefresh('other refresh')).toBeUndefined();
      expect(await world.store.sessionsOf(ANN.userId, START)).toHaveLength(1);
    });

    test('of the identity door keeps when the password was shown there, and no refresh renews it', async () => {
      const begun = await sessions().start(ANN, CLIENT, { at: 'now' });
      expect(begun.session).toMatchObject({ ...ANN, doorSignInAt: START });
      world.now += 60_000;
      const { accessToken, refreshToken } = await sessions().refresh(begun.refreshToken, CLIENT, 'door');
      await world.restart();
      expect(await authenticate(accessToken)).toMatchObject({ doorSignInAt: START });
      const { session } = await sessions().start(ANN, CLIENT, { at: START + 1 });
      expect(session.doorSignInAt).toBe(START + 1);
      expect(await sessions().endSessionOf(refreshToken, 'door')).toMatchObject(ANN);
    });

    test('of an admin is gone on with for a working day, and not beyond', async () => {
      let tokens = await sessions().start(BOB, CLIENT);
      expect(tokens.refreshExpiresAt).toBe(START + ADMIN_SESSION_MS);
      world.now = START + ADMIN_SESSION_MS - 1;
      tokens = await refresh(tokens);
      expect(tokens.accessExpiresAt).toBe(START + ADMIN_SESSION_MS);
      world.now = START + ADMIN_SESSION_MS;
      await expect(refresh(tokens)).rejects.toEqual(refused('token_expired'));
      await expect(authenticate(tokens.accessToken)).rejects.toEqual(refused('token_expired'));
    });

    test('is proved by its beginning, and again later, wherever it is asked', async () => {
      const { session, accessToken, refreshToken } = await sessions().start(BOB, CLIENT);
      const isProved = async (token: string) => sessions().isProved(await authenticate(token), MINUTE_MS);
      world.now += MINUTE_MS;
      expect(await isProved(accessToken)).toBe(true);
      world.now += 1;
      expect(await isProved(accessToken)).toBe(false);
      expect(await sessions().prove(session)).toBe(world.now);
      expect(await isProved(accessToken)).toBe(true);
      const next = await sessions().refresh(refreshToken, CLIENT);
      await world.restart();
      expect(await isProved(next.accessToken)).toBe(true);
      world.now += MINUTE_MS + 1;
      expect(await isProved(next.accessToken)).toBe(false);
    });

    test('is not proved as another person’s, or once it has ended', async () => {
      const { session } = await sessions().start(BOB, CLIENT);
      await expect(sessions().prove({ ...session, userId: ANN.userId })).rejects.toEqual(
        refused('token_invalid'),
      );
      await sessions().endSession(session.sessionId);
      await expect(sessions().prove(session)).rejects.toEqual(refused('token_invalid'));
    });

    test('is proved in another program, too', async () => {
      const { session, accessToken } = await sessions().start(BOB, CLIENT);
      const other = await world.other('other');
      const seen = await other.sessions.authenticate(accessToken);
      world.now += MINUTE_MS + 1;
      expect(await other.sessions.isProved(seen, MINUTE_MS)).toBe(false);
      await sessions().prove(session);
      expect(await other.sessions.isProved(seen, MINUTE_MS)).toBe(true);
    });

    test('of elsewhere is nobody’s at the identity door, and loses nothing by being shown there', async () => {
      const { accessToken, refreshToken, session } = await sessions().start(ANN, CLIENT);
      expect(session).not.toHaveProperty('doorSignInAt');
      await expect(sessions().refresh(refreshToken, CLIENT, 'door')).rejects.toEqual(
        refused('token_invalid'),
      );
      for (const token of [accessToken, refreshToken])
        expect(await sessions().endSessionOf(token, 'door')).toBeUndefined();
      await sessions().refresh(refreshToken, CLIENT);
      expect(await authenticate(accessToken)).toEqual(session);
    });

    test('a known access token is answered at once', async () => {
      const { accessToken, session } = await sessions().start(ANN, CLIENT);
      await authenticate(accessToken);
      expect(sessions().authenticate(accessToken)).toEqual(session);
    });

    test('what is no token, or nobody’s, is refused', async () => {
      const { accessToken, refreshToken } = await sessions().start(ANN, CLIENT);
      for (const nothing of [undefined, '']) {
        await expect(authenticate(nothing)).rejects.toEqual(refused('token_missing'));
        await expect(sessions().refresh(nothing, CLIENT)).rejects.toEqual(refused('token_missing'));
      }
      const stranger = `la_${'A'.repeat(43)}`;
      for (const token of [refreshToken, stranger, 'x', `${accessToken}=`, accessToken.slice(3)])
        await expect(authenticate(token)).rejects.toEqual(refused('token_invalid'));
      for (const token of [accessToken, `lr_${'A'.repeat(43)}`, `${refreshToken} `])
        await expect(sessions().refresh(token, CLIENT)).rejects.toEqual(refused('token_invalid'));
    });

    test.each(['remembered', 'read'] as const)('an access token expires: %s', async (how) => {
      const { accessToken } = await sessions().start(ANN, CLIENT);
      await authenticate(accessToken);
      world.now = START + ACCESS_TOKEN_MS - 1;
      expect(await authenticate(accessToken)).toMatchObject(ANN);
      if (how === 'read') await world.restart();
      world.now += 1;
      await expect(authenticate(accessToken)).rejects.toEqual(refused('token_expired'));
    });

    test('a refresh gives new tokens of the same session; the old access token lives on', async () => {
      const first = await sessions().start(ANN, CLIENT);
      world.now += 1_000;
      const second = await refresh(first);
      expect(second.session.sessionId).toBe(first.session.sessionId);
      expect(new Set([first, second].flatMap((t) => [t.accessToken, t.refreshToken])).size).toBe(4);
      expect(await authenticate(first.accessToken)).toMatchObject(ANN);
      expect(await authenticate(second.accessToken)).toEqual(second.session);
      expect(second.refreshExpiresAt).toBe(START + 1_000 + SESSION_IDLE_MS);
    });

    test('a used refresh token that comes back ends the session, and is told', async () => {
      const first = await sessions().start(ANN, CLIENT);
      const other = await sessions().start(ANN, CLIENT);
      const second = await refresh(first);
      await authenticate(second.accessToken);
      world.now += REFRESH_OVERLAP_MS + 1;
      await expect(sessions().refresh(first.refreshToken, ELSEWHERE)).rejects.toEqual(
        refused('token_invalid'),
      );
      const { sessionId } = first.session;
      expect(world.reuses).toEqual([{ userId: 'ann', sessionId, client: ELSEWHERE }]);
      for (const tokens of [first, second])
        await expect(authenticate(tokens.accessToken)).rejects.toEqual(refused('token_invalid'));
      await expect(refresh(second)).rejects.toEqual(refused('token_invalid'));
      expect(await authenticate(other.accessToken)).toEqual(other.session);
    });

    test('the token before the last may come again within the overlap: a lost answer costs nothing', async () => {
      const first = await sessions().start(ANN, CLIENT);
      const lost = await refresh(first);
      world.now += REFRESH_OVERLAP_MS;
      const second = await refresh(first);
      expect(second.refreshToken).not.toBe(lost.refreshToken);
      expect(await authenticate(second.accessToken)).toEqual(second.session);
      expect(await refresh(second)).toMatchObject({ session: { sessionId: first.session.sessionId } });
      expect(world.reuses).toEqual([]);
    });

    test('a token two generations old is a reuse also within the overlap', async () => {
      const first = await sessions().start(ANN, CLIENT);
      const third = await refresh(await refresh(first));
      await expect(refresh(first)).rejects.toEqual(refused('token_invalid'));
      await expect(authenticate(third.accessToken)).rejects.toEqual(refused('token_invalid'));
    });

    test('a second successor does not lengthen the overlap', async () => {
      const first = await sessions().start(ANN, CLIENT);
      await refresh(first);
      world.now += REFRESH_OVERLAP_MS;
      await refresh(first);
      world.now += 1;
      await expect(refresh(first)).rejects.toEqual(refused('token_invalid'));
      expect(world.reuses).toHaveLength(1);
    });

    test('of two successors only one goes on: the other one is a reuse later', async () => {
      const first = await sessions().start(ANN, CLIENT);
      const [mine, theirs] = [await refresh(first), await refresh(first)];
      await refresh(mine);
      world.now += REFRESH_OVERLAP_MS + 1;
      await expect(refresh(theirs)).rejects.toEqual(refused('token_invalid'));
      expect(await sessions().list('ann')).toEqual([]);
    });

    test('a session ends when it stands idle', async () => {
      const tokens = await sessions().start(ANN, CLIENT);
      world.now = START + SESSION_IDLE_MS - 1;
      const next = await refresh(tokens);
      world.now += SESSION_IDLE_MS;
      await expect(refresh(next)).rejects.toEqual(refused('token_expired'));
      expect(await sessions().list('ann')).toEqual([]);
    });

    test('a session ends after its whole life, however busy', async () => {
      let tokens = await sessions().start(ANN, CLIENT);
      const ends = START + SESSION_LIFE_MS;
      for (const part of [0.3, 0.6, 0.9]) {
        world.now = START + SESSION_LIFE_MS * part;
        tokens = await refresh(tokens);
      }
      expect(tokens.refreshExpiresAt).toBe(ends);
      world.now = ends - 1;
      tokens = await refresh(tokens);
      expect(tokens.accessExpiresAt).toBe(ends);
      world.now = ends;
      await expect(refresh(tokens)).rejects.toEqual(refused('token_expired'));
      await expect(authenticate(tokens.accessToken)).rejects.toEqual(refused('token_expired'));
    });

    test('a session that is ended is over at once, for both tokens', async () => {
      const tokens = await sessions().start(ANN, CLIENT);
      const kept = await sessions().start(ANN, CLIENT);
      for (const { accessToken } of [tokens, kept]) await authenticate(accessToken);
      expect(await sessions().endSession(tokens.session.sessionId, 'bob')).toBe(false);
      expect(await authenticate(tokens.accessToken)).toEqual(tokens.session);
      expect(await sessions().endSession(tokens.session.sessionId, 'ann')).toBe(true);
      expect(await sessions().endSession(tokens.session.sessionId)).toBe(false);
      await expect(authenticate(tokens.accessToken)).rejects.toEqual(refused('token_invalid'));
      await expect(refresh(tokens)).rejects.toEqual(refused('token_invalid'));
      expect(await authenticate(kept.accessToken)).toEqual(kept.session);
    });

    test.each(['refreshToken', 'accessToken'] as const)(
      'signing out by the %s ends its session',
      async (kind) => {
        const tokens = await sessions().start(ANN, CLIENT);
        await authenticate(tokens.accessToken);
        expect(await sessions().endSessionOf(tokens[kind])).toMatchObject({ userId: 'ann' });
        await expect(authenticate(tokens.accessToken)).rejects.toEqual(refused('token_invalid'));
        expect(await sessions().endSessionOf(tokens[kind])).toBeUndefined();
      },
    );

    test('signing out by nonsense or by an access token that is over ends nothing', async () => {
      const tokens = await sessions().start(ANN, CLIENT);
      for (const token of [undefined, 'nonsense', `lr_${'A'.repeat(43)}`, `la_${'A'.repeat(43)}`])
        expect(await sessions().endSessionOf(token)).toBeUndefined();
      expect(await authenticate(tokens.accessToken)).toEqual(tokens.session);
      world.now += ACCESS_TOKEN_MS;
      expect(await sessions().endSessionOf(tokens.accessToken)).toBeUndefined();
      await expect(refresh(tokens)).resolves.toBeDefined();
    });

    test('signing out everywhere ends all of a person’s sessions, but the one that is kept', async () => {
      const [one, two, three] = [
        await sessions().start(ANN, CLIENT),
        await sessions().start(ANN, CLIENT),
        await sessions().start(ANN, CLIENT),
      ];
      const bob = await sessions().start(BOB, CLIENT);
      for (const { accessToken } of [one, two, three, bob]) await authenticate(accessToken);
      expect(await sessions().endAllSessions('ann', two.session.sessionId)).toBe(2);
      for (const { accessToken } of [one, three])
        await expect(authenticate(accessToken)).rejects.toEqual(refused('token_invalid'));
      expect(await authenticate(two.accessToken)).toEqual(two.session);
      expect(await sessions().endAllSessions('ann')).toBe(1);
      expect(await sessions().endAllSessions('ann')).toBe(0);
      await expect(authenticate(two.accessToken)).rejects.toEqual(refused('token_invalid'));
      expect(await authenticate(bob.accessToken)).toEqual(bob.session);
    });

    test('a person sees their own sessions: since when, used when, from where, with what', async () => {
      const first = await sessions().start(ANN, CLIENT);
      await sessions().start(BOB, CLIENT);
      world.now += 1_000;
      const second = await sessions().start(ANN, { ...ELSEWHERE, agent: 'x'.repeat(10_000) });
      world.now += 1_000;
      await sessions().refresh(first.refreshToken, ELSEWHERE);
      const endsAt = START + SESSION_LIFE_MS;
      expect(await sessions().list('ann')).toEqual([
        {
          sessionId: first.session.sessionId,
          createdAt: START,
          lastUsedAt: START + 2_000,
          ...ELSEWHERE,
          endsAt,
        },
        {
          sessionId: second.session.sessionId,
          createdAt: START + 1_000,
          lastUsedAt: START + 1_000,
          address: ELSEWHERE.address,
          agent: 'x'.repeat(256),
          endsAt: endsAt + 1_000,
        },
      ]);
    });

    test('a person has so many sessions; one more ends the one that was used longest ago', async () => {
      const opened: Tokens[] = [];
      for (let n = 0; n < storeLimits.sessionsPerPerson; n += 1) {
        opened.push(await sessions().start(ANN, CLIENT));
        world.now += 1;
      }
      const [first, second] = opened as [Tokens, Tokens];
      const renewed = await refresh(first);
      for (const { accessToken } of [renewed, second]) await authenticate(accessToken);
      await sessions().start(ANN, CLIENT);
      await expect(authenticate(second.accessToken)).rejects.toEqual(refused('token_invalid'));
      expect(await authenticate(renewed.accessToken)).toEqual(renewed.session);
      expect(await sessions().list('ann')).toHaveLength(storeLimits.sessionsPerPerson);
    });

    test('a session holds so many live access tokens; then it must wait', async () => {
      let tokens = await sessions().start(ANN, CLIENT);
      for (let n = 1; n < storeLimits.accessTokensPerSession; n += 1) tokens = await refresh(tokens);
      await expect(refresh(tokens)).rejects.toMatchObject({
        code: 'too_many_attempts',
        details: { retryAfterSeconds: ACCESS_TOKEN_MS / 1_000 },
      });
      world.now += ACCESS_TOKEN_MS;
      expect((await refresh(tokens)).session).toMatchObject(ANN);
    });

    test('a restart keeps sessions, their tokens and what was used', async () => {
      const first = await sessions().start(ANN, CLIENT);
      const second = await refresh(first);
      await world.restart();
      expect(await authenticate(second.accessToken)).toEqual(second.session);
      world.now += REFRESH_OVERLAP_MS + 1;
      await expect(refresh(first)).rejects.toEqual(refused('token_invalid'));
      await expect(authenticate(second.accessToken)).rejects.toEqual(refused('token_invalid'));
    });

    test('what ended long ago is pruned and the rest is not', async () => {
      await sessions().start(ANN, CLIENT);
      await world.identity.invitations.issueToken('one', new Date(START + 1).toISOString());
      world.now = START + SESSION_IDLE_MS;
      const bob = await sessions().start(BOB, CLIENT);
      const token = await world.identity.invitations.issueToken(
        'two',
        new Date(world.now + 10).toISOString(),
      );
      world.now += 1;
      expect(await sessions().prune()).toBeGreaterThan(0);
      expect(await sessions().prune()).toBe(0);
      expect(await world.store.sessionsOf('ann', START)).toEqual([]);
      expect(await authenticate(bob.accessToken)).toEqual(bob.session);
      expect(await world.identity.invitations.invitationOf(token)).toBe('two');
    });
  });
}
