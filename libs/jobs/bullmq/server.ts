import { LodeError } from '#kernel';

/** The oldest Redis that is taken: what BullMQ asks for. */
const OLDEST = [6, 2] as const;
const POLICY = 'noeviction';

/** Throws `storage_failed` when a server, by its answer to INFO, is not fit for the jobs. */
export function checkServer(info: string, address: string): void {
  const facts = new Map(info.split(/\r?\n/).map((line) => pair(line)));
  const version = facts.get('redis_version') ?? 'unknown';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (!(major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])))
    throw refusal(
      `Redis at ${address} has version ${version}, and ${OLDEST.join('.')} is the oldest that works.`,
    );
  const policy = facts.get('maxmemory_policy') ?? POLICY;
  if (policy !== POLICY)
    throw refusal(
      `Redis at ${address} may throw away parts of a job when its memory is full (maxmemory-policy ${policy}). Set maxmemory-policy ${POLICY} in its configuration.`,
    );
}

function pair(line: string): readonly [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon), line.slice(colon + 1)];
}

/** What to do about a server that doesn't let us in; undefined when it is something else that failed. */
export function sayRefusal(error: unknown, address: string): LodeError | undefined {
  const message = error instanceof Error ? error.message : '';
  if (message.startsWith('NOAUTH'))
    return refusal(
      `Redis at ${address} wants a password, and its address has none. Give it as redis://:password@host:6379.`,
    );
  if (message.startsWith('WRONGPASS'))
    return refusal(`Redis at ${address} takes neither this name nor this password, or not together.`);
  if (message.startsWith('NOPERM'))
    return refusal(`Redis at ${address} does not let this name do what the jobs need.`);
  return undefined;
}

function refusal(message: string): LodeError {
  return new LodeError('storage_failed', message);
}
