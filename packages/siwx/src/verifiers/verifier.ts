import type { CaipNetworkId } from '../types'

/** Who is said to have signed what. */
export type SignatureToVerify = {
  /** The very text that was signed. */
  readonly message: string
  /** As wallets of the namespace give it: hexadecimal on EVM, base58 on Solana, base64 on Bitcoin. */
  readonly signature: string
  readonly address: string
  readonly chainId: CaipNetworkId
}

/** Asked before a chain is. Where it says no, no chain is asked; what it throws is thrown. */
export type MayAsk = () => Promise<boolean>

/** Says whether an account signed a message. One for each namespace; a server may bring its own. */
export type SignatureVerifier = {
  readonly namespace: 'eip155' | 'solana' | 'bip122'
  /**
   * False for everything that is not this account's signature of this message, however it is malformed, and where `mayAsk` says no.
   *
   * @param mayAsk to be awaited before a chain is asked: servers bound by it how often that is, and know by it whose signatures may turn invalid
   * @throws {UnverifiableError} where it could not be found out.
   */
  verify(question: SignatureToVerify, mayAsk?: MayAsk): Promise<boolean>
}

/** It could not be found out whether a signature is good. Trying again later may help. */
export class UnverifiableError extends Error {
  override readonly name = 'UnverifiableError'
}
