export { ownDuty } from './api';
export { DutyProvider, ForDuty, useDuty, useMay, useOwnDuty } from './duty';
export { DutyChoice } from './duty-choice';
export { dutyNames } from './words';
