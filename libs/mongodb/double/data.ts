import { Refusal } from './refusal.js';
import { matcherOf } from './matching.js';
import type { Journal } from './journal.js';
import { docOf, docsOf, isDoc, keyText, textOf, valuesAt, type Doc } from './values.js';

/** An index as it is declared. Only `_id` and unique ones are looked at; the others are there to be named. */
export type Index = Doc & { readonly name: string; readonly key: Doc };

export type Collection = {
  /** By the text of their ids, in the order of their insertion. A document is never changed, but replaced. */
  readonly documents: Map<string, Doc>;
  readonly indexes: Map<string, Index>;
  /** Of each unique index the id that has a key. */
  readonly unique: Map<string, Map<string, string>>;
  validator: Doc;
};

const idIndex: Index = { v: 2, key: { _id: 1 }, name: '_id_' };

/** Every collection, and every change of one, each written to the journal. */
export type Data = ReturnType<typeof createData>;

/** `wrote` is called after each single write, which is where a server may die. */
export function createData(journal: Journal, wrote: () => void) {
  let collections = new Map<string, Collection>();
  for (const entry of journal.read()) play(collections, entry);

  const write = (entry: Doc) => {
    play(collections, entry);
    journal.append(entry);
    wrote();
  };
  return {
    get: (namespace: string): Collection | undefined => collections.get(namespace),
    namespaces: (): readonly string[] => [...collections.keys()],

    /** Makes the collection when there is none. */
    make: (namespace: string, validator: Doc = {}): Collection => {
      const there = collections.get(namespace);
      if (there !== undefined) return there;
      write({ op: 'create', namespace, validator });
      return existing(collections, namespace);
    },
    validate: (namespace: string, validator: Doc) => write({ op: 'validate', namespace, validator }),
    drop: (namespace: string) => write({ op: 'drop', namespace }),
    rename: (namespace: string, to: string) => write({ op: 'rename', namespace, to }),
    index: (namespace: string, index: Index) => write({ op: 'index', namespace, index }),
    dropIndex: (namespace: string, name: string) => write({ op: 'dropIndex', namespace, name }),

    /** Puts a document in, or in the place of the one with its id, when the collection allows it. */
    put: (namespace: string, document: Doc) => {
      const { validator } = existing(collections, namespace);
      if (!matcherOf(validator)(document))
        throw new Refusal(121, 'Document failed validation', {
          errInfo: { failingDocumentId: document['_id'] },
        });
      write({ op: 'put', namespace, document });
    },
    remove: (namespace: string, id: unknown) => write({ op: 'remove', namespace, id }),

    /** What is there now, to come back to. */
    snapshot: () => {
      const [kept, end] = [copyOfAll(collections), journal.end()];
      return {
        get: (namespace: string): Collection | undefined => kept.get(namespace),
        restore: () => {
          collections = kept;
          journal.cutTo(end);
        },
      };
    },
  };
}

function existing(collections: ReadonlyMap<string, Collection>, namespace: string): Collection {
  const collection = collections.get(namespace);
  if (collection === undefined) throw new Refusal(26, `ns does not exist: ${namespace}`);
  return collection;
}

function empty(validator: Doc): Collection {
  const indexes = new Map([[idIndex.name, idIndex]]);
  return { documents: new Map(), indexes, unique: new Map(), validator };
}

function copyOfAll(collections: ReadonlyMap<string, Collection>): Map<string, Collection> {
  return new Map(
    [...collections].map(([namespace, { documents, indexes, unique, validator }]) => [
      namespace,
      {
        documents: new Map(documents),
        indexes: new Map(indexes),
        unique: new Map([...unique].map(([name, keys]) => [name, new Map(keys)])),
        validator,
      },
    ]),
  );
}

