import type { Client } from './client.js';

/** One event of the live stream. */
export type Frame = { readonly event: string; readonly id: string | undefined; readonly data: unknown };

/** An open live stream. */
export type Stream = {
  readonly headers: Headers;
  /** The frames so far. */
  readonly frames: readonly Frame[];
  /** Waits until `enough` says so of all frames so far; fails when the stream ends before. */
  readonly until: (enough: (frames: readonly Frame[]) => boolean) => Promise<readonly Frame[]>;
  /** Resolves when the server has ended the stream. */
  readonly ended: Promise<void>;
  readonly close: () => void;
};

/** Opens the live stream as this client. */
export async function follow(
  client: Client,
  headers: Readonly<Record<string, string>> = {},
): Promise<Stream> {
  const abort = new AbortController();
  const response = await fetch(`${client.address}/api/live`, {
    headers: { Authorization: `Bearer ${client.token ?? ''}`, ...headers },
    signal: abort.signal,
  });
  if (response.status !== 200 || response.body === null)
    throw new Error(`the stream answered with ${response.status}`);
  const frames: Frame[] = [];
  const waiting = new Set<() => void>();
  let over = false;
  const read = async (body: ReadableStream<Uint8Array>) => {
    let text = '';
    for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
      const parts = (text + chunk).split('\n\n');
      text = parts.pop() ?? '';
      frames.push(...parts.filter((part) => !part.startsWith(':')).map(frameOf));
      for (const look of waiting) look();
    }
  };
  const ended = read(response.body)
    .catch(() => undefined)
    .then(() => {
      over = true;
      for (const look of waiting) look();
    });
  const until: Stream['until'] = (enough) =>
    new Promise((resolve, reject) => {
      const look = () => {
        if (!enough(frames) && !over) return;
        waiting.delete(look);
        if (enough(frames)) resolve(frames);
        else reject(new Error(`the stream ended after ${JSON.stringify(frames)}`));
      };
      waiting.add(look);
      look();
    });
  return { headers: response.headers, frames, until, ended, close: () => abort.abort() };
}

function frameOf(text: string): Frame {
  const fields = new Map(
    text.split('\n').map((line): [string, string] => {
      const at = line.indexOf(': ');
      return [line.slice(0, at), line.slice(at + 2)];
    }),
  );
  const data = fields.get('data');
  return {
    event: fields.get('event') ?? 'message',
    id: fields.get('id'),
    data: data === undefined ? undefined : (JSON.parse(data) as unknown),
  };
}
