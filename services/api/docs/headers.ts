import type { Route } from '#contracts';
import type { Schema } from './schemas.js';

const text = (description: string, pattern?: string): Schema => ({
  description,
  schema: { type: 'string', ...(pattern === undefined ? {} : { pattern }) },
});

const POSITION = String.raw`^(?:0|[1-9]\d{0,19})(?:\.[0-9a-f]{8})?$`;

/** What a request may say in headers, by its name among the components. */
export const parameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: true,
    description:
      'Made up anew for each thing that is to be done. Sent again with the same content it is answered as before, and not ' +
      'done again; with other content it is refused.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: String.raw`^[\x21-\x7e]{1,255}$` },
  },
  LodePosition: {
    name: 'Lode-Position',
    in: 'header',
    required: false,
    description:
      'The `Lode-Position` of an answer to a command: the query waits until it knows that place, two seconds at most.',
    schema: { type: 'string', pattern: POSITION },
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    required: false,
    description: 'The id of the last event that came: the stream goes on from there.',
    schema: { type: 'string', pattern: POSITION },
  },
} as const satisfies Readonly<Record<string, Schema>>;

/** What an answer may say in headers, by its name among the components. */
export const headers = {
  'Lode-Position': text(
    'Where in the log it is so; or, beside `Lode-Stale`, what takes the place of a position of another log.',
    POSITION,
  ),
  'Lode-Stale': text('The answer is from before the position that was asked for.', '^true$'),
  'Idempotency-Replayed': text('It had been done before, and nothing changed now.', '^true$'),
  'Retry-After': text('Seconds to wait before it is sent again.', String.raw`^\d+$`),
  'Accept-Ranges': text('Parts of the file can be asked for with `Range: bytes=…`.', '^bytes$'),
  'Content-Disposition': text('The name of the file.'),
  'Content-Range': text('Which bytes of how many these are.'),
  ETag: text('Sent back as `If-None-Match`, the answer is 304 while it would be the same.'),
} as const satisfies Readonly<Record<string, Schema>>;

type HeaderName = keyof typeof headers;

/** References to headers. */
function refer(...names: readonly HeaderName[]): Schema {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The headers of what a route answers with when it does what it was asked. */
export function headersOf(route: Route): Schema {
  const file = route.answer === 'application/octet-stream' ? (['Accept-Ranges', 'ETag'] as const) : [];
  const list = route.files === undefined ? [] : (['Content-Disposition'] as const);
  if (route.method === 'GET') return refer('Lode-Position', 'Lode-Stale', ...file, ...list);
  return refer(...(route.command === true ? (['Lode-Position', 'Idempotency-Replayed'] as const) : []));
}

/** The headers of a refusal with this status. */
export function refusalHeaders(status: string): Schema {
  return status === '429' || status === '503' ? refer('Retry-After') : {};
}
