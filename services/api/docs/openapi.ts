import type { z } from 'zod';
import { codesOf, documents, routes, type Route, type RouteName } from '#contracts';
import { statusOf } from '../http/status.js';
import { examples } from './examples.js';
import { headers, headersOf, parameters, headersOfStatus } from './headers.js';
import { descriptions, operationIdOf, tags } from './operations.js';
import { readSchemas, type Schema, type Schemas } from './schemas.js';

const ABOUT = `An event-sourced wallet ledger. Amounts are decimal texts, instants are UTC in ISO 8601, ids are opaque.

A command takes an \`Idempotency-Key\` and answers with the position of the log where it is so; a query sent with that as
\`Lode-Position\` sees it. Lists are pages: \`next\` and \`previous\` are sent as \`cursor\`, with the same filters. Refusals are
problem documents (RFC 9457), and programs go by their \`code\`.`;

/** The OpenAPI 3.1 document of the API, made from the contract's table. */
export function openApiDocument(version: string): Schema {
  const schemas = readSchemas();
  const paths: Record<string, Record<string, Schema>> = {};
  for (const [name, route] of Object.entries(routes) as [RouteName, Route][]) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    (paths[path] ??= {})[route.method.toLowerCase()] = operation(name, route, schemas);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Lode',
      version,
      description: ABOUT,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The server that this document is from' }],
    tags,
    paths,
    components: {
      securitySchemes: {
        session: {
          type: 'http',
          scheme: 'bearer',
          description: 'The `accessToken` that signing in answers with.',
        },
      },
      schemas: schemas.components,
      parameters,
      headers,
    },
  };
}

function operation(name: RouteName, route: Route, schemas: Schemas): Schema {
  const description = descriptions[name];
  return {
    operationId: operationIdOf(name),
    summary: route.summary,
    ...(description === undefined ? {} : { description }),
    tags: [route.tag],
    'x-access': route.access,
    security: securityOf(route),
    parameters: parametersOf(name, route, schemas),
    ...requestBodyOf(name, route, schemas),
    responses: {
      [String(route.status)]: answerOf(route, schemas),
      ...othersOf(route),
      ...problemsOf(route),
      ...otherwiseOf(route, schemas),
    },
  };
}

function securityOf({ access }: Route): readonly Schema[] {
  if (access === 'visitor') return [];
  return [...(access === 'anyone' ? [{}] : []), { session: [] }];
}

function parametersOf(name: RouteName, route: Route, schemas: Schemas): readonly Schema[] {
  const of = (place: 'path' | 'query') => {
    const shape = place === 'path' ? route.params?.shape : route.query?.shape;
    return Object.entries<z.ZodType>(shape ?? {}).map(([parameter, schema]) => ({
      name: parameter,
      in: place,
      required: place === 'path' || !schema.safeParse(undefined).success,
      ...described(schemas.ofParameter(schema)),
    }));
  };
  const header = (parameter: keyof typeof parameters) => ({ $ref: `#/components/parameters/${parameter}` });
  return [
    ...of('path'),
    ...of('query'),
    ...(route.command === true ? [header('IdempotencyKey')] : []),
    ...(route.repeatable === true ? [header('OptionalIdempotencyKey')] : []),
    ...(route.method === 'GET' && route.tag !== 'Operations' ? [header('LodePosition')] : []),
    ...(name === 'live' ? [header('LastEventId')] : []),
  ];
}

/** A parameter's schema, with its description where readers of parameters look for it. */
function described({ description, ...schema }: Schema): Schema {
  return description === undefined ? { schema } : { description, schema };
}

function requestBodyOf(name: RouteName, route: Route, schemas: Schemas): Schema {
  if (route.upload !== undefined) {
    const file = { type: 'string', format: 'binary', description: 'The only part of the form' };
    const schema = { type: 'object', required: ['file'], properties: { file }, additionalProperties: false };
    return { requestBody: { required: true, content: { [route.upload]: { schema } } } };
  }
  if (route.body === undefined) return {};
  const bodies: Partial<Record<RouteName, unknown>> = examples;
  return {
    requestBody: {
      required: !route.body.safeParse(undefined).success,
      content: { 'application/json': { schema: schemas.ofBody(route.body), example: bodies[name] } },
    },
  };
}

const TEXT = { type: 'string' };
const BINARY = { type: 'string', format: 'binary' };

function answerOf(route: Route, schemas: Schemas): Schema {
  const { answer, files = [], media = [], summary } = route;
  const content =
    typeof answer !== 'string'
      ? { 'application/json': { schema: schemas.ofAnswer(answer) } }
      : answer === 'application/octet-stream'
        ? Object.fromEntries(media.map((type) => [type, { schema: BINARY }]))
        : {
            [answer]: {
              schema:
                answer === 'text/event-stream'
                  ? { ...TEXT, contentSchema: schemas.ofAnswer(documents.Change) }
                  : TEXT,
            },
          };
  const asFiles = Object.fromEntries(files.map((type) => [type, { schema: TEXT }]));
  return { description: summary, headers: headersOf(route), content: { ...content, ...asFiles } };
}

/** The same answer with another status. */
function otherwiseOf(route: Route, schemas: Schemas): Record<string, Schema> {
  if (route.otherwise === undefined) return {};
  const status = String(route.otherwise);
  return { [status]: { ...answerOf(route, schemas), headers: headersOfStatus(route, status) } };
}

/** The answers that are no refusals and not the whole: a part of a file, and that nothing has changed. */
function othersOf(route: Route): Record<string, Schema> {
  const parts = {
    description: 'The part of the file that `Range` asked for',
    headers: headersOfStatus(route, '206'),
    content: Object.fromEntries((route.media ?? []).map((type) => [type, { schema: BINARY }])),
  };
  const unchanged = {
    description: 'What `If-None-Match` names is what would be answered',
    headers: headersOfStatus(route, '304'),
  };
  return {
    ...(route.media === undefined ? {} : { 206: parts }),
    ...('ETag' in headersOf(route) ? { 304: unchanged } : {}),
  };
}

function problemsOf(route: Route): Record<string, Schema> {
  const byStatus = Map.groupBy(codesOf(route), (code) => String(statusOf[code]));
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.join(', '),
        headers: headersOfStatus(route, status),
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  );
}
