import type { SignatureVerifier } from './verifier'

/**
 * Signatures of Bitcoin addresses, in base64.
 *
 * 1. BIP-322, simple and full, with or without the prefix that names the form: P2WPKH, P2SH-P2WPKH, P2TR by key path, P2WSH with several keys, and P2PKH (full alone). Scripts of
 *    other kinds are not good, since nothing here could run them; neither are proofs of funds, which no chain is asked about.
 * 2. BIP-137 (`Bitcoin Signed Message`), which P2PKH and older wallets use: 65 bytes. A header of P2PKH is taken for both kinds of P2WPKH too, as wallets from before BIP-137 write it.
 * 3. The address must be of the network that the message names. On a network that is none of Bitcoin's nothing is good: its rules are not guessed at.
 */
export function bip122Verifier(): SignatureVerifier {
  return {
    namespace: 'bip122',
    async verify({ message, signature, address, chainId }) {
      if (!chainId.startsWith('bip122:') || address.length > longestAddress || signature.length > longestSignature)
        return false
      // bitcoinjs-lib takes long to load, which is not for the start of a server.
      const { isSignedBy } = await import('./bip122/signature')
      return isSignedBy({ message, signature, address, reference: chainId.slice('bip122:'.length) })
    },
  }
}

const longestAddress = 90
/** A witness of fifteen keys takes a quarter. */
const longestSignature = 16_384
