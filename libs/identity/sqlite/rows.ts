import type { SQLOutputValue } from 'node:sqlite';
import { invariant } from '#kernel';
import type { CredentialRow, Role, SessionRow } from '#identity';

/** A row as SQLite gives it. */
export type Row = Record<string, SQLOutputValue>;

export function text(row: Row, column: string): string {
  const value = row[column];
  invariant(typeof value === 'string', `column ${column} holds text`);
  return value;
}

export function integer(row: Row, column: string): number {
  const value = row[column];
  invariant(typeof value === 'number', `column ${column} holds a whole number`);
  return value;
}

function role(row: Row): Role {
  return text(row, 'role') === 'admin' ? 'admin' : 'user';
}

export function credential(row: Row): CredentialRow {
  return {
    userId: text(row, 'user_id'),
    email: text(row, 'email'),
    accountNumber: text(row, 'account_number'),
    passwordHash: text(row, 'password_hash'),
    role: role(row),
    state: text(row, 'state') === 'active' ? 'active' : 'reserved',
    reservedAt: integer(row, 'reserved_at'),
    owner: text(row, 'owner'),
    suspended: integer(row, 'suspended') === 1,
    epoch: integer(row, 'epoch'),
  };
}

export function session(row: Row): SessionRow {
  return {
    sessionId: text(row, 'session_id'),
    userId: text(row, 'user_id'),
    role: role(row),
    createdAt: integer(row, 'created_at'),
    lastUsedAt: integer(row, 'last_used_at'),
    address: text(row, 'address'),
    agent: text(row, 'agent'),
    idleEndsAt: integer(row, 'idle_ends_at'),
    endsAt: integer(row, 'ends_at'),
    generation: integer(row, 'generation'),
    rotatedAt: integer(row, 'rotated_at'),
    ...(row['door_sign_in_at'] === null ? {} : { doorSignInAt: integer(row, 'door_sign_in_at') }),
    ...(row['proved_at'] === null ? {} : { provedAt: integer(row, 'proved_at') }),
  };
}
