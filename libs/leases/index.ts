export { leaseLimits, type Lease, type Leases } from './port.js';
export { replaced } from './rules.js';
