import type { Metadata, ServiceError } from '@grpc/grpc-js';
import { failures } from './messages.js';

/** Whom the double lets in: one user, and who gives no name. */
export type Access = {
  readonly name: string;
  readonly password: string;
  /** Without a name and password streams may be read and written, and the log may not, as it is by default. */
  readonly letsAnybodyWrite: boolean;
  /** What its access control lists keep from that user. */
  readonly forbids?: 'the log' | 'writing';
};

/** How a call is refused, if it is. A server without users lets everybody do everything. */
export function accessRefusal(
  access: Access | undefined,
  metadata: Metadata,
  asksFor: 'a stream' | 'the log',
): ServiceError | undefined {
  if (access === undefined) return undefined;
  const { name, password, letsAnybodyWrite } = access;
  const [given] = metadata.get('authorization');
  if (given === undefined)
    return letsAnybodyWrite && asksFor === 'a stream' ? undefined : failures.accessDenied();
  const right = Buffer.from(`${name}:${password}`).toString('base64');
  if (given !== `Basic ${right}`) return failures.unauthenticated();
  return access.forbids === asksFor ? failures.accessDenied() : undefined;
}
