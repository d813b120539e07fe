import { api } from './api';
import { query, routes } from './contract';
import { row } from './tags';

const statements = api.injectEndpoints({
  endpoints: (build) => ({
    statement: query(build, routes.statement, { shows: ({ userId }) => [row('accounts', userId)] }),
  }),
});

export const { useStatementQuery } = statements;
