// A closed-loop HTTP/1.1 client: each connection sends its next request when the answer before it has come whole.
// Written on bare sockets because the client shares the machine's cores with the server that it measures.
import { connect } from 'node:net';

/**
 * Sends requests over `connections` sockets for `seconds`, or `requests` on each, and answers with how many were answered
 * as expected, how many were not, the seconds it took and each answer's latency in milliseconds.
 * `requestFor(connection, n)` is the text of the nth request of a connection, sent `pause` milliseconds after the answer
 * before; `warmUp` seconds before, and the first `skip` answers of a connection, are not counted. `expected` is a status
 * or says of one whether it is. With `rate` all connections together send so many a second, each when its turn comes or,
 * when the answer before is late, right after that.
 */
export async function drive({
  port,
  connections,
  seconds = Infinity,
  requests = Infinity,
  warmUp = 0,
  skip = 0,
  pause = 0,
  rate = Infinity,
  requestFor,
  expected,
}) {
  const isExpected = typeof expected === 'function' ? expected : (status) => status === expected;
  const latencies = [];
  const statuses = new Map();
  const start = performance.now();
  const from = start + warmUp * 1_000;
  const until = from + seconds * 1_000;
  const interval = (connections / rate) * 1_000;
  await Promise.all(Array.from({ length: connections }, (_, index) => one(index)));
  const done = latencies.length;
  const wrong = [...statuses]
    .filter(([status]) => !isExpected(status))
    .reduce((sum, [, count]) => sum + count, 0);
  return {
    done,
    wrong,
    statuses: Object.fromEntries(statuses),
    seconds: Math.min(seconds, (performance.now() - from) / 1_000),
    latencies: Float64Array.from(latencies).sort(),
  };

  function one(index) {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      let sent = 0;
      let n = 0;
      let buffered = '';
      const send = () => {
        sent = performance.now();
        if (sent >= until || n >= skip + requests) {
          socket.end();
          resolve();
          return;
        }
        socket.write(requestFor(index, n++));
      };
      socket.setEncoding('latin1');
      socket.on('connect', send);
      socket.on('error', reject);
      socket.on('data', (chunk) => {
        buffered = buffered === '' ? chunk : buffered + chunk;
        const head = buffered.indexOf('\r\n\r\n');
        if (head === -1) return;
        const length = lengthOf(buffered, head);
        if (buffered.length < head + 4 + length) return;
        const now = performance.now();
        const status = Number(buffered.slice(9, 12));
        buffered = '';
        if (now >= from && now < until && n > skip) {
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          if (isExpected(status)) latencies.push(now - sent);
        }
        const turn = start + (index / connections + n) * interval;
        const wait = Math.max(pause, turn - now);
        if (wait > 0) setTimeout(send, wait);
        else send();
      });
    });
  }
}

function lengthOf(text, head) {
  const at = text.indexOf('ontent-length: ');
  if (at === -1 || at > head) throw new Error(`an answer without a length: ${text.slice(0, head)}`);
  return Number.parseInt(text.slice(at + 15, at + 27), 10);
}

/** The latency below which the share `p` of the answers lies. */
export function quantile(latencies, p) {
  return latencies.length === 0
    ? NaN
    : latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * p))];
}

/** Whether a figure is within what is promised of it, both in the same unit. */
export function verdict(figure, promised, unit = 'ms') {
  return `${figure <= promised ? 'within' : 'NOT within'} ${promised.toLocaleString('en')} ${unit}`;
}

/** The text of a JSON request. */
export function jsonRequest({ method = 'POST', path, token, key, body }) {
  const text = body === undefined ? '' : JSON.stringify(body);
  return (
    `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n` +
    (key === undefined ? '' : `Idempotency-Key: ${key}\r\n`) +
    (text === '' ? '' : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n`) +
    `\r\n${text}`
  );
}
