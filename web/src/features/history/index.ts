export { TimeTravel } from './time-travel';
export { diffOf, type Against, type DiffLine } from './moments';
