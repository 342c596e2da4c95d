export { describeApproval } from './describe'
