/** One event of a server-sent stream. */
export type Frame = { readonly id: string | undefined; readonly event: string; readonly data: string };

/** A line longer than this, in characters, is not one of ours. */
export const LINE_MAX = 64 * 1024;

/**
 * Reads the text of a server-sent stream piece by piece, wherever the pieces are cut, and gives the frames that became
 * complete. Comments (the heartbeat) give nothing. Throws when a line exceeds `LINE_MAX`.
 */
export function createFrameReader(): (piece: string) => Frame[] {
  let rest = '';
  let id: string | undefined;
  let event = 'message';
  let data: string[] = [];

  const readField = (line: string) => {
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'data') data.push(value);
    else if (name === 'event') event = value;
    else if (name === 'id') id = value;
  };

  return (piece) => {
    const frames: Frame[] = [];
    const text = rest + piece;
    // A carriage return at the very end may be half of a line's end: it waits for what follows.
    const complete = text.endsWith('\r') ? text.slice(0, -1) : text;
    const lines = complete.split(/\r\n|\n|\r/);
    rest = (lines.pop() ?? '') + text.slice(complete.length);
    for (const line of lines) {
      if (line !== '') {
        readField(line);
        continue;
      }
      if (data.length > 0 || event !== 'message') frames.push({ id, event, data: data.join('\n') });
      event = 'message';
      data = [];
    }
    if (rest.length > LINE_MAX) throw new Error('A line of the live stream is too long.');
    return frames;
  };
}
