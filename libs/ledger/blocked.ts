import { LodeError } from '#kernel';

/** Somebody who may be at work is to be blocked before anybody else forgets them. */
export function accountActive(): LodeError {
  return new LodeError('account_active', 'Please block the account first: whoever has it may be at work.');
}
