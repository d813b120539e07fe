import type { Ways } from '../../features/audit';
import { streamAt, travelOf } from '../paths';

/** Where an event leads besides what it was caused by. */
export const ways: Ways = { streamOf: streamAt, travelOf };
