/** For servers that render pages. */
export { cookieOf, type InitialState, initialStateFrom } from './initial-state'
