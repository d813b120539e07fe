import type { Role } from '#identity';
import { text, type Answer } from '#mongodb';

export function role(stored: Answer): Role {
  return text(stored, 'role') === 'admin' ? 'admin' : 'user';
}
