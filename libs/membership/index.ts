export { memberLimits, type Joined, type Member, type Membership, type Reads } from './port.js';
