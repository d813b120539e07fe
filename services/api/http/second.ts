import type { ApprovalCount, SecondAnswer } from '#contracts';
import type { Position } from '#kernel';

/** What the admin is told whose approval is not the last one. */
export function recorded({ given, needed }: ApprovalCount): string {
  return `Approval recorded, ${given} of ${needed}.`;
}

/** The answer to what may take a second admin: the message is of what is done. */
export function secondOf(
  { changeId, position }: { readonly changeId: string | null; readonly position: Position },
  message: string,
): SecondAnswer {
  if (changeId === null) return { position, message };
  const approvals = { given: 1, needed: 2 };
  return { position, message: recorded(approvals), approvals, changeId };
}
