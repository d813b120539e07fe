import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasCode } from '#kernel';

/** Something that is kept: where it is, and its bytes. */
export type Kept = { readonly where: string; readonly content: Buffer };

/** Every file below a folder; one that has gone meanwhile is empty. */
export function filesBelow(folder: string): readonly Kept[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => ({ where: name, content: contentOf(join(parentPath, name)) }));
}

function contentOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return Buffer.alloc(0);
    throw error;
  }
}

/** Every document of every collection of a MongoDB database. */
export async function documentsOf(url: string, database: string): Promise<readonly Kept[]> {
  const { BSON, MongoClient } = await import('mongodb');
  const client = await MongoClient.connect(url);
  try {
    const db = client.db(database);
    const names = (await db.listCollections().toArray()).map(({ name }) => name);
    const all = names.map(async (where) => {
      const documents = await db.collection(where).find().toArray();
      return documents.map((document) => ({ where, content: Buffer.from(BSON.serialize(document)) }));
    });
    return (await Promise.all(all)).flat();
  } finally {
    await client.close();
  }
}
