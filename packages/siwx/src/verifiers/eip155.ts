import { type SignatureToVerify, type SignatureVerifier, UnverifiableError } from './verifier'

export type Eip155VerifierOptions = {
  /** Where to ask a chain about accounts that are contracts; undefined for a chain whose contracts cannot sign in. */
  readonly rpcUrl?: ((chainId: SignatureToVerify['chainId']) => string | undefined) | undefined
  readonly fetch?: typeof fetch | undefined
}

/**
 * Signatures of EVM accounts.
 *
 * 1. Of a key: EIP-191, recovered here; no chain is asked. 65 bytes, or 64 by EIP-2098. Only the one with the lower s is good (EIP-2): whoever sees it could make the other one of it.
 * 2. Of a contract: EIP-1271, and EIP-6492 while it is not deployed, asked of the chain that the message names, each time: what the contract no longer takes is no longer good.
 * 3. An account that is deployed is asked as it is. EIP-6492 would also ask it after the call that comes with the signature, which may be any: whoever could buy the account would
 *    sign for it without paying.
 * 4. What the chain's node reverts on, or runs for too long with the gas that it is given, is not good. A node that is away, refuses or answers something else: {@link UnverifiableError}, which names no address of a node, since those
 *    hold keys.
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
      // viem takes long to load, which is not for the start of a server.
      const { codeSizeQuestion, contractQuestion, keyOf, unwrapped } = await import('./eip155/signature')
      const key = await keyOf({ message, signature })
      if (key?.address === address.toLowerCase()) return key.isCanonical
      const inner = unwrapped(signature)
      const url = rpcUrl?.(chainId)
      if (inner === null || url === undefined || (mayAsk !== undefined && !(await mayAsk()))) return false
      const { createsAndReturns } = await import('./eip155/node')
      const returned = (code: Hex) => createsAndReturns({ url, code, fetch: ask })
      const isDeployed = inner !== signature && !/^0x0+$/.test(await returned(codeSizeQuestion(address)))
      const answer = await returned(contractQuestion({ message, signature: isDeployed ? inner : signature, address }))
      if (answer === 'reverted' || /^0x0+$/.test(answer)) return false
      if (/^0x0*1$/.test(answer)) return true
      throw new UnverifiableError(`The node of ${chainId} did not answer what it was asked.`)
    },
  }
}

type Hex = `0x${string}`

const isEip155 = (chainId: string) => /^eip155:(?:0|[1-9][0-9]{0,15})$/.test(chainId)
/** Not the zero address: a chain recovers it from every signature that is none, so that anybody could sign for it. */
const isAddress = (text: string): text is Hex => /^0x(?!0{40}$)[0-9a-fA-F]{40}$/.test(text)
/** Whole bytes. As creation code they must fit into 48 KiB (EIP-3860). */
const isSignature = (text: string): text is Hex => text.length <= 2 * 40_960 && /^0x(?:[0-9a-fA-F]{2})+$/.test(text)
