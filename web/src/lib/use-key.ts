import { useState } from 'react';
import type { Sent } from './drafts';
import { newKey } from './key';

/** The key under which a form sends its command. */
export type FormKey = {
  /** The same key as long as the same is sent, so that it is not done twice when an answer was lost; else a new one. */
  readonly of: (content: unknown) => string;
  /** It was done: the same once more is another command. */
  readonly done: () => void;
};

/** Where a form keeps what it sent last, so that its key outlasts a reload. */
export type KeptKey = {
  readonly begin: Sent | undefined;
  readonly keep: (sent: Sent | undefined) => void;
};

function createFormKey(kept: KeptKey | undefined): FormKey {
  let sent = kept?.begin;
  return {
    of(given) {
      const content = JSON.stringify(given);
      if (sent?.content !== content) {
        sent = { content, key: newKey() };
        kept?.keep(sent);
      }
      return sent.key;
    },
    done() {
      sent = undefined;
      kept?.keep(undefined);
    },
  };
}

/** The key of a form, for as long as the form is there, or as what it sent is kept. */
export function useKey(kept?: KeptKey): FormKey {
  const [key] = useState(() => createFormKey(kept));
  return key;
}
