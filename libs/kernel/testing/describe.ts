import { afterAll, beforeAll, describe } from '@jest/globals';
import { dockerAnswers, dockerPlaces } from './docker.js';
import { engineNamed } from './engines.js';

/** The first time its image may have to be fetched. */
const START_MS = 300_000;

/** A true server that a suite runs on. */
export type TestServer = {
  /** To be called in a test or before one: a container has none earlier. */
  readonly url: () => string;
  /** What it is, for the names of suites. */
  readonly words: string;
};

/** How a server is named in the environment, and started in a container of its own. */
const servers = {
  eventstore: {
    variable: 'EVENTSTORE_URL',
    name: 'EventStoreDB',
    port: 2_113,
    ready: '/health/live',
    environment: {
      KURRENTDB_CLUSTER_SIZE: '1',
      KURRENTDB_INSECURE: 'true',
      KURRENTDB_NODE_IP: '0.0.0.0',
      KURRENTDB_RUN_PROJECTIONS: 'None',
    },
    url: (at: string) => `esdb://${at}?tls=false`,
  },
  mongodb: {
    variable: 'MONGODB_URL',
    name: 'MongoDB',
    port: 27_017,
    ready: undefined,
    environment: {},
    url: (at: string) => `mongodb://${at}/`,
  },
} as const;

/**
 * Declares a suite on a true server: the one that its variable in the environment names, else one in a container where
 * there is Docker, else it is skipped and says what was not run. To be awaited in the test file itself.
 */
export async function describeOnServer(
  which: keyof typeof servers,
  what: string,
  suite: (server: TestServer) => void,
): Promise<void> {
  const { variable, name } = servers[which];
  const given = process.env[variable] ?? '';
  if (given !== '') {
    const words = `${name} (${variable})`;
    describe(`${what} on ${words}`, () => suite({ url: () => given, words }));
    return;
  }
  const { image, words } = engineNamed(which);
  const isHere = await dockerAnswers(dockerPlaces(process.env));
  describeWhere(isHere, `${what} on ${words}`, `no ${variable}, no Docker`, () => {
    let url = '';
    let stop: () => Promise<unknown> = () => Promise.resolve();
    beforeAll(async () => ({ url, stop } = await startContainer(which, image)), START_MS);
    afterAll(() => stop());
    suite({ url: () => url, words: `${words} (container)` });
  });
}

/** Declares a suite, or skips it under a name that says what was lacking; that is also said at once. */
export function describeWhere(isHere: boolean, what: string, lacking: string, suite: () => void): void {
  if (isHere) {
    describe(what, suite);
    return;
  }
  process.stderr.write(`not run: ${what} (${lacking})\n`);
  describe.skip(`${what} (${lacking})`, suite);
}

async function startContainer(which: keyof typeof servers, image: string) {
  const { GenericContainer, Wait } = await import('testcontainers');
  const { port, ready, environment, url } = servers[which];
  // A server that is ready may answer without a content.
  const isReady =
    ready === undefined
      ? Wait.forListeningPorts()
      : Wait.forHttp(ready, port).forStatusCodeMatching((status) => status >= 200 && status < 300);
  const container = await new GenericContainer(image)
    .withEnvironment(environment)
    .withExposedPorts(port)
    .withWaitStrategy(isReady)
    .withStartupTimeout(START_MS)
    .start();
  return {
    url: url(`${container.getHost()}:${container.getMappedPort(port)}`),
    stop: () => container.stop(),
  };
}