/** Does what an entry of the journal says. */
function play(collections: Map<string, Collection>, entry: Doc): void {
  const namespace = textOf(entry['namespace']);
  if (entry['op'] === 'create') {
    collections.set(namespace, empty(docOf(entry['validator'])));
    return;
  }
  const collection = existing(collections, namespace);
  switch (entry['op']) {
    case 'validate':
      collection.validator = docOf(entry['validator']);
      return;
    case 'drop':
      collections.delete(namespace);
      return;
    case 'rename':
      collections.delete(namespace);
      collections.set(textOf(entry['to']), collection);
      return;
    case 'index':
      addIndex(collection, namespace, indexOf(entry['index']));
      return;
    case 'dropIndex':
      collection.indexes.delete(textOf(entry['name']));
      collection.unique.delete(textOf(entry['name']));
      return;
    case 'put':
      put(collection, namespace, docOf(entry['document']));
      return;
    default:
      remove(collection, entry['id']);
  }
}

/** A declaration of an index, as it was sent or written. */
export function indexOf(value: unknown): Index {
  const index = docOf(value);
  return { ...index, name: textOf(index['name']), key: docOf(index['key']) };
}

function put(collection: Collection, namespace: string, document: Doc): void {
  const id = keyText(document['_id']);
  const before = collection.documents.get(id);
  const changes = [...collection.unique].map(([name, taken]) => {
    const index = indexNamed(collection, name);
    const keys = keysIn(index, document);
    for (const { text, value } of keys)
      if ((taken.get(text) ?? id) !== id) throw duplicate(namespace, index, value);
    return { taken, keys, old: before === undefined ? [] : keysIn(index, before) };
  });
  for (const { taken, keys, old } of changes) {
    for (const { text } of old) taken.delete(text);
    for (const { text } of keys) taken.set(text, id);
  }
  collection.documents.set(id, document);
}

function remove(collection: Collection, id: unknown): void {
  const { documents, unique } = collection;
  const document = documents.get(keyText(id));
  if (document === undefined) return;
  documents.delete(keyText(id));
  for (const [name, taken] of unique)
    for (const { text } of keysIn(indexNamed(collection, name), document)) taken.delete(text);
}

function indexNamed({ indexes }: Collection, name: string): Index {
  const index = indexes.get(name);
  if (index === undefined) throw new Error(`there is no index ${name}`);
  return index;
}

function addIndex(collection: Collection, namespace: string, index: Index): void {
  if (index['unique'] === true) {
    const taken = new Map<string, string>();
    for (const [id, document] of collection.documents) {
      for (const { text, value } of keysIn(index, document)) {
        if ((taken.get(text) ?? id) !== id) throw duplicate(namespace, index, value);
        taken.set(text, id);
      }
    }
    collection.unique.set(index.name, taken);
  }
  collection.indexes.set(index.name, index);
}

type Key = { readonly text: string; readonly value: Doc };

/** The keys that an index has for a document: one for each element of an array, none where it leaves the document out. */
function keysIn(index: Index, document: Doc): readonly Key[] {
  const only = index['partialFilterExpression'];
  if (isDoc(only) && !matcherOf(only)(document)) return [];
  let all: readonly Doc[] = [{}];
  for (const field of Object.keys(index.key))
    all = all.flatMap((value) =>
      valuesAt(document, field).map((one) => ({ ...value, [field]: one ?? null })),
    );
  if (index['sparse'] === true) all = all.filter((value) => Object.values(value).some((one) => one !== null));
  return all.map((value) => ({ text: keyText(...Object.values(value)), value }));
}

/** The error of a key that another document has. */
export function duplicate(namespace: string, { name, key }: Index, value: Doc): Refusal {
  const shown = Object.entries(value).map(([field, one]) => `${field}: ${JSON.stringify(one)}`);
  return new Refusal(
    11000,
    `E11000 duplicate key error collection: ${namespace} index: ${name} dup key: { ${shown.join(', ')} }`,
    { keyPattern: key, keyValue: value },
  );
}

/** The error of an id that is there already. */
export function duplicateId(namespace: string, id: unknown): Refusal {
  return duplicate(namespace, idIndex, { _id: id });
}

/** The declarations of a collection's indexes, as they are listed. */
export function declaredIndexes(collection: Collection): readonly Doc[] {
  return docsOf([...collection.indexes.values()]);
}
