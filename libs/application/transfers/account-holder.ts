import { NO_USER_FOUND, type AccountHolder } from '#contracts';
import { LodeError } from '#kernel';
import type { AccountNumbers } from './account-numbers.js';
import { Query } from '../message.js';

/**
 * Who can be sent something by an account number. Refuses with `account_number_unknown`, `account_number_unusable` and
 * `rate_limited`.
 */
export class GetAccountHolder extends Query<AccountHolder> {
  constructor(
    readonly accountNumber: string,
    readonly askedBy: string,
  ) {
    super();
  }
}

export class GetAccountHolderHandler {
  constructor(private readonly accountNumbers: AccountNumbers) {}

  async execute({ accountNumber, askedBy }: GetAccountHolder): Promise<AccountHolder> {
    const holder = await this.accountNumbers.holderOf(accountNumber, askedBy);
    if (typeof holder !== 'object') throw new LodeError('account_number_unknown', NO_USER_FOUND);
    return { accountNumber, accountName: holder.accountName };
  }
}
