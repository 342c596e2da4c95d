import type { CaipNetworkId, Namespace } from '../types'

export type SignatureToVerify = {
  /** The exact text. */
  readonly message: string
  /** In the namespace's format: hexadecimal on EVM, base58 on Solana, base64 on Bitcoin. */
  readonly signature: string
  readonly address: string
  readonly chainId: CaipNetworkId
}

/** If false, no chain is asked. Its error is passed on. */
export type MayAsk = () => Promise<boolean>

/** One per namespace; a server may bring its own. */
export type SignatureVerifier = {
  readonly namespace: Namespace
  /**
   * False if it is not this account's signature of this message, or if `mayAsk` returns false.
   *
   * @param mayAsk await it before asking a chain: servers limit requests by it, and learn whose signatures may become
   * invalid
   * @throws {UnverifiableError} if it could not be verified.
   */
  verify(question: SignatureToVerify, mayAsk?: MayAsk): Promise<boolean>
}

/** Retrying later may help. */
export class UnverifiableError extends Error {
  override readonly name = 'UnverifiableError'
}
