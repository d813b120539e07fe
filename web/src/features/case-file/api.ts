import { adminRoutes, api, query } from '../../api';

const cases = api.injectEndpoints({
  endpoints: (build) => ({
    /** Kept no longer than a page takes: a case is all of a person. */
    casePage: { ...query(build, adminRoutes.caseFile, { shows: () => [] }), keepUnusedDataFor: 1 },
  }),
});

export const { useLazyCasePageQuery } = cases;
