import type { SubmitEvent } from 'react';

/**
 * Lets a page handle a form by itself, once its event is over: what changes the address within it is taken for an action
 * of the form.
 */
export function submitted(act: () => void): (event: SubmitEvent) => void {
  return (event) => {
    event.preventDefault();
    queueMicrotask(act);
  };
}
