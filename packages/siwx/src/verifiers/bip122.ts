import type { SignatureVerifier } from './verifier'

/**
 * Verifies signatures of Bitcoin addresses, in base64.
 *
 * 1. BIP-322, simple and full, with or without the format prefix: P2WPKH, P2SH-P2WPKH, P2TR by key path, P2WSH
 *    multisig, and P2PKH (full only). Other scripts are rejected, because nothing here runs them. So are proofs of
 *    funds, because no chain is asked.
 * 2. BIP-137 (`Bitcoin Signed Message`), for P2PKH and older wallets: 65 bytes. A P2PKH header is also accepted for
 *    both kinds of P2WPKH, as wallets before BIP-137 write it.
 * 3. The address must belong to the message's network. Signatures on unknown networks are rejected.
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
/** A fifteen-key multisig takes a quarter. */
const maxSignatureLength = 16_384
