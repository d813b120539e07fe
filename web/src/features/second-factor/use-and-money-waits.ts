import { useUser } from '../../api';

/** The end of a sentence that says what else comes of a factor that is taken off; admins have no money. */
export function useAndMoneyWaits(): string {
  return useUser().role === 'user' ? ', and no money leaves your account for the waiting time' : '';
}
