import { createServer, connect, type AddressInfo, type Socket } from 'node:net';

/** The wire between the client and the double: it can be cut, and it can go silent. */
export type Network = {
  readonly port: number;
  /** Cuts every connection. New ones can be made at once. */
  cut(): void;
  /** Delivers nothing in either direction any more, without closing anything, until `thaw`. */
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
};

/** Listens on a loopback port (any, or the one given) and hands on to `target`, the port behind it. */
export async function openNetwork(target: number, port = 0): Promise<Network> {
  const sockets = new Set<Socket>();
  let frozen = false;

  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ port: target, host: '127.0.0.1', noDelay: true });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk) => to.write(chunk));
      from.on('end', () => to.end());
      // A connection that was cut is an error at both of its ends, and is meant.
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      if (frozen) from.pause();
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });

  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    freeze() {
      frozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw() {
      frozen = false;
      for (const socket of sockets) socket.resume();
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      cut();
      await closed;
    },
  };
}
