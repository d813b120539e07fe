import { api } from './api';
import type { ApiServices } from './base-query';
import { mutation, routes } from './contract';
import { accountClosing, accountStays } from './session';

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
    closeAccount: mutation(build, routes.closeAccount, {
      async onQueryStarted(_proof, { queryFulfilled, dispatch, extra }) {
        dispatch(accountClosing());
        const answer = await queryFulfilled.catch(() => undefined);
        if (answer === undefined) dispatch(accountStays());
        else (extra as ApiServices).session.end();
      },
    }),
  }),
});

export const { useCloseAccountMutation, useSignInMutation, useFinishSignInMutation, useSignOutMutation } =
  access;
