/** The facts of one message's stream, `message-{id}`. The names are storage. */
export type MessageEvent =
  | {
      readonly type: 'MessageSent';
      readonly data: {
        readonly messageId: string;
        /** The customer who sent it; left out for a visitor. */
        readonly userId?: string;
        /** Name, e-mail, phone, business type, subject and message, encrypted with the message's own key. */
        readonly sealed: string;
      };
    }
  | { readonly type: 'MessageRead'; readonly data: { readonly messageId: string } }
  | { readonly type: 'MessageUnread'; readonly data: { readonly messageId: string } }
  | { readonly type: 'MessageForgotten'; readonly data: { readonly messageId: string } };
