import { api } from './api';
import type { ApiServices } from './base-query';
import { mutation, routes } from './contract';

const access = api.injectEndpoints({
  endpoints: (build) => ({
    signIn: mutation(build, routes.signIn, {
      async onQueryStarted(_body, { queryFulfilled, extra }) {
        const answer = await queryFulfilled.catch(() => undefined);
        // Of whoever has a second factor there is none yet.
        if (answer !== undefined && 'user' in answer.data) (extra as ApiServices).session.adopt(answer.data);
      },
    }),
    finishSignIn: mutation(build, routes.finishSignIn, {
      async onQueryStarted(_body, { queryFulfilled, extra }) {
        const answer = await queryFulfilled.catch(() => undefined);
        if (answer !== undefined) (extra as ApiServices).session.adopt(answer.data);
      },
    }),
    signOut: mutation(build, routes.signOut, {
      async onQueryStarted(_nothing, { queryFulfilled, extra }) {
        await queryFulfilled.catch(() => undefined);
        (extra as ApiServices).session.end();
      },
    }),
  }),
});

export const { useSignInMutation, useFinishSignInMutation, useSignOutMutation } = access;
