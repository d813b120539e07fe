import type { ErrorCode } from '#kernel';
import type { SecurityType } from '#ledger';

const types: Readonly<Partial<Record<ErrorCode, SecurityType>>> = {
  invalid_credentials: 'SignInsRefused',
  not_permitted: 'RequestsForbidden',
  rate_limited: 'RequestsLimited',
  too_many_attempts: 'AttemptsLockedOut',
  pin_locked: 'AttemptsLockedOut',
};

/** What is noted of a request that is refused with this code; undefined where nothing is. */
export function notedAs(code: ErrorCode): SecurityType | undefined {
  return types[code];
}
