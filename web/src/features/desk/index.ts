export { useAllRequestsQuery } from './api';
export { everyDesk, fundDesk, kindWords, transferDesk, withdrawalDesk } from './kinds';
export { NamedRequest } from './lazy-dialogs';
export { RequestDesk } from './request-desk';
