export { createDecoder, type Decoder, type Decoding } from './process.js';
export { createTurns, imageLimits, type EncodeImage } from './turns.js';
export type { ToDecoder } from './decoder.js';
