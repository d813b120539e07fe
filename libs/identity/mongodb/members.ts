import { invariant } from '#kernel';
import type { Role } from '#identity';
import type { Answer } from '#mongodb';

export function text(stored: Answer, member: string): string {
  const value = stored[member];
  invariant(typeof value === 'string', `member ${member} holds text`);
  return value;
}

export function integer(stored: Answer, member: string): number {
  const value = stored[member];
  invariant(typeof value === 'number', `member ${member} holds a whole number`);
  return value;
}

export function role(stored: Answer): Role {
  return text(stored, 'role') === 'admin' ? 'admin' : 'user';
}
