import type { CaipNetworkId, Namespace } from '../types'

export type SignatureToVerify = {
  readonly message: string
  /** Hexadecimal on EVM, base58 on Solana, base64 on Bitcoin. */
  readonly signature: string
  readonly address: string
  readonly chainId: CaipNetworkId
}

/** False: no chain may be asked. */
export type MayAsk = () => Promise<boolean>

/** One per namespace. */
export type SignatureVerifier = {
  readonly namespace: Namespace
  /**
   * False if it is not this account's signature of this message, or if `mayAsk` returns false.
   *
   * @param mayAsk await it before asking a chain: it limits requests, and marks signatures that may become invalid
   * @throws {UnverifiableError}
   */
  verify(question: SignatureToVerify, mayAsk?: MayAsk): Promise<boolean>
}

/** A retry may succeed. */
export class UnverifiableError extends Error {
  override readonly name = 'UnverifiableError'
}
