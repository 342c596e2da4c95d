import type { SignatureVerifier } from './verifier'

/**
 * Verifies signatures of Bitcoin addresses, in base64.
 *
 * 1. BIP-322, simple and full: P2WPKH, P2SH-P2WPKH, P2TR by key path, P2WSH multisig, and P2PKH (full only). Other
 *    scripts and proofs of funds are rejected.
 * 2. BIP-137, for P2PKH and older wallets: 65 bytes. A P2PKH header is also accepted for both kinds of P2WPKH.
 * 3. The address must belong to the message's network.
 */
export function bip122Verifier(): SignatureVerifier {
  return {
    namespace: 'bip122',
    async verify({ message, signature, address, chainId }) {
      if (!chainId.startsWith('bip122:') || address.length > maxAddressLength || signature.length > maxSignatureLength)
        return false
      // bitcoinjs-lib is too slow to load at a server's start.
      const { isSignedBy } = await import('./bip122/signature')
      return isSignedBy({ message, signature, address, reference: chainId.slice('bip122:'.length) })
    },
  }
}

const maxAddressLength = 90
/** Four times a fifteen-key multisig. */
const maxSignatureLength = 16_384
