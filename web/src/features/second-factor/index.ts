export { SecondFactor } from './second-factor';
