import type { DecodedEvent, DomainEvent, RecordedEvent } from '#kernel';
import type { Document } from '#read-store';
import { readModel, type StreamModel } from '../read-model.js';
import { recorded } from './log.js';

type Noted = { readonly type: 'Noted'; readonly data: { readonly text: string } };
export type NotesDocument = Document & { readonly texts: readonly string[] };

/**
 * A read model to try the runner with: one document a stream with the texts noted there, and one with how many there
 * are in all. `trouble` may throw, or do worse, for an event.
 */
export function notes(trouble: (event: DecodedEvent<Noted>) => void = () => {}, version = 1): StreamModel {
  return readModel<Noted, NotesDocument>({
    name: 'notes',
    version,
    indexes: [],
    on: {
      Noted: (event) => [
        {
          id: event.stream,
          change: (document) => {
            trouble(event);
            const texts = [
              ...(document?.texts ?? []),
              `${event.data.text}${version === 1 ? '' : ` v${version}`}`,
            ];
            return { id: event.stream, position: event.position, texts };
          },
        },
        {
          id: 'all',
          change: (document) => ({
            id: 'all',
            position: event.position,
            texts: [String(Number(document?.texts[0] ?? 0) + 1)],
          }),
        },
      ],
    },
    ownerOf: ({ id }) => (id === 'all' ? null : id),
  });
}

/** An event that `notes` handles; its text is its position unless given. */
export function noted(position: number, stream: string, text = String(position)): RecordedEvent {
  return recorded(position, stream, 'Noted', { text });
}

/** The text of an event that `notes` handles. */
export function textOf({ data }: DomainEvent): string | undefined {
  return 'text' in data && typeof data.text === 'string' ? data.text : undefined;
}
