import type { ApprovalCount } from '#contracts';

/** Names beyond these are counted. */
const NAMES_MAX = 4;

/** Any one of these people, in words. */
export function anyOf(names: readonly string[]): string {
  const rest = names.length - NAMES_MAX;
  const told = rest > 0 ? [...names.slice(0, NAMES_MAX), `${rest} more`] : names;
  return new Intl.ListFormat('en', { type: 'disjunction' }).format(told);
}

/** What one more approval does where it takes several; undefined where one admin decides. */
export function stepWords({ given, needed }: ApprovalCount): string | undefined {
  if (needed <= 1) return undefined;
  return given + 1 < needed
    ? `It takes ${needed} admins. Yours is approval ${given + 1} of ${needed}, and moves nothing yet.`
    : `It takes ${needed} admins, and yours is the last approval.`;
}
