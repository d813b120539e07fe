import { api } from './api';
import { query, routes } from './contract';
import { row, whole } from './tags';

const requests = api.injectEndpoints({
  endpoints: (build) => ({
    openRequests: query(build, routes.openRequests, {
      shows: () => [whole('requests'), whole('transfers')],
    }),
    fundRequest: query(build, routes.fundRequest, {
      shows: ({ requestId }) => [row('requests', requestId)],
    }),
    withdrawal: query(build, routes.withdrawal, { shows: ({ requestId }) => [row('requests', requestId)] }),
    transfer: query(build, routes.transfer, { shows: ({ requestId }) => [row('transfers', requestId)] }),
  }),
});

export const { useOpenRequestsQuery, useFundRequestQuery, useWithdrawalQuery, useTransferQuery } = requests;
