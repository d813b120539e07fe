import { isLodeError, LodeError, withoutUserInfo } from '#kernel';
import type { EngineSettings } from './engines.js';

/** The database in MongoDB when the address names none. */
const DATABASE = 'lode';

/** What of Lode is on servers, and what therefore is not in the data folder. */
export type OnServers = Pick<EngineSettings, 'eventStoreUrl' | 'mongodbUrl' | 's3Url'>;

/** A database on a MongoDB server. */
export type MongoPlace = Pick<EngineSettings, 'selectMs'> & {
  readonly url: string;
  readonly database: string;
};

/** Where MongoDB is, and the database there: the one that the address names, as in `mongodb://host/name`. */
export function mongoAt(url: string, { selectMs }: Pick<EngineSettings, 'selectMs'> = {}): MongoPlace {
  const [, name = ''] = /^[^:]*:\/\/[^/?#]*\/([^?#]*)/.exec(url) ?? [];
  const database = name === '' ? DATABASE : decodeURIComponent(name);
  return { url, database, ...(selectMs === undefined ? {} : { selectMs }) };
}

/** True when nothing that could be lost is in the data folder, so that several programs may use the engines at a time. */
export function isAllOnServers({ eventStoreUrl, mongodbUrl, s3Url }: OnServers): boolean {
  return eventStoreUrl !== undefined && mongodbUrl !== undefined && s3Url !== undefined;
}

/** True when anything of Lode's that could be lost is on a server, which has ways of its own to be backed up. */
export function isAnyOnServers({ eventStoreUrl, mongodbUrl, s3Url }: OnServers): boolean {
  return eventStoreUrl !== undefined || mongodbUrl !== undefined || s3Url !== undefined;
}

/** Opens something on a server; when that can't be reached or refuses, the error says which setting names it, and where. */
export async function atServer<T>(setting: string, url: string, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (!isLodeError(error) || error.code !== 'unavailable') throw error;
    const message = `${error.message} ${setting} names ${withoutUserInfo(url)}.`;
    throw new LodeError('unavailable', message, {}, { cause: error });
  }
}
