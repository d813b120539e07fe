export { OpenRequests } from './open-requests';
export { fundRequests } from './fund-requests';
export { ReceivedTransfers } from './received-transfers';
export { RequestDialog } from './lazy-dialog';
export { RequestList } from './request-list';
export { RequestTable } from './request-table';
export { transfers } from './transfers';
export { useRequestList, type Row } from './use-request-list';
export { withdrawals } from './withdrawals';
