import { z } from 'zod';
import { bodies, documents, inputOf, routes, values, type Route } from '#contracts';

export type Schema = Record<string, unknown>;

/** The schemas of the OpenAPI document. Those with a name stand among its components, and everything else refers to them. */
export type Schemas = {
  /** What an answer is. */
  readonly ofAnswer: (answer: z.ZodType) => Schema;
  /** What a body is, as routes take it: without members that it doesn't name. */
  readonly ofBody: (body: z.ZodType) => Schema;
  /** What a parameter in a path or a query is. */
  readonly ofParameter: (parameter: z.ZodType) => Schema;
  readonly components: Readonly<Record<string, Schema>>;
};

type Names = ReturnType<typeof z.registry<{ readonly id: string }>>;

const addressOf = (name: string) => `#/components/schemas/${name}`;

/** Reads the schemas of the contract's table. Those of the same name must be the same in requests and answers. */
export function readSchemas(): Schemas {
  const [inputs, outputs] = [z.registry<{ readonly id: string }>(), z.registry<{ readonly id: string }>()];
  const exact = new Map<z.ZodType, z.ZodType>();
  for (const [id, value] of Object.entries<z.ZodType>(values)) {
    inputs.add(value, { id });
    outputs.add(value, { id });
  }
  for (const [id, document] of Object.entries<z.ZodType>(documents)) outputs.add(document, { id });
  for (const [id, body] of Object.entries<z.ZodType>(bodies)) {
    exact.set(body, inputOf({ body }, 'body'));
    inputs.add(exact.get(body) ?? body, { id });
  }
  const parameters = parametersIn(Object.values(routes));
  inputs.add(z.object(parameters), { id: PARAMETERS });
  const { [PARAMETERS]: read, ...named } = readNamed(inputs, 'input');
  const answers = readNamed(outputs, 'output');
  for (const name of Object.keys(values)) {
    if (JSON.stringify(named[name]) !== JSON.stringify(answers[name]))
      throw new Error(`${name} is not the same in requests and in answers`);
  }
  const components = Object.entries({ ...answers, ...named });
  const ofParameters = new Map(Object.entries(parameters).map(([name, schema]) => [schema, name]));
  return {
    ofAnswer: (answer) => referTo(outputs, answer),
    ofBody: (body) => referTo(inputs, exact.get(body) ?? body),
    ofParameter: (parameter) => schemaIn(read, ofParameters.get(parameter) ?? ''),
    components: Object.fromEntries(components.toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** The name under which the parameters of all routes are read together. */
const PARAMETERS = 'parameters';

/** The parameters of all routes, each once, under names that are for reading alone. */
function parametersIn(all: readonly Route[]): Readonly<Record<string, z.ZodType>> {
  const schemas = all
    .flatMap(({ params, query }) => [params, query])
    .flatMap((part) => Object.values<z.ZodType>(part?.shape ?? {}));
  return Object.fromEntries([...new Set(schemas)].map((schema, n) => [String(n), schema]));
}

function schemaIn({ properties }: z.core.JSONSchema.BaseSchema = {}, member: string): Schema {
  const schema = properties?.[member];
  return typeof schema === 'object' ? schema : {};
}

function referTo(names: Names, schema: z.ZodType): Schema {
  const { id } = names.get(schema) ?? {};
  if (id === undefined) throw new Error('a schema of a route has no name: libs/contracts/documents.ts');
  return { $ref: addressOf(id) };
}

function readNamed(
  names: Names,
  io: 'input' | 'output',
): Readonly<Record<string, z.core.JSONSchema.BaseSchema>> {
  const { schemas } = z.toJSONSchema(names, { io, uri: addressOf, unrepresentable: 'any', override });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _, $id: __, ...schema }]) => [name, schema]),
  );
}

function override({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: Schema }): void {
  // Any JSON holds any JSON, which generators of types lose themselves in: that it is anything says the same.
  if (zodSchema instanceof z.ZodLazy) {
    delete jsonSchema['anyOf'];
    jsonSchema['description'] = 'Any JSON';
  }
  // What a text is checked for after it was made ready, such as an e-mail address without the blanks around it.
  if (zodSchema instanceof z.ZodPipe && zodSchema.def.out instanceof z.ZodStringFormat) {
    const { format, pattern } = z.toJSONSchema(zodSchema.def.out);
    Object.assign(jsonSchema, { format, pattern });
  }
}
