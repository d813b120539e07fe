import type { Data } from './data.js';
import { atTime } from './now.js';
import { aggregate, count, distinct, find, type Cursors } from './reads.js';
import { Refusal, unsupported } from './refusal.js';
import * as schema from './schema.js';
import { signIn, type User } from './sign-in.js';
import { docOf, docsOf, isDoc, textOf, type Doc } from './values.js';
import { MESSAGE_BYTES_MAX } from './wire.js';
import * as writes from './writes.js';

/** What the server is: a single one, or the only one of a replica set. */
export type Role = {
  readonly port: number;
  readonly replicaSet: string | undefined;
  readonly version: Version;
  readonly isRouter: boolean;
};

/** The server's major version. From 8 on it has the command bulkWrite. */
export type Version = 7 | 8;

/** What commands work on. */
export type House = {
  readonly data: Data;
  readonly cursors: Cursors;
  readonly role: () => Role;
  /** What `$$NOW` is, in milliseconds. */
  readonly clock: () => number;
  /** While true, nothing that is written is acknowledged by a majority. */
  readonly isAlone: () => boolean;
  /** What a majority has. */
  readonly majority: () => Pick<Data, 'get'>;
  readonly user: User | undefined;
};

/** As MongoDB 7.0 and 8.0 have it. */
const WIRE_VERSIONS = { 7: 21, 8: 25 } as const;
const DOCUMENT_BYTES_MAX = 16_777_216;
const BATCH_MAX = 100_000;

/** Commands that change something, and so are answered once it is on disk, and may have a fault of writes. */
const WRITES = [
  'insert',
  'update',
  'bulkWrite',
  'delete',
  'findAndModify',
  'createIndexes',
  'dropIndexes',
  'create',
  'collMod',
  'drop',
  'renameCollection',
];

/** Commands that a client sends of its own accord: they are not counted, and have no faults. */
const GREETINGS = ['hello', 'ismaster', 'isMaster', 'ping', 'endSessions', 'killCursors'];

export function nameOf(command: Doc): string {
  return Object.keys(command)[0] ?? '';
}

export function isWrite(name: string): boolean {
  return WRITES.includes(name);
}

export function isGreeting(name: string): boolean {
  return GREETINGS.includes(name);
}

/** Carries out one command, whole and alone. A `Refusal` is thrown for what the server would answer with an error. */
export function carryOut(house: House, sent: Doc): Doc {
  const [name, command] = [nameOf(sent), atTime(sent, new Date(house.clock()))];
  if ('txnNumber' in command)
    throw new Refusal(20, 'Transaction numbers are only allowed on a replica set member or mongos');
  const database = textOf(command['$db'] ?? 'admin');
  const target = command[name];
  const namespace = `${database}.${typeof target === 'string' ? target : '$cmd.aggregate'}`;
  if (!isWrite(name)) return readOrGreet(house, name, { database, namespace }, command);
  checkWriteConcern(house, command);
  if (name === 'bulkWrite' && (house.role().version < 8 || database !== 'admin'))
    throw unsupported(`the command ${name} in ${database}`);
  const answer = write(house.data, name, namespace, command);
  return isLost(house, command) ? { ...answer, writeConcernError: lost } : answer;
}

/** What a write is answered with that happened here, and of which is not known whether a majority has it. */
export const lost = {
  code: 64,
  codeName: 'WriteConcernTimeout',
  errmsg: 'waiting for replication timed out',
  errInfo: { wtimeout: true },
};

function isLost({ isAlone }: House, command: Doc): boolean {
  const concern = command['writeConcern'];
  return isAlone() && isDoc(concern) && concern['w'] === 'majority';
}

function checkWriteConcern({ role }: House, command: Doc): void {
  const concern = command['writeConcern'];
  if (!isDoc(concern) || typeof concern['w'] !== 'number' || concern['w'] < 2) return;
  const why =
    role().replicaSet === undefined
      ? "cannot use 'w' > 1 when a host is not replicated"
      : 'not enough data-bearing nodes';
  throw new Refusal(2, why);
}

function write(data: Data, name: string, namespace: string, command: Doc): Doc {
  switch (name) {
    case 'insert':
      return writes.insert(data, namespace, command);
    case 'update':
      return writes.update(data, namespace, command);
    case 'bulkWrite':
      return writes.bulkWrite(data, command);
    case 'delete':
      return writes.remove(data, namespace, command);
    case 'findAndModify':
      return writes.findAndModify(data, namespace, command);
    case 'createIndexes':
      return schema.createIndexes(data, namespace, command);
    case 'dropIndexes':
      return schema.dropIndexes(data, namespace, command);
    case 'create':
      return schema.create(data, namespace, command);
    case 'collMod':
      return schema.collMod(data, namespace, command);
    case 'drop':
      return schema.drop(data, namespace);
    default:
      return schema.renameCollection(data, command);
  }
}

function readOrGreet(
  house: House,
  name: string,
  where: { readonly database: string; readonly namespace: string },
  command: Doc,
): Doc {
  const { cursors } = house;
  const concern = docOf(command['readConcern'] ?? {});
  if (concern['level'] === 'snapshot' || concern['level'] === 'linearizable')
    throw unsupported(`the read concern ${concern['level']}`);
  const from = concern['level'] === 'majority' ? house.majority() : house.data;
  switch (name) {
    case 'hello':
    case 'ismaster':
    case 'isMaster':
      return greeting(house.role(), name, new Date(house.clock()));
    case 'saslStart':
      return signIn(house.user, command);
    case 'ping':
    case 'endSessions':
      return {};
    case 'find':
      return find(from, cursors, where.namespace, command);
    case 'getMore':
      return cursors.more(command['getMore'], command['batchSize']);
    case 'killCursors':
      return cursors.kill(Array.isArray(command['cursors']) ? command['cursors'] : []);
    case 'aggregate':
      return aggregate(from, cursors, where, command);
    case 'count':
      return count(from, where.namespace, command);
    case 'distinct':
      return distinct(from, where.namespace, command);
    case 'listIndexes':
      return schema.listIndexes(house.data, cursors, where.namespace, command);
    case 'listCollections':
      return schema.listCollections(house.data, cursors, where.database, command);
    default:
      throw unsupported(`the command ${name}`);
  }
}

function greeting({ port, replicaSet, version, isRouter }: Role, name: string, now: Date): Doc {
  const me = `127.0.0.1:${port}`;
  return {
    [name === 'hello' ? 'isWritablePrimary' : 'ismaster']: true,
    helloOk: true,
    maxBsonObjectSize: DOCUMENT_BYTES_MAX,
    maxMessageSizeBytes: MESSAGE_BYTES_MAX,
    maxWriteBatchSize: BATCH_MAX,
    localTime: now,
    logicalSessionTimeoutMinutes: 30,
    minWireVersion: 0,
    maxWireVersion: WIRE_VERSIONS[version],
    readOnly: false,
    ...(isRouter ? { msg: 'isdbgrid' } : {}),
    ...(replicaSet === undefined
      ? {}
      : { setName: replicaSet, setVersion: 1, hosts: [me], primary: me, me, secondary: false }),
  };
}

/** How many single writes a command asks for. */
export function statementsOf(command: Doc): number {
  const statements = command['documents'] ?? command['updates'] ?? command['ops'] ?? command['deletes'];
  return statements === undefined ? 1 : docsOf(statements).length;
}
