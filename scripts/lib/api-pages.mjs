// The reference of the HTTP API, a page a topic, made from the table of routes that the server itself goes by.
import { z } from 'zod';

/** Who may call a route, in words. An access without words stops the script. */
const callers = {
  visitor: 'anybody',
  anyone: 'anybody; known by their token when they send one',
  'signed-in': 'whoever is signed in',
  user: 'customers',
  admin: 'admins',
  owner: 'the person of `:userId`, and admins',
  self: 'the person of `:userId`',
};

function callersOf({ access }) {
  if (callers[access] === undefined) throw new Error(`scripts/lib/api-pages.mjs has no words for ${access}.`);
  return callers[access];
}

const code = (text) => `\`${text}\``;
const cell = (text) => text.replaceAll('|', '\\|');

function table(columns, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(columns), line(columns.map(() => '---')), ...rows.map((row) => line(row.map(cell)))].join(
    '\n',
  );
}

const headingOf = ({ method, path }) => `${method} ${path}`;
/** The place of a heading in its page, as git hosts and editors make it. */
export const anchorOf = (heading) =>
  `#${heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')}`;

/** Both bounds, or the one there is; nothing when there is none worth telling. */
function bounds(low, high, unit = '') {
  if (high === undefined || high >= Number.MAX_SAFE_INTEGER) {
    return low === undefined || low <= 0 ? '' : `, at least ${low}${unit}`;
  }
  if (low === high) return `, ${high}${unit}`;
  return low === undefined || low <= Number.MIN_SAFE_INTEGER
    ? `, at most ${high}${unit}`
    : `, ${low} to ${high}${unit}`;
}

