export { createNonce } from '../nonce'
export type { CaipNetworkId, SignInMessage } from '../types'
export { createSiwxHandler, type SiwxHandler, type SiwxHandlerOptions } from './handler'
export { type IdentifiedUser, type IdentityTokenOptions, verifyIdentityToken } from './identity-token'
export { generateSigningKey, keysFromJwks, type SigningKeys } from './keys'
export { memoryNonceTries, type NonceTries } from './nonce-tries'
export {
  createNonces,
  memorySpentNonces,
  type NonceStore,
  type Nonces,
  type NoncesOptions,
  type SpentNonces,
} from './nonces'
export type { AllowedOrigins } from './origins'
export { memoryProofs, type Proof, type ProofStore, type Recheck } from './proofs'
export { requireSession } from './require-session'
export {
  type CheckedToken,
  createSessions,
  memoryRevokedSessions,
  type RevokedSessions,
  type ServerSession,
  type Sessions,
  type SessionsOptions,
} from './sessions'
export type { CookieOptions } from './token'
export { type SignInOutcome, type SignInRefusal, type SignInRules, verifySignIn } from './verify-sign-in'
