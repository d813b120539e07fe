import { z } from 'zod';
import { routes, session as sessionAnswer, type Route } from '#contracts';

type Given = {
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: object;
};

/** The product's API for one person, signed in with a program of a name. */
export type Client = {
  readonly userId: string;
  /** Sends a command, and gives its answer as a schema has it. */
  readonly send: <Answer>(route: Route, given: Given, answer: z.ZodType<Answer>) => Promise<Answer>;
  /** Asks, and gives what holds after everything that was sent before. */
  readonly get: <Answer>(route: Route, params: Given['params'], answer: z.ZodType<Answer>) => Promise<Answer>;
};

/** The API of a running program, from outside. */
export type Api = {
  readonly visitor: Pick<Client, 'send'>;
  /** Signs somebody in, has them do something, and signs them out. */
  readonly as: <Done>(
    who: { readonly email: string; readonly password: string; readonly agent: string },
    work: (client: Client) => Promise<Done>,
  ) => Promise<Done>;
};

const positioned = z.object({ position: z.string().optional() });

/** The API at an address. */
export function createApi(address: string): Api {
  let keys = 0;
  let position: string | undefined;

  const call = async (route: Route, { params = {}, body }: Given, headers: Record<string, string>) => {
    const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => params[name] ?? '');
    const isForm = body instanceof FormData;
    const response = await fetch(address + path, {
      method: route.method,
      headers: {
        ...headers,
        ...(body === undefined || isForm ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    const answer: unknown = await response.json();
    return { answer, isStale: response.headers.has('lode-stale') };
  };

  const sender =
    (headers: Record<string, string>): Client['send'] =>
    async (route, given, schema) => {
      const key = { 'Idempotency-Key': `demo-${(keys += 1)}` };
      const { answer } = await call(route, given, { ...headers, ...key });
      position = positioned.safeParse(answer).data?.position ?? position;
      return schema.parse(answer);
    };

  return {
    visitor: { send: sender({}) },
    as: async ({ email, password, agent }, work) => {
      const here = { 'User-Agent': agent };
      const { answer } = await call(routes.signIn, { body: { email, password } }, here);
      const { accessToken, user } = sessionAnswer.parse(answer);
      const headers = { ...here, Authorization: `Bearer ${accessToken}` };
      const done = await work({
        userId: user.userId,
        send: sender(headers),
        get: async (route, params, schema) => {
          const known = position === undefined ? {} : { 'Lode-Position': position };
          const given = params === undefined ? {} : { params };
          let found = await call(route, given, { ...headers, ...known });
          while (found.isStale) found = await call(route, given, { ...headers, ...known });
          return schema.parse(found.answer);
        },
      });
      await call(routes.signOut, {}, headers);
      return done;
    },
  };
}
