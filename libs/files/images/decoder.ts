import { serializeError, type SerializedError } from '#kernel';
import type { MediaType } from '../media-type.js';
import type { FilePurpose } from '../purposes.js';
import { reencode } from './reencode.js';

/* The process in which images are decoded, one after the other: what a stranger's bytes do to a decoder, they do here. */

/** An image to be encoded anew. */
export type ToDecoder = {
  readonly image: Uint8Array;
  readonly type: MediaType;
  readonly purpose: FilePurpose;
};
/** The image, or what it is refused with. */
export type FromDecoder = { readonly encoded: Uint8Array } | { readonly refused: SerializedError };

async function answerTo({ image, type, purpose }: ToDecoder): Promise<FromDecoder> {
  try {
    return { encoded: await reencode(image, type, purpose) };
  } catch (error) {
    return { refused: serializeError(error) };
  }
}

process.on('message', (asked: ToDecoder) => {
  void answerTo(asked).then((answer) => process.send?.(answer));
});
// The program that started it has ended.
process.on('disconnect', () => process.exit());
