export { bip122Verifier } from './bip122'
export { type Eip155VerifierOptions, eip155Verifier } from './eip155'
export { solanaVerifier } from './solana'
export { type SignatureToVerify, type SignatureVerifier, UnverifiableError } from './verifier'
