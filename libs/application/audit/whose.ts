import { partsOf, type StreamEvent } from '#kernel';
import { isPersonal, otherIn } from '#projections';

/** Whose stream it is; undefined for one that is no person's. */
export function ownerOfStream(stream: string): string | undefined {
  const { kind, subject } = partsOf(stream);
  return isPersonal(kind) && subject !== '' ? subject : undefined;
}

/** Whose an event is, and the other person of a transfer. Nobody, where its stream is no person's. */
export function peopleIn({ stream, data }: Pick<StreamEvent, 'stream' | 'data'>): readonly string[] {
  const owner = ownerOfStream(stream);
  const other = otherIn(data);
  if (owner === undefined) return [];
  return other === undefined ? [owner] : [owner, other];
}
