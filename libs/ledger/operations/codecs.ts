import { eventCodecs, plainCodec, type EventCodecs } from '#kernel';
import type { OperationsEvent } from './events.js';

/** How the events are stored: just as they are. */
export const operationsCodecs: EventCodecs<OperationsEvent> = eventCodecs<OperationsEvent>({
  OperationOrdered: plainCodec(),
});
