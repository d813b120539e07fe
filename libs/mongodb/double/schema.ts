import { declaredIndexes, indexOf, type Data, type Index } from './data.js';
import { matcherOf } from './matching.js';
import { Refusal, unsupported } from './refusal.js';
import type { Cursors } from './reads.js';
import { docOf, docsOf, isDoc, textOf, type Doc } from './values.js';

/** The server's limit on what an index is called, and the options of one that the double knows. */
const INDEX_OPTIONS = [
  'v',
  'key',
  'name',
  'unique',
  'sparse',
  'partialFilterExpression',
  'expireAfterSeconds',
  'background',
];

export function createIndexes(data: Data, namespace: string, command: Doc): Doc {
  const createdCollectionAutomatically = data.get(namespace) === undefined;
  const { indexes } = data.make(namespace);
  const numIndexesBefore = indexes.size;
  const wanted = docsOf(command['indexes']).map((sent) => {
    const option = Object.keys(sent).find((name) => !INDEX_OPTIONS.includes(name));
    if (option !== undefined) throw unsupported(`the option ${option} of an index`);
    return indexOf({ v: 2, ...sent });
  });
  for (const index of wanted) if (isNews([...indexes.values()], index)) data.index(namespace, index);
  return { numIndexesBefore, numIndexesAfter: indexes.size, createdCollectionAutomatically };
}

/** False when it is there already; another one of the name, or of the key, is an error. */
function isNews(indexes: readonly Index[], index: Index): boolean {
  const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
  const named = indexes.find(({ name }) => name === index.name);
  if (named !== undefined) {
    if (same(optionsOf(named), optionsOf(index))) return false;
    throw new Refusal(86, `An existing index has the same name as the requested index: ${index.name}`);
  }
  const keyed = indexes.find(
    (one) =>
      same(one.key, index.key) &&
      same(one['partialFilterExpression'], index['partialFilterExpression']) &&
      one['sparse'] === index['sparse'],
  );
  if (keyed !== undefined) throw new Refusal(85, `Index already exists with a different name: ${keyed.name}`);
  return true;
}

function optionsOf({ background: _, ...index }: Doc): readonly [string, unknown][] {
  return Object.entries(index).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

export function listIndexes(data: Data, cursors: Cursors, namespace: string, command: Doc): Doc {
  const collection = data.get(namespace);
  if (collection === undefined) throw new Refusal(26, `ns does not exist: ${namespace}`);
  return cursors.first(namespace, declaredIndexes(collection), docOf(command['cursor'] ?? {})['batchSize']);
}

export function dropIndexes(data: Data, namespace: string, command: Doc): Doc {
  const { indexes } = needed(data, namespace);
  const nIndexesWas = indexes.size;
  const name = command['index'];
  const names = name === '*' ? [...indexes.keys()].filter((one) => one !== '_id_') : [textOf(name)];
  for (const one of names) {
    if (!indexes.has(one)) throw new Refusal(27, `index not found with name [${one}]`);
    data.dropIndex(namespace, one);
  }
  return { nIndexesWas };
}

export function listCollections(data: Data, cursors: Cursors, database: string, command: Doc): Doc {
  const isNameOnly = command['nameOnly'] === true;
  const all = data
    .namespaces()
    .filter((namespace) => namespace.startsWith(`${database}.`))
    .map((namespace) => {
      const validator = data.get(namespace)?.validator ?? {};
      const options = Object.keys(validator).length === 0 ? {} : { validator };
      const name = namespace.slice(database.length + 1);
      return { name, type: 'collection', ...(isNameOnly ? {} : { options, info: { readOnly: false } }) };
    })
    .filter(matcherOf(docOf(command['filter'] ?? {})));
  return cursors.first(`${database}.$cmd.listCollections`, all, docOf(command['cursor'] ?? {})['batchSize']);
}

export function create(data: Data, namespace: string, command: Doc): Doc {
  for (const option of ['capped', 'timeseries', 'viewOn', 'clusteredIndex', 'collation'])
    if (option in command) throw unsupported(`a collection with ${option}`);
  if (data.get(namespace) !== undefined) throw new Refusal(48, `Collection ${namespace} already exists.`);
  data.make(namespace, docOf(command['validator'] ?? {}));
  return {};
}

export function collMod(data: Data, namespace: string, command: Doc): Doc {
  needed(data, namespace);
  if (!isDoc(command['validator'])) throw unsupported('collMod of anything but the validator');
  data.validate(namespace, command['validator']);
  return {};
}

export function drop(data: Data, namespace: string): Doc {
  const nIndexesWas = needed(data, namespace).indexes.size;
  data.drop(namespace);
  return { nIndexesWas, ns: namespace };
}

export function renameCollection(data: Data, command: Doc): Doc {
  const [from, to] = [textOf(command['renameCollection']), textOf(command['to'])];
  needed(data, from);
  if (data.get(to) !== undefined && command['dropTarget'] !== true)
    throw new Refusal(48, 'target namespace exists');
  data.rename(from, to);
  return {};
}

function needed(data: Data, namespace: string) {
  const collection = data.get(namespace);
  if (collection === undefined) throw new Refusal(26, `ns not found ${namespace}`);
  return collection;
}
