export { createFrameReader, LINE_MAX, type Frame } from './frames';
export { backOff, listen } from './listen';
export { messageOf } from './share';
export { useLive } from './use-live';
