import { adminRoutes, api, mutation, query, routes, whole } from '../../api';

/** Each pause in what is typed has an answer of its own, which is as large as a page. */
const PREVIEW_SECONDS = 5;

const siteContents = api.injectEndpoints({
  endpoints: (build) => ({
    content: query(build, routes.content, { shows: () => [whole('settings')] }),
    contentVersion: query(build, adminRoutes.contentVersion, { shows: () => [whole('settings')] }),
    previewContent: query(build, adminRoutes.previewContent, {
      shows: () => [whole('settings')],
      keptSeconds: PREVIEW_SECONDS,
    }),
    changeContent: mutation(build, adminRoutes.changeContent, { changes: () => [whole('settings')] }),
    uploadSiteMedia: mutation(build, adminRoutes.uploadSiteMedia),
  }),
});

export const {
  useChangeContentMutation,
  useContentQuery,
  useContentVersionQuery,
  usePreviewContentQuery,
  useUploadSiteMediaMutation,
} = siteContents;
