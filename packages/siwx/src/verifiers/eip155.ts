import { type SignatureToVerify, type SignatureVerifier, UnverifiableError } from './verifier'

export type Eip155VerifierOptions = {
  /** Undefined: contracts cannot sign in on this chain. */
  readonly rpcUrl?: ((chainId: SignatureToVerify['chainId']) => string | undefined) | undefined
  readonly fetch?: typeof fetch | undefined
}

/**
 * Verifies signatures of EVM accounts.
 *
 * 1. Of a key: EIP-191, without a chain; 65 bytes, or 64 (EIP-2098). Only the lower s is accepted (EIP-2): anyone could
 *    derive the other.
 * 2. Of a contract: EIP-1271, and EIP-6492 until deployed. The message's chain is asked each time.
 * 3. A deployed account is asked in its current state. EIP-6492 would also ask it after the signature's call, which may
 *    be any call, such as a purchase of the account.
 * 4. If the call reverts, or needs more gas, the signature is rejected. If the node fails: {@link UnverifiableError},
 *    without the node's URL, which may include a key.
 *
 * @example
 * const rpcUrls: Record<string, string> = { 'eip155:1': 'https://ethereum-rpc.publicnode.com' }
 * eip155Verifier({ rpcUrl: (chainId) => rpcUrls[chainId] })
 */
export function eip155Verifier({ rpcUrl, fetch: ask }: Eip155VerifierOptions = {}): SignatureVerifier {
  return {
    namespace: 'eip155',
    async verify({ message, signature, address, chainId }, mayAsk) {
      if (!isEip155(chainId) || !isAddress(address) || !isSignature(signature)) return false
      // viem is too slow to load at a server's start.
      const { codeSizeQuestion, contractQuestion, keyOf, unwrapped } = await import('./eip155/signature')
      const key = await keyOf({ message, signature })
      if (key?.address === address.toLowerCase()) return key.isCanonical
      const inner = unwrapped(signature)
      const url = rpcUrl?.(chainId)
      if (inner === null || url === undefined || (mayAsk !== undefined && !(await mayAsk()))) return false
      const { runCreationCode: createsAndReturns } = await import('./eip155/node')
      const returned = (code: Hex) => createsAndReturns({ url, code, fetch: ask })
      const isDeployed = inner !== signature && !/^0x0+$/.test(await returned(codeSizeQuestion(address)))
      const answer = await returned(contractQuestion({ message, signature: isDeployed ? inner : signature, address }))
      if (answer === 'reverted' || /^0x0+$/.test(answer)) return false
      if (/^0x0*1$/.test(answer)) return true
      throw new UnverifiableError(`The node of ${chainId} sent an unexpected response.`)
    },
  }
}

type Hex = `0x${string}`

const isEip155 = (chainId: string) => /^eip155:(?:0|[1-9][0-9]{0,15})$/.test(chainId)
/** `ecrecover` gives the zero address for every invalid signature. */
const isAddress = (text: string): text is Hex => /^0x(?!0{40}$)[0-9a-fA-F]{40}$/.test(text)
/** Fits creation code of 48 KiB (EIP-3860). */
const isSignature = (text: string): text is Hex => text.length <= 2 * 40_960 && /^0x(?:[0-9a-fA-F]{2})+$/.test(text)
