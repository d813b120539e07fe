export { backOff, FRAME_MAX, listen } from './listen';
export { messageOf } from './share';
export { useLive } from './use-live';
