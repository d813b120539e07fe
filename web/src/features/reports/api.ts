import { adminRoutes, api, changed, mutation, query, rowsOf } from '../../api';

const reports = api.injectEndpoints({
  endpoints: (build) => {
    const changes = ({ messageId }: { readonly messageId: string }) => changed('messages', messageId);
    return {
      messages: query(build, adminRoutes.messages, {
        shows: (_, answer) => rowsOf('messages', answer?.items),
      }),
      readMessage: mutation(build, adminRoutes.readMessage, { changes }),
      unreadMessage: mutation(build, adminRoutes.unreadMessage, { changes }),
      forgetMessage: mutation(build, adminRoutes.forgetMessage, { changes }),
    };
  },
});

export const {
  useForgetMessageMutation,
  useMessagesQuery,
  useReadMessageMutation,
  useUnreadMessageMutation,
} = reports;
