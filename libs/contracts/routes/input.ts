import { z } from 'zod';
import type { Route } from './route.js';

/** What a route takes that declares nothing. */
const nothing = z.object({});

/**
 * What a route takes as its body or query: what it declares, where each object refuses members that it doesn't name.
 * A body that isn't declared may be left out.
 */
export function inputOf(route: Partial<Route>, part: 'body' | 'query'): z.ZodType {
  const undeclared = part === 'body' ? nothing.optional() : nothing;
  return exact(route[part] ?? undeclared);
}

/** Descriptions stay those of the schema that was copied. */
const DESCRIBED = { parent: true };

/** The same schema, its objects refusing members that they don't name, however deep they are. */
function exact(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodObject) {
    const members = Object.entries<z.ZodType>(schema.shape);
    const shape = Object.fromEntries(members.map(([name, member]) => [name, exact(member)]));
    return schema.clone({ ...schema.def, shape, catchall: z.never() }, DESCRIBED);
  }
  if (schema instanceof z.ZodArray)
    return schema.clone({ ...schema.def, element: exact(schema.element as z.ZodType) }, DESCRIBED);
  if (schema instanceof z.ZodOptional) return schema.clone(inside(schema), DESCRIBED);
  if (schema instanceof z.ZodNullable) return schema.clone(inside(schema), DESCRIBED);
  if (schema instanceof z.ZodDefault) return schema.clone(inside(schema), DESCRIBED);
  return schema;
}

function inside<Def extends { readonly innerType: unknown }>({ def }: { readonly def: Def }) {
  return { ...def, innerType: exact(def.innerType as z.ZodType) };
}
