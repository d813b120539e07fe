import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer, type Server, type Socket } from 'node:net';
import { AnotherProtocol, answerBytes, createRequestReader, HEADER_BYTES, type WireRequest } from './wire.js';
import type { Doc } from './values.js';

/** What happens to a command: its answer, one that can't be understood, none, none for too long, or the end of the connection. */
export type Outcome = Doc | 'garbage' | 'silence' | 'timeout' | 'cut';

export type WireServer = {
  /** Cuts every connection; new ones can be made at once. */
  readonly cut: () => void;
  readonly close: () => Promise<void>;
};

/** Listens on a loopback port. Commands are answered one at a time, in the order they come, but for those that are held up. */
export async function listen(
  port: number,
  answer: (command: Doc) => Outcome | Promise<Outcome>,
): Promise<WireServer> {
  const sockets = new Set<Socket>();
  const clients = watchClients();
  let answers = 0;

  const serve = (socket: Socket, request: WireRequest) => {
    const outcome = answer(request.command);
    if (outcome instanceof Promise) void outcome.then((later) => reply(socket, request, later));
    else reply(socket, request, outcome);
  };
  const reply = (socket: Socket, request: WireRequest, outcome: Outcome) => {
    if (socket.destroyed) return;
    if (outcome === 'cut') socket.resetAndDestroy();
    // As its own timer does, whose time no test has to wait for then, and which no busy machine brings about.
    else if (outcome === 'timeout') clients.of(socket).emit('timeout');
    else if (outcome === 'garbage') socket.write(garbled(answerBytes(request, { ok: 1 }, ++answers)));
    else if (outcome !== 'silence' && !request.isUnanswered)
      socket.write(answerBytes(request, outcome, ++answers));
  };
  const server: Server = createServer({ noDelay: true }, (socket) => {
    const read = createRequestReader();
    sockets.add(socket);
    socket.on('data', (chunk) => {
      try {
        for (const request of read(chunk)) if (!socket.destroyed) serve(socket, request);
      } catch (error) {
        if (!(error instanceof AnotherProtocol)) throw error;
        // As the server does with who speaks TLS to it where it has none.
        socket.destroy();
      }
    });
    // A connection that was cut is an error at both of its ends, and is meant.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    cut,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      cut();
      await closed;
      clients.stop();
    },
  };
}

/** The connections that are made in this process, to whomever. */
function watchClients() {
  const clients = new Set<Socket>();
  const add = (made: unknown) => {
    const { socket } = made as { readonly socket: Socket };
    clients.add(socket);
    socket.once('close', () => clients.delete(socket));
  };
  subscribe('net.client.socket', add);
  return {
    /** The other end of a connection to the server. */
    of: (socket: Socket) => {
      const found = [...clients].find(
        ({ localPort, remotePort }) => localPort === socket.remotePort && remotePort === socket.localPort,
      );
      if (found === undefined) throw new Error('The client that is to time out is in another process.');
      return found;
    },
    stop: () => void unsubscribe('net.client.socket', add),
  };
}

/** A message whose head alone is one. */
function garbled(message: Buffer): Buffer {
  return message.fill(0xff, HEADER_BYTES);
}
