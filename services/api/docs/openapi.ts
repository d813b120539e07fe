import { z } from 'zod';
import { codesOf, inputOf, problem, routes, type Route, type RouteName } from '#contracts';
import { errorCodes } from '#kernel';
import { statusOf } from '../http/status.js';

type Schema = Record<string, unknown>;

/** The OpenAPI 3.1 document of the API, made from the contract's table. */
export function openApiDocument(version: string): Schema {
  const paths: Record<string, Record<string, Schema>> = {};
  for (const [name, route] of Object.entries(routes) as [RouteName, Route][]) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    (paths[path] ??= {})[route.method.toLowerCase()] = operation(name, route);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Lode',
      version,
      description:
        'An event-sourced wallet ledger. Amounts are decimal texts. A command takes an Idempotency-Key and answers with ' +
        'the position of the log where it is so; a query sent with that as Lode-Position sees it.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    paths,
    components: {
      securitySchemes: { session: { type: 'http', scheme: 'bearer' } },
      schemas: { Problem: schemaOf(problem, 'output'), ErrorCode: { type: 'string', enum: [...errorCodes] } },
    },
  };
}

function operation(name: RouteName, route: Route): Schema {
  return {
    operationId: name,
    summary: route.summary,
    tags: [route.tag],
    'x-access': route.access,
    ...securityOf(route),
    parameters: parametersOf(route),
    ...requestBodyOf(route),
    responses: { [String(route.status)]: answerOf(route), ...problemsOf(route) },
  };
}

function securityOf({ access }: Route): Schema {
  if (access === 'visitor') return {};
  return { security: [...(access === 'anyone' ? [{}] : []), { session: [] }] };
}

function parametersOf(route: Route): readonly Schema[] {
  const of = (shape: z.ZodObject | undefined, place: string) =>
    Object.entries(shape?.shape ?? {}).map(([name, schema]) => ({
      name,
      in: place,
      required: place === 'path' || !(schema as z.ZodType).safeParse(undefined).success,
      schema: schemaOf(schema as z.ZodType, 'input'),
    }));
  const headers: Schema[] = [];
  if (route.command === true) {
    const schema = { type: 'string', minLength: 1, maxLength: 255 };
    headers.push({ name: 'Idempotency-Key', in: 'header', required: true, schema });
  }
  if (route.method === 'GET' && route.tag !== 'Operations') {
    headers.push({ name: 'Lode-Position', in: 'header', required: false, schema: { type: 'string' } });
  }
  return [...of(route.params, 'path'), ...of(route.query, 'query'), ...headers];
}

function requestBodyOf(route: Route): Schema {
  if (route.upload !== undefined) {
    const file = { type: 'string', format: 'binary' };
    const schema = { type: 'object', required: ['file'], properties: { file } };
    return { requestBody: { required: true, content: { [route.upload]: { schema } } } };
  }
  if (route.body === undefined) return {};
  return {
    requestBody: {
      required: !route.body.safeParse(undefined).success,
      content: { 'application/json': { schema: schemaOf(inputOf(route, 'body'), 'input') } },
    },
  };
}

function answerOf({ answer, files = [], summary }: Route): Schema {
  const content =
    typeof answer === 'string'
      ? { [answer]: {} }
      : { 'application/json': { schema: schemaOf(answer, 'output') } };
  const asFiles = Object.fromEntries(files.map((type) => [type, { schema: { type: 'string' } }]));
  return { description: summary, content: { ...content, ...asFiles } };
}

function problemsOf(route: Route): Record<string, Schema> {
  const byStatus = Map.groupBy(codesOf(route), (code) => String(statusOf[code]));
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.join(', '),
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  );
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}
