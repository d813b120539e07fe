import type { RegisterBody, Session, SignInBody } from '#contracts';
import { api } from './api';
import type { ApiServices } from './base-query';

const access = api.injectEndpoints({
  endpoints: (build) => ({
    signIn: build.mutation<Session, SignInBody>({
      query: (body) => ({ path: '/api/auth/sign-in', body }),
      async onQueryStarted(_body, { queryFulfilled, extra }) {
        const answer = await queryFulfilled.catch(() => undefined);
        if (answer !== undefined) (extra as ApiServices).session.adopt(answer.data);
      },
    }),
    register: build.mutation<unknown, RegisterBody>({
      query: (body) => ({ path: '/api/auth/register', body }),
    }),
    signOut: build.mutation<unknown, void>({
      query: () => ({ path: '/api/auth/sign-out', body: {} }),
      async onQueryStarted(_nothing, { queryFulfilled, extra }) {
        await queryFulfilled.catch(() => undefined);
        (extra as ApiServices).session.end();
      },
    }),
  }),
});

export const { useSignInMutation, useRegisterMutation, useSignOutMutation } = access;
