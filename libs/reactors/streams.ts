import { invariant, type RecordedEvent } from '#kernel';
import { accessStream, accountStream, adminsStream, messageStream } from '#ledger';

const PREFIXES = [accountStream(''), accessStream(''), messageStream('')];

/** Whose account a stream is; undefined of any other. */
export function personIn(stream: string): string | undefined {
  const prefix = accountStream('');
  return stream.startsWith(prefix) ? stream.slice(prefix.length) : undefined;
}

/** Whom an event is about: the id of a person, or of a message. */
export function idIn({ stream, data }: Pick<RecordedEvent, 'stream' | 'data'>): string {
  const { userId } = data;
  if (stream === adminsStream && typeof userId === 'string') return userId;
  const prefix = PREFIXES.find((one) => stream.startsWith(one));
  invariant(prefix !== undefined, `${stream} is about one person or message`);
  return stream.slice(prefix.length);
}