/** What a value may be, in words. `schema` is JSON Schema. */
function kindOf(schema) {
  if (schema['x-like'] !== undefined)
    return `members of [${schema['x-like']}](${anchorOf(schema['x-like'])})`;
  if (schema.const !== undefined) return code(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(code).join(', ');
  const either = schema.anyOf ?? schema.oneOf;
  if (either !== undefined) {
    const kinds = either.map((one) => (one.const === '' ? 'empty' : kindOf(one)));
    return [...new Set(kinds)].join(' or ');
  }
  if (schema.format === 'date-time') return 'instant';
  if (schema.format === 'decimal') return 'decimal';
  if (schema.format === 'email') return `e-mail address${bounds(undefined, schema.maxLength, ' characters')}`;
  if (schema.type === 'string') {
    return `text${bounds(schema.minLength, schema.maxLength, ' characters')}`;
  }
  if (schema.type === 'integer') return `whole number${bounds(schema.minimum, schema.maximum)}`;
  if (schema.type === 'array')
    return `list of ${kindOf(schema.items)}${bounds(schema.minItems, schema.maxItems)}`;
  if (schema.type === 'boolean') return '`true`, `false`';
  if (Array.isArray(schema.type)) return schema.type.map((type) => kindOf({ ...schema, type })).join(' or ');
  const names = schema.propertyNames?.enum;
  if (names !== undefined)
    return `object of ${names.map(code).join(', ')}, each ${kindOf(schema.additionalProperties)}`;
  return schema.type ?? 'anything';
}

/** The object whose members are worth a row each: the value itself, what a list holds, or what may be null. */
function objectIn(schema) {
  if (schema.type === 'array') return objectIn(schema.items);
  if (schema.anyOf !== undefined) {
    const objects = schema.anyOf.filter(({ type }) => type !== 'null').map(objectIn);
    return objects.length === 1 ? objects[0] : undefined;
  }
  return schema.properties === undefined ? undefined : schema;
}

/** The members of an object, with those together that are the same but for their names: objects, or all there are. */
function alike(properties) {
  const entries = Object.entries(properties);
  const groups = Map.groupBy(entries, ([, member]) => JSON.stringify(member));
  return entries.flatMap(([name, member]) => {
    const names = groups.get(JSON.stringify(member)).map(([other]) => other);
    if (groups.size > 1 && objectIn(member) === undefined) return [[[name], member]];
    return names[0] === name ? [[names, member]] : [];
  });
}

/** A row for every member of an object, with those of objects inside it: [name, what it may be, what it means]. */
function rowsOf(schema, before = '') {
  return alike(schema.properties).flatMap(([names, member]) => {
    const paths = names.map((name) => `${before}${name}${member.type === 'array' ? '[]' : ''}`);
    const { description = '', default: otherwise } = member;
    const must = schema.required?.includes(names[0]) === true && otherwise === undefined;
    const kind = must ? kindOf(member) : `${kindOf(member)}; ${otherwiseOf(otherwise)}`;
    const inside = member['x-like'] === undefined ? objectIn(member) : undefined;
    // Of an object that must be there its members say it all.
    const silent =
      paths.length === 1 && inside !== undefined && must && description === '' && kind.endsWith('object');
    return [
      ...(silent ? [] : [[paths.map(code).join(', '), kind, description]]),
      ...(inside === undefined ? [] : rowsOf(inside, `${paths.length === 1 ? paths[0] : '…'}.`)),
    ];
  });
}

/** What holds for a member that is left out. */
function otherwiseOf(value) {
  return value === undefined || value.length === 0 ? 'optional' : `${code(value)} when left out`;
}

function members(schema, io) {
  const read = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  const rows = (read.anyOf ?? [read]).flatMap((one) => rowsOf(one));
  // What several have is told once.
  return [...new Map(rows.map((row) => [row[0], row])).values()];
}

/** What the overview explains once: of the query for a page, and of the answer to a command. */
const ofPages = ['cursor', 'limit', 'format'].map(code);
const ofCommands = ['position', 'message'].map(code);

/** The rows of an input: those of its path, its query and its body. */
function inputOf(route) {
  const places = [
    ['path', route.params],
    ['query', route.query],
    ['body', route.body],
  ];
  const rows = places.flatMap(([place, schema]) =>
    schema === undefined ? [] : members(schema, 'input').map((row) => [place, ...row]),
  );
  if (itemOf(route.answer) === undefined) return rows;
  return rows.filter(([place, name]) => place !== 'query' || !ofPages.includes(name));
}

/** The schema of an answer's rows when the answer is a page of them. */
function itemOf(answer) {
  const { items, next } = answer.shape ?? {};
  return items instanceof z.ZodArray && next !== undefined ? items.element : undefined;
}

/** What a route answers with, in words or in rows. Documents that have a name are shown once, at the end of the page. */
function answerOf({ answer, command, files = [], status }, names) {
  if (typeof answer === 'string') return `Answers ${status} with ${code(answer)}.`;
  const named = (schema) => {
    const name = names.get(schema);
    return name === undefined ? undefined : `[${name}](${anchorOf(name)})`;
  };
  const item = itemOf(answer);
  const asFile = files.length === 0 ? '' : ` Can be had whole, as ${files.map(code).join(' or ')}.`;
  if (item !== undefined) {
    const page = `Answers ${status} with a [page](README.md#lists) of`;
    const name = named(item);
    if (name !== undefined) return `${page} ${name}.${asFile}`;
    return `${page} these.${asFile}\n\n${table(['member', 'is', 'meaning'], members(item, 'output'))}`;
  }
  const one = named(answer);
  if (one !== undefined) return `Answers ${status} with ${one}.`;
  const all = members(answer, 'output');
  const rows = command ? all.filter(([name]) => !ofCommands.includes(name)) : all;
  const usual = command ? ' as [every command](README.md#commands)' : '';
  if (rows.length === 0) return `Answers ${status}${usual}.`;
  return `Answers ${status}${usual}${command ? ', and' : ''} with:\n\n${table(['member', 'is', 'meaning'], rows)}`;
}

function refusalsOf(route) {
  const common = '[those of all routes like it](README.md#refusals)';
  const own = route.errors.map(code).join(', ');
  const failed = route.failed === undefined ? '' : ` \`failed\` is “${route.failed}”`;
  return `Refuses with ${own === '' ? '' : `${own}, and `}${common}.${failed}`;
}

/** What is said of the key that a route needs or takes. */
function keyOf({ command, repeatable }) {
  const key = '[`Idempotency-Key`](README.md#commands)';
  if (command) return ` Needs an ${key}.`;
  return repeatable ? ` Takes an ${key}.` : '';
}

/** What an admin has to have proved, and when. */
function proofOf({ stepUp = 'never' }) {
  const proof = 'admins need [a fresh proof](README.md#who-is-asking)';
  if (stepUp === 'never') return '';
  return stepUp === 'always' ? ` For it ${proof}.` : ` For a file ${proof}.`;
}

function sectionOf(route, names) {
  const input = inputOf(route);
  const who = `For ${callersOf(route)}.${proofOf(route)}${keyOf(route)}`;
  const form = route.upload && `The body is a form (${code(route.upload)}) whose only part is a file.`;
  const parts = [
    `## ${headingOf(route)}`,
    `${route.summary}. ${who}`,
    form,
    input.length > 0 && table(['in', 'name', 'is', 'meaning'], input),
    answerOf(route, names),
    refusalsOf(route),
  ];
  return parts.filter(Boolean).join('\n\n');
}

/** Documents that a topic's routes answer with, alone or in pages, and that the contract has a name for. */
function namesOf(routes, contracts) {
  const answers = routes.map(({ answer }) =>
    typeof answer === 'string' ? undefined : (itemOf(answer) ?? answer),
  );
  return new Map(
    Object.entries(contracts)
      .filter(([name, schema]) => name !== 'accepted' && answers.includes(schema))
      .map(([name, schema]) => [schema, name]),
  );
}

/** The page of one topic. `contracts` is the contract's index file. */
export function topicPage({ title, about, routes }, contracts) {
  const all = Object.values(routes);
  const names = namesOf(all, contracts);
  const rows = all.map((route) => {
    const heading = headingOf(route);
    return [`[${code(heading)}](${anchorOf(heading)})`, callersOf(route), route.summary];
  });
  const documents = [...names].map(
    ([schema, name]) => `### ${name}\n\n${table(['member', 'is', 'meaning'], members(schema, 'output'))}`,
  );
  return [
    `# ${title}`,
    `${about} What holds for all routes is in [the overview](README.md).`,
    table(['route', 'for', 'what it does'], rows),
    ...all.map((route) => sectionOf(route, names)),
    ...(documents.length === 0 ? [] : ['## Documents', ...documents]),
  ].join('\n\n');
}

/** What every route may refuse with, and what is added by who may call it and by what it does. */
function commonRefusals(codesOf) {
  const plain = { method: 'GET', access: 'visitor', errors: [] };
  const kinds = [
    ['every route', { ...plain, uncounted: true }],
    ['every route but health and metrics', plain],
    ['routes for whoever is signed in', { ...plain, access: 'signed-in' }],
    ['routes for customers, admins, or one person', { ...plain, access: 'admin' }],
    ['those that need a fresh proof', { ...plain, access: 'admin', may: 'read', stepUp: 'always' }],
    ['routes with another method than `GET`', { ...plain, method: 'POST' }],
    ['commands', { ...plain, method: 'POST', command: true }],
  ];
  const told = new Set();
  return kinds.map(([kind, route]) => {
    const fresh = codesOf(route).filter((one) => !told.has(one));
    fresh.forEach((one) => told.add(one));
    return [kind, fresh.map(code).join(', ')];
  });
}

/** The page that tells what holds for all routes, and where each topic is. */
export function overviewPage({
  topics,
  problem,
  codesOf,
  PAGE_SIZE,
  PAGE_SIZE_MAX,
  BODY_BYTES_MAX,
  FILE_BYTES_MAX,
}) {
  const list = topics.map(({ name, title, about, routes }) => [
    `[${title}](${name}.md)`,
    about,
    String(Object.keys(routes).length),
  ]);
  return `# The HTTP API

Bodies and answers are JSON. Amounts are decimal texts such as \`"100.00"\`, never numbers; instants are UTC, in ISO 8601; ids are
opaque. A JSON body has at most ${BODY_BYTES_MAX / 1024} KiB, a file ${FILE_BYTES_MAX / 1024 ** 2} MiB. A running Lode serves the same as an
OpenAPI document at \`/api/openapi.json\`, with a page to try it at \`/api/docs\`.

${table(['topic', 'about', 'routes'], list)}

## Who is asking

Sign in with [\`POST /api/auth/sign-in\`](access.md), then send the answer’s \`accessToken\` with each request as
\`Authorization: Bearer …\`. It lasts until \`expiresAt\`. [\`POST /api/auth/refresh\`](access.md) gives another one for the cookie that
the sign-in set. An admin signs in again after some hours (\`LODE_ADMIN_SESSION_HOURS\`).

What moves money or decides on it, exports people or events, or guards the platform needs a **fresh proof** of an admin: the sign-in, or another
proof in the same session ([\`POST /api/me/step-up\`](security.md): a passkey, a code of the app, or the password of whoever has neither), at most five
minutes ago. Without one it is refused with \`step_up_required\`; prove it and send the same again, with the same \`Idempotency-Key\`.

## Commands

A command changes the ledger. It needs a header \`Idempotency-Key\`, 1 to 255 visible characters that you make up anew for each
thing you want done. It answers with \`position\`, the place of the log where it was done, and \`message\`, a sentence for the person. Sent again with the same key it is answered as before, with \`Idempotency-Replayed: true\`, and not done again; so
after a broken connection send it again. The same key with other content is refused.

Registration, created accounts, invitations, passwords and transfer pins take such a key too, and need none. It is kept for a day, for the sender; a
visitor’s for the e-mail that comes with it.

## Reading what you wrote

Send the header \`Lode-Position\` of a command’s answer back with a \`GET\`: the answer waits
until it knows that position, two seconds at most. If that was too short the answer is from before and says \`Lode-Stale: true\`.
The header is the \`position\` of the answer with the beginning of the log’s id behind it, by which a position of another log is
told, as when a backup was restored meanwhile: the answer comes at once, says \`Lode-Stale: true\`, and its own \`Lode-Position\` takes the
place of what was sent. \`position\` alone is taken too, and never told from another log’s.

What is answered from before an event that the program can’t read or fold, about one person or in a list over everyone, says
\`Lode-Held: true\`: an operator has to look.

## Lists

A page has \`items\`, at most \`limit\` of them: ${PAGE_SIZE} unless you say otherwise, and never more than ${PAGE_SIZE_MAX}. \`first\` is
the number of its first row in the whole list, from 1. \`next\` and \`previous\` are texts to send as \`cursor\` for the pages after and before it, with
the same filters; \`null\` says that there is none. A cursor of another log gives the first page, with \`Lode-Stale: true\`. The order is fixed unless the route has an \`order\`. Where a list can be had
whole, ask for it with \`format\` or with \`Accept\`; [the guide to the audit](../../how-to/audit.md#take-a-list-away) tells how such files look.

## HTTP

- An address answers \`OPTIONS\` with its methods in \`Allow\`, and any other method with 405. What has a \`GET\` has a \`HEAD\`.
- \`Accept\` is weighed, as far as a route has several types; 406 says that it has none of those that are taken. Bodies are sent as they
  are: a compressed one is refused with 415.
- Answers of 1 KiB and more come compressed, as \`br\` or \`gzip\`, to whoever sends \`Accept-Encoding\`; those with a token never do.
- Answers of JSON to a \`GET\`, and files, have an \`ETag\`: sent back as \`If-None-Match\` it is answered with 304 while nothing has
  changed.
- \`X-Request-Id\`, 1 to 128 letters, digits and any of \`_ . : / + = -\`, comes back and stands in the program’s log; a request without one
  is given one.
- What a route has made, with 201, is at \`Location\`.
- \`RateLimit-Policy\` and \`RateLimit\` say how many requests the caller’s network may make in a minute, and how many are left for how long.
- 401 comes with \`WWW-Authenticate\`.

## Live changes

[\`GET /api/live\`](operations.md#get-apilive) is a stream of server-sent events:

${table(
  ['event', 'data', 'meaning'],
  [
    ['`hello`', '`{}`', 'The first one. Its id is where the stream begins.'],
    ['`change`', '`collection`, `id`, `position`', 'This document is another now. Fetch it to see how.'],
    ['`reset`', '`{}`', 'Fetch everything anew.'],
  ],
)}

An id is a place in the log. Sent back as \`Last-Event-ID\` it goes on from there. A place that this log doesn’t have, or none at all, is
answered with \`reset\`.

## Refusals

A refusal is a problem document (\`application/problem+json\`) with:

${table(
  ['member', 'is', 'meaning'],
  members(problem, 'output').map(([name, kind, meaning]) => [
    name,
    name === '`code`' ? '[error code](../errors.md)' : kind,
    meaning,
  ]),
)}

What each code means and what to do about it: [error codes](../errors.md). Each route names the codes of its own. Beside them:

${table(['on', 'codes'], commonRefusals(codesOf))}`;
}
