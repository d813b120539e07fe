export { RequestDialog } from './lazy-dialog';
export { RequestList } from './request-list';
export { RequestTable } from './request-table';
export { useRequestList, type Row } from './use-request-list';
