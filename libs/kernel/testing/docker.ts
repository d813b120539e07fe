import { request, type RequestOptions } from 'node:http';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** An engine that is there answers at once, also on a busy machine. */
const ANSWER_MS = 60_000;

/** Where a Docker engine may be on this machine, as its client looks for it. */
export function dockerPlaces(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const { DOCKER_HOST: host = '', XDG_RUNTIME_DIR: own = '' } = env;
  if (host !== '') return [host];
  const folders = ['/var/run', ...(own === '' ? [] : [own]), join(homedir(), '.docker', 'run')];
  return folders.map((folder) => `unix://${join(folder, 'docker.sock')}`);
}

/** True when a Docker engine answers at one of these places. */
export async function dockerAnswers(places: readonly string[]): Promise<boolean> {
  const answers = await Promise.all(places.map(answersAt));
  return answers.includes(true);
}

function answersAt(place: string): Promise<boolean> {
  const at = placeOf(place);
  if (at === undefined) return Promise.resolve(false);
  return new Promise((resolve) => {
    const asked = request({ ...at, path: '/_ping', timeout: ANSWER_MS }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    asked.on('timeout', () => asked.destroy(new Error('no answer')));
    asked.on('error', () => resolve(false));
    asked.end();
  });
}

function placeOf(place: string): RequestOptions | undefined {
  const socketPath = /^unix:\/\/(.+)$/.exec(place)?.[1];
  if (socketPath !== undefined) return { socketPath };
  if (!URL.canParse(place)) return undefined;
  const { protocol, hostname, port } = new URL(place);
  return ['tcp:', 'http:'].includes(protocol) ? { hostname, port: port === '' ? '2375' : port } : undefined;
}
