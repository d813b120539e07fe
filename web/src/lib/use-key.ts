import { useState } from 'react';
import { newKey } from './key';

/** The key under which a form sends its command. */
export type FormKey = {
  /** The same key as long as the same is sent, so that it is not done twice when an answer was lost; else a new one. */
  readonly of: (content: unknown) => string;
  /** It was done: the same once more is another command. */
  readonly done: () => void;
};

function createFormKey(): FormKey {
  let sent = { content: '', key: '' };
  return {
    of(given) {
      const content = JSON.stringify(given);
      if (sent.content !== content) sent = { content, key: newKey() };
      return sent.key;
    },
    done() {
      sent = { content: '', key: '' };
    },
  };
}

/** The key of a form, for as long as the form is there. */
export function useKey(): FormKey {
  const [key] = useState(createFormKey);
  return key;
}
