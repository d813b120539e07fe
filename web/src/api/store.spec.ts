import { expect, test } from '@jest/globals';
import { json, serve, sessionOf, to } from '../testing';
import { api } from './api';
import { query, routes } from './contract';
import { makeStore } from './store';

const { endpoints } = api.injectEndpoints({
  endpoints: (build) => ({ who: query(build, routes.me, { shows: () => [] }) }),
});

test('what was fetched for one person is gone when another signs in, and not when their session goes on', async () => {
  serve({ [to(routes.me)]: () => json({ userId: 'amara' }) });
  const { store, session } = makeStore();
  const fetched = () => Object.values(store.getState().api.queries).map((one) => one?.data);
  session.adopt(sessionOf('user'));
  await store.dispatch(endpoints.who.initiate(undefined, { subscribe: false }));
  expect(fetched()).toEqual([{ userId: 'amara' }]);
  session.adopt(sessionOf('user', 'second-token'));
  expect(fetched()).toEqual([{ userId: 'amara' }]);
  session.adopt(sessionOf('admin'));
  expect(fetched()).toEqual([]);
});
