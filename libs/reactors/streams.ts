import { invariant, type RecordedEvent } from '#kernel';
import { accessStream, accountStream, messageStream } from '#ledger';

const PREFIXES = [accountStream(''), accessStream(''), messageStream('')];

/** Whose stream an event is in: the id of a person, or of a message. */
export function idIn({ stream }: Pick<RecordedEvent, 'stream'>): string {
  const prefix = PREFIXES.find((one) => stream.startsWith(one));
  invariant(prefix !== undefined, `${stream} is about one person or message`);
  return stream.slice(prefix.length);
}
