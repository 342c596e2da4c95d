/** For servers that render pages. */
export { type InitialState, initialStateFrom } from './initial-state'
