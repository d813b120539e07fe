// The secrets of docker-compose.yml, each a file of its own: passwords, the certificate of the event store, and the
// addresses that hold them. One that is there stays as it is.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** For their owner only; the files in it are read by the containers' users, who are nobody on this machine. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o444;
const AUTHORITY_MODE = 0o400;
const CA_DAYS = '3650';
const NODE_DAYS = '1095';
/** As letters and digits, so that it can stand in an address and in a file of settings. */
const password = () => randomBytes(24).toString('hex');

/** Makes what is missing in a folder. */
export function makeSecrets(folder) {
  mkdirSync(join(folder, 'local'), { recursive: true, mode: FOLDER_MODE });
  chmodSync(folder, FOLDER_MODE);
  const keep = (name, make) => {
    const path = join(folder, name);
    if (!existsSync(path)) writeFileSync(path, `${make()}\n`, { mode: FILE_MODE, flag: 'wx' });
    return readFileSync(path, 'utf8').trim();
  };
  if (!existsSync(join(folder, 'eventstore_certificate'))) makeCertificate(folder);
  const eventstore = keep('eventstore_password', password);
  const root = keep('mongodb_root_password', password);
  const mongodb = keep('mongodb_password', password);
  const s3 = keep('s3_secret', password);
  const [, redis] = keep('redis_settings', () => `requirepass ${password()}`).split(' ');
  const inContainer = { at: (host) => host, ca: '/run/secrets/eventstore_ca' };
  const onMachine = { at: () => 'localhost', ca: join(folder, 'eventstore_ca') };
  for (const [below, { at, ca }] of [
    ['', inContainer],
    ['local', onMachine],
  ]) {
    // Not encoded: the client takes the path as it stands.
    const tls = `tls=true&tlsCAFile=${ca}`;
    keep(join(below, 'eventstore_url'), () => `esdb://admin:${eventstore}@${at('eventstore')}:2113?${tls}`);
    keep(join(below, 'redis_url'), () => `redis://:${redis}@${at('redis')}:6379/0`);
    keep(join(below, 's3_url'), () => `http://lode:${s3}@${at('s3')}:7070/lode`);
  }
  keep('mongodb_url', () => `mongodb://lode:${mongodb}@mongodb:27017/lode`);
  // Contract suites make databases of their own.
  keep('local/mongodb_url', () => `mongodb://root:${root}@localhost:27017/lode?authSource=admin`);
}

/** An authority and a certificate of the event store by it, for its name among the containers and for this machine. */
function makeCertificate(folder) {
  const path = (name) => join(folder, name);
  const openssl = (...args) => execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const made = ['authority_key', 'eventstore_ca', 'eventstore_key', 'eventstore_certificate'];
  // What is left of one that ran out can't be written over.
  for (const name of made) rmSync(path(name), { force: true });
  const key = ['-newkey', 'rsa:2048', '-nodes'];
  openssl(
    ...['req', '-x509', ...key, '-days', CA_DAYS, '-subj', '/O=Lode/CN=Lode event store authority'],
    ...['-addext', 'basicConstraints=critical,CA:TRUE', '-addext', 'keyUsage=critical,keyCertSign,cRLSign'],
    ...['-keyout', path('authority_key'), '-out', path('eventstore_ca')],
  );
  openssl(
    ...['req', ...key, '-subj', '/O=Lode/CN=eventstoredb-node'],
    ...['-keyout', path('eventstore_key'), '-out', path('request')],
  );
  const extensions = [
    'basicConstraints=critical,CA:FALSE',
    'keyUsage=critical,digitalSignature,keyEncipherment',
    'extendedKeyUsage=serverAuth,clientAuth',
    'subjectAltName=DNS:eventstore,DNS:localhost,IP:127.0.0.1',
  ];
  writeFileSync(path('extensions'), extensions.join('\n'));
  openssl(
    ...['x509', '-req', '-in', path('request'), '-days', NODE_DAYS, '-extfile', path('extensions')],
    ...[
      '-CA',
      path('eventstore_ca'),
      '-CAkey',
      path('authority_key'),
      '-set_serial',
      `0x${randomBytes(16).toString('hex')}`,
    ],
    ...['-out', path('eventstore_certificate')],
  );
  for (const name of ['request', 'extensions']) rmSync(path(name));
  for (const name of made) chmodSync(path(name), name === 'authority_key' ? AUTHORITY_MODE : FILE_MODE);
}
