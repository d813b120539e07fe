import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { EventStoreDBClient } from '@eventstore/db-client';
import { hasCode, LodeError, withoutUserInfo } from '#kernel';

/** What a connection string says of the server, as far as errors speak of it. */
export type Server = {
  /** Without name, password and options. */
  readonly address: string;
  readonly hasUser: boolean;
  readonly hasTls: boolean;
};

/** Files that a connection string can name, which the client reads when it is made. */
const FILES = ['tlsCAFile', 'userCertFile', 'userKeyFile'] as const;
const USER = /^([^:]+:\/\/)[^:]+:[^@]+@/;

export function serverOf(url: string): Server {
  return {
    address: withoutUserInfo(url),
    hasUser: USER.test(url),
    hasTls: optionIn(url, 'tls')?.toLowerCase() !== 'false',
  };
}

/** The connection string without the name and password in it. */
export function withoutUser(url: string): string {
  return url.replace(USER, '$1');
}

/** A client for a connection string that it can be made of; any other is refused with what is wrong with it. */
export function connect(url: string): EventStoreDBClient {
  // With this option the client answers a conflict with a success and a wrong revision.
  if (optionIn(url, 'throwOnAppendFailure') === 'false')
    throw new LodeError(
      'internal',
      'The EventStoreDB connection string must not set throwOnAppendFailure=false.',
    );
  if (/^(?:kurrent|kurrentdb|kdb)(?:\+|:)/i.test(url))
    throw new LodeError(
      'internal',
      'Lode takes no kurrentdb:// address: write esdb:// in its place, for a KurrentDB server too.',
    );
  for (const option of FILES) checkFile(option, optionIn(url, option));
  try {
    return EventStoreDBClient.connectionString(url);
  } catch {
    // The client's own message quotes the string, and with it the password.
    throw new LodeError(
      'internal',
      'The EventStoreDB connection string cannot be read. It looks like esdb://name:password@host:2113?tls=true',
    );
  }
}

/** An option of a connection string; its name may be written in any case and with hyphens and underscores, as the client has it. */
function optionIn(url: string, name: string): string | undefined {
  const [, query = ''] = url.split('?', 2);
  for (const pair of query.split('&')) {
    const [key = '', value] = pair.split('=', 2);
    if (key.trim().replaceAll(/[_-]/g, '').toLowerCase() === name.toLowerCase()) return value?.trim();
  }
  return undefined;
}

function checkFile(option: (typeof FILES)[number], given: string | undefined): void {
  if (given === undefined) return;
  const file = resolve(given);
  const named = `${file}, which the EventStoreDB connection string names as ${option},`;
  try {
    const content = readFileSync(file);
    if (option === 'tlsCAFile') new X509Certificate(content);
  } catch (cause) {
    const what = hasCode(cause, 'ENOENT')
      ? `There is no ${named} from the folder that Lode was started in: correct the path.`
      : `${named} cannot be read or is no certificate in PEM: correct the path, or its rights.`;
    throw new LodeError('file_not_found', what, {}, { cause });
  }
}
