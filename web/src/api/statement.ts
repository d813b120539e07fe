import { useCallback } from 'react';
import type { Statement } from '#contracts';
import { api } from './api';
import { query, routes } from './contract';
import { useAppDispatch } from './store';
import { row } from './tags';

const statements = api.injectEndpoints({
  endpoints: (build) => ({
    statement: query(build, routes.statement, { shows: ({ userId }) => [row('accounts', userId)] }),
    // Apart from what is on screen, which stays when this fails.
    printedStatement: query(build, routes.statement, { shows: () => [] }),
  }),
});

export const { useStatementQuery } = statements;

/** Asks for a page of a statement as it is now, whatever is kept of it. Throws the `Failure` of a call that failed. */
export function useAskStatement() {
  const dispatch = useAppDispatch();
  return useCallback(
    (args: Parameters<typeof statements.endpoints.printedStatement.initiate>[0]): Promise<Statement> =>
      dispatch(
        statements.endpoints.printedStatement.initiate(args, { subscribe: false, forceRefetch: true }),
      ).unwrap(),
    [dispatch],
  );
}
