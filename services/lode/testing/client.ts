import type { z } from 'zod';
import { problem, routes, type Problem, type Route, type RouteName } from '#contracts';
import { comparePositions, logStart, parsePosition } from '#kernel';

/** An answer as it came, its body read to the end. */
export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body when it is JSON, else undefined. */
  readonly json: unknown;
};

/** What to put into a request. What is left out is not sent. */
export type Ask = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly form?: FormData;
  /** Sent as it is; its type goes into `headers`. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
};

type Declared<Name extends RouteName> = (typeof routes)[Name];
/** The body that a route promises when it does what it was asked. */
export type Given<Name extends RouteName> =
  Declared<Name> extends { answer: infer S } ? (S extends z.ZodType ? z.output<S> : undefined) : never;

/** The API as whoever shows `token` sees it. */
export type Client = {
  readonly address: string;
  readonly token: string | undefined;
  /** Calls a route and gives whatever it answers. */
  readonly call: (name: RouteName, ask?: Ask) => Promise<Answer>;
  /**
   * As `call`, again and again until the read models have the position that it names, or else the last that a client made
   * from the same one was answered with.
   */
  readonly fresh: (name: RouteName, ask?: Ask) => Promise<Answer>;
  /**
   * As `fresh`, but fails unless the route answers as the contract promises: its status and the shape of its body.
   */
  readonly get: <Name extends RouteName>(name: Name, ask?: Ask) => Promise<Given<Name>>;
  /** The same API for another caller. */
  readonly as: (token: string | undefined, credentials?: Credentials) => Client;
};

/** What somebody signs in with. */
export type Credentials = { readonly email: string; readonly password: string };

/** By a token that ran out the one that took its place, for every client that is given it. */
const renewed = new Map<string, string>();

/** The last position that clients of one program were answered with; '' before the first. */
type Seen = { position: string };

const placeOf = (scoped: string) => parsePosition(scoped.split('.')[0] ?? '') ?? logStart;

/** Takes note of the position of an answer. One that is stale names where to go on, in another log. */
function note(seen: Seen, headers: Headers): void {
  const position = headers.get('lode-position');
  if (position === null) return;
  if (headers.has('lode-stale') || comparePositions(placeOf(position), placeOf(seen.position)) > 0)
    seen.position = position;
}

/**
 * A client of the API at `address`. With credentials, it signs in again when its token has run out, and proves again who it
 * is wherever an admin has to: a test on a busy machine may take longer than either is good for.
 */
export function createClient(
  address: string,
  token?: string,
  credentials?: Credentials,
  seen: Seen = { position: '' },
): Client {
  const shown = () => token && (renewed.get(token) ?? token);
  const ask = async (name: RouteName, given: Ask = {}) => {
    const { method } = routes[name];
    const { body, form, raw } = given;
    const response = await fetch(address + pathOf(name, given), {
      method,
      headers: {
        ...(token === undefined ? {} : { Authorization: `Bearer ${shown()}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...given.headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(form === undefined ? {} : { body: form }),
      ...(raw === undefined ? {} : { body: raw }),
    });
    note(seen, response.headers);
    return answerOf(response);
  };
  const says = ({ text }: Answer, code: string) => text.includes(`"code":"${code}"`);
  const call = async (name: RouteName, given: Ask = {}) => {
    const answer = await ask(name, given);
    if (credentials === undefined || token === undefined || answer.status < 400) return answer;
    // While identities are away neither can be done, and is answered so.
    const { email, password } = credentials;
    if (says(answer, 'token_expired')) {
      const signedIn = await ask('signIn', { body: { email, password } });
      if (signedIn.status !== 200) return signedIn;
      renewed.set(token, (signedIn.json as Given<'refresh'>).accessToken);
    } else if (says(answer, 'step_up_required')) {
      const proof = await ask('stepUp', { body: { proof: { password } } });
      if (proof.status >= 500) return proof;
    } else return answer;
    return ask(name, given);
  };
  const fresh = async (name: RouteName, given: Ask = {}) => {
    const asked = () =>
      // Health is how things stand, also where the read models don't come any further.
      seen.position === '' || routes[name].path.startsWith('/health')
        ? given
        : { ...given, headers: { 'Lode-Position': seen.position, ...given.headers } };
    let answer = await call(name, asked());
    // On a busy machine the read models may come later than a query waits for them.
    while (answer.headers.has('lode-stale')) answer = await call(name, asked());
    return answer;
  };
  return {
    address,
    get token() {
      return shown();
    },
    call,
    fresh,
    get: async <Name extends RouteName>(name: Name, given?: Ask) => {
      const answer = await fresh(name, given);
      const route: Route = routes[name];
      if (answer.status !== route.status) {
        throw new Error(`${name} answered with ${answer.status}: ${answer.text.slice(0, 500)}`);
      }
      return (typeof route.answer === 'string' ? undefined : route.answer.parse(answer.json)) as Given<Name>;
    },
    as: (other, theirs) => createClient(address, other, theirs, seen),
  };
}

/** The path and query of a route with its parameters filled in. */
export function pathOf(name: RouteName, { params = {}, query = {} }: Ask): string {
  const path = routes[name].path.replace(/:(\w+)/g, (_, key: string) =>
    encodeURIComponent(params[key] ?? key),
  );
  const search = new URLSearchParams(query).toString();
  return search === '' ? path : `${path}?${search}`;
}

/** Reads an answer to its end. */
export async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = /^application\/(?:[\w.-]+\+)?json\b/.test(response.headers.get('content-type') ?? '');
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson ? parsed(text) : undefined,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The problem document of a refusal; fails when the answer is none. */
export function problemIn(answer: Answer): Problem {
  const type = answer.headers.get('content-type');
  if (answer.status < 400 || type !== 'application/problem+json; charset=utf-8') {
    throw new Error(
      `no refusal but ${answer.status} ${type ?? 'without a type'}: ${answer.text.slice(0, 500)}`,
    );
  }
  return problem.parse(answer.json);
}
