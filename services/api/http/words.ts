import { z } from 'zod';
import { nearestName } from '#kernel';

type RawIssue = z.core.$ZodRawIssue;

/** What the types of JSON are called. */
const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};

/** What a text and a list are counted in. */
const UNITS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
};

/**
 * What a person reads of input that is wrong when the schema that refused it has no words of its own: which member it is
 * and what it must be.
 */
export function wordsOf(issue: RawIssue): string {
  return `${memberOf(issue)} ${fault(issue)}`;
}

function memberOf({ path = [] }: RawIssue): string {
  return path.length === 0 ? 'The request' : path.map(String).join('.');
}

function fault(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined && (issue.path ?? []).length === 0) return 'must be a JSON object.';
      return issue.input === undefined ? 'is missing.' : `must be ${TYPES[issue.expected] ?? 'another one'}.`;
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}.`;
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return 'must not be empty.';
      return bound(issue.origin, 'at least', issue.minimum);
    case 'too_big':
      return bound(issue.origin, 'at most', issue.maximum);
    case 'invalid_format':
      return issue.format === 'datetime'
        ? 'must be an instant such as 2026-01-31T12:00:00Z.'
        : 'is not of the right form.';
    case 'unrecognized_keys':
      return unknown(issue.keys, namesOf(issue.inst));
    default:
      return 'is not valid.';
  }
}

/** Names of unknown members that are said; a body has room for thousands. */
const NAMES_MAX = 5;
const NAME_LENGTH_MAX = 64;

function unknown(keys: readonly string[], names: readonly string[]): string {
  const said = keys.slice(0, NAMES_MAX);
  const meant = new Set(said.flatMap((key) => nearestName(key, names) ?? []));
  const more = keys.length > said.length ? ` and ${keys.length - said.length} more` : '';
  const question = meant.size === 0 ? '' : ` Did you mean ${[...meant].join(', ')}?`;
  return `must not have ${said.map((key) => key.slice(0, NAME_LENGTH_MAX)).join(', ')}${more}.${question}`;
}

/** The members that a schema knows. */
function namesOf(schema: unknown): readonly string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  if (schema instanceof z.ZodRecord && schema.keyType instanceof z.ZodEnum)
    return schema.keyType.options.map(String);
  return [];
}

/** A bound as it is said of a text, a list or a number. */
function bound(origin: string, most: 'at least' | 'at most', count: number | bigint): string {
  const unit = UNITS[origin];
  if (unit === undefined) return `must be ${most} ${count}.`;
  return `must have ${most} ${count} ${count === 1 ? unit[0] : unit[1]}.`;
}
