import { deserialize, serialize } from 'bson';
import { docOf, type Doc } from './values.js';

/** One command as it came over the wire. */
export type WireRequest = {
  readonly id: number;
  readonly command: Doc;
  /** In the form of before OP_MSG, in which clients still greet. */
  readonly isLegacy: boolean;
  /** The client doesn't wait for an answer. */
  readonly isUnanswered: boolean;
};

export const HEADER_BYTES = 16;
const [OP_REPLY, OP_QUERY, OP_MSG] = [1, 2004, 2013];
const [CHECKSUM_PRESENT, MORE_TO_COME] = [1, 2];
const CHECKSUM_BYTES = 4;
/** As the server announces it: a longer message is no message. */
export const MESSAGE_BYTES_MAX = 48_000_000;

/** What came is no message of MongoDB's: the client speaks something else, such as TLS. */
export class AnotherProtocol extends Error {
  override readonly name = 'AnotherProtocol';
}

/** Takes the bytes of a connection and gives the commands in them; what is no command throws. */
export function createRequestReader(): (chunk: Uint8Array) => readonly WireRequest[] {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk]);
    const requests: WireRequest[] = [];
    while (rest.length >= HEADER_BYTES) {
      const length = rest.readInt32LE(0);
      if (length < HEADER_BYTES || length > MESSAGE_BYTES_MAX)
        throw new AnotherProtocol(`a message of ${length} bytes`);
      if (rest.length < length) break;
      requests.push(requestOf(rest.subarray(0, length)));
      rest = rest.subarray(length);
    }
    return requests;
  };
}

function requestOf(message: Buffer): WireRequest {
  const [id, opCode] = [message.readInt32LE(4), message.readInt32LE(12)];
  const body = message.subarray(HEADER_BYTES);
  if (opCode === OP_QUERY) {
    const command = readDocument(body, body.indexOf(0, 4) + 9);
    return { id, command, isLegacy: true, isUnanswered: false };
  }
  if (opCode !== OP_MSG) throw new Error(`the operation ${opCode} of the wire protocol`);
  const flags = body.readInt32LE(0);
  const end = body.length - (flags & CHECKSUM_PRESENT ? CHECKSUM_BYTES : 0);
  return { id, command: sectionsOf(body, end), isLegacy: false, isUnanswered: (flags & MORE_TO_COME) !== 0 };
}

/** The command's document, with each sequence of documents that came beside it as the member that it stands for. */
function sectionsOf(body: Buffer, end: number): Doc {
  const command: Doc = {};
  for (let at = 4; at < end;) {
    const kind = body[at];
    at += 1;
    if (kind === 0) {
      Object.assign(command, readDocument(body, at));
      at += body.readInt32LE(at);
      continue;
    }
    const sectionEnd = at + body.readInt32LE(at);
    const nameEnd = body.indexOf(0, at + 4);
    const documents: Doc[] = [];
    for (let from = nameEnd + 1; from < sectionEnd; from += body.readInt32LE(from))
      documents.push(readDocument(body, from));
    command[body.toString('utf8', at + 4, nameEnd)] = documents;
    at = sectionEnd;
  }
  return command;
}

/** The document that begins at a place. */
export function readDocument(bytes: Buffer, at: number): Doc {
  return docOf(deserialize(bytes.subarray(at, at + bytes.readInt32LE(at)), { promoteBuffers: false }));
}

/** The bytes of an answer. */
export function answerBytes(request: WireRequest, answer: Doc, answerId: number): Buffer {
  const document = serialize(answer, { ignoreUndefined: true });
  const before = Buffer.alloc(request.isLegacy ? 20 : 5);
  // Of the legacy form: flags, the cursor, where it starts, and how many documents there are.
  if (request.isLegacy) before.writeInt32LE(1, 16);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeInt32LE(HEADER_BYTES + before.length + document.length, 0);
  header.writeInt32LE(answerId, 4);
  header.writeInt32LE(request.id, 8);
  header.writeInt32LE(request.isLegacy ? OP_REPLY : OP_MSG, 12);
  return Buffer.concat([header, before, document]);
}
