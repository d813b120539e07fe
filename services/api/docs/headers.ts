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
  OptionalIdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Made up anew for each thing that is to be done, and kept for a day. Sent again with the same content it is answered ' +
      'as before, and not done again; with other content it is refused. A visitor’s belongs to the e-mail that comes with it.',
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
  'Lode-Held': text(
    'The program can’t read an event of whom this is about, or of somebody in a list: the answer is from before it.',
    '^true$',
  ),
  'Idempotency-Replayed': text('It had been done before, and nothing changed now.', '^true$'),
  'Retry-After': text('Seconds to wait before it is sent again.', String.raw`^\d+$`),
  'Accept-Ranges': text('Parts of the file can be asked for with `Range: bytes=…`.', '^bytes$'),
  'Content-Disposition': text('The name of the file.'),
  'Content-Range': text('Which bytes of how many these are.'),
  'X-Request-Id': text(
    'The id of the request: the one that it came with, or a new one. The program’s log has it.',
  ),
  RateLimit: text(
    'How many requests the caller’s network has left and for how many seconds (draft-ietf-httpapi-ratelimit-headers).',
    '^"network";r=\\d+;t=\\d+$',
  ),
  'RateLimit-Policy': text(
    'How many requests a network has in how many seconds.',
    '^"network";q=\\d+;w=\\d+$',
  ),
  Location: text('The address of what was made.'),
  'WWW-Authenticate': text('How to be known: by a bearer token.', '^Bearer '),
  'Accept-Encoding': text('The codings that are taken.', '^identity$'),
  ETag: text('Sent back as `If-None-Match`, the answer is 304 while it would be the same.'),
} as const satisfies Readonly<Record<string, Schema>>;

type HeaderName = keyof typeof headers;

/** References to headers. */
function refer(...names: readonly HeaderName[]): Schema {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The headers that every answer of a route has. */
function usual({ uncounted }: Route): readonly HeaderName[] {
  return uncounted === true ? ['X-Request-Id'] : ['X-Request-Id', 'RateLimit', 'RateLimit-Policy'];
}

/** The headers of what a route answers with when it does what it was asked. */
export function headersOf(route: Route): Schema {
  const { answer, command, download, files, location, method, repeatable, secret, uncounted } = route;
  const isJson = typeof answer !== 'string';
  const isTagged =
    method === 'GET' &&
    secret !== true &&
    uncounted !== true &&
    (isJson || answer === 'application/octet-stream');
  return refer(
    ...usual(route),
    ...(isTagged ? (['ETag'] as const) : []),
    ...(method === 'GET' ? (['Lode-Position', 'Lode-Stale', 'Lode-Held'] as const) : []),
    ...(answer === 'application/octet-stream' ? (['Accept-Ranges', 'Content-Disposition'] as const) : []),
    ...(files === undefined && download === undefined ? [] : (['Content-Disposition'] as const)),
    ...(command === true ? (['Lode-Position', 'Idempotency-Replayed'] as const) : []),
    ...(repeatable === true ? (['Idempotency-Replayed'] as const) : []),
    ...(location === undefined ? [] : (['Location'] as const)),
  );
}

const ofStatus: Readonly<Record<string, readonly HeaderName[]>> = {
  206: ['Accept-Ranges', 'Content-Disposition', 'Content-Range', 'ETag'],
  304: ['ETag'],
  401: ['WWW-Authenticate'],
  415: ['Accept-Encoding'],
  416: ['Content-Range'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** The headers of an answer with another status. */
export function headersOfStatus(route: Route, status: string): Schema {
  return refer(...usual(route), ...(ofStatus[status] ?? []));
}
