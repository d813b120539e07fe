export { TimeTravel } from './time-travel';
export type { Against } from './moments';
