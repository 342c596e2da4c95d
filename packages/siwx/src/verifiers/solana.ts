import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import type { SignatureVerifier } from './verifier'

/**
 * Verifies ed25519 over UTF-8; address and signature in base58.
 * Strict (RFC 8032): rejects scalars above the group order, non-canonical points, and keys of small order, under which
 * every message verifies.
 */
export function solanaVerifier(): SignatureVerifier {
  return {
    namespace: 'solana',
    async verify({ message, signature, address, chainId }) {
      const key = chainId.startsWith('solana:') ? bytesOf(address, 32) : undefined
      const signed = bytesOf(signature, 64)
      if (key === undefined || signed === undefined) return false
      return ed25519.verify(signed, new TextEncoder().encode(message), key, { zip215: false })
    },
  }
}

function bytesOf(text: string, length: number): Uint8Array | undefined {
  // Decoding longer text is slow.
  if (text.length > Math.ceil(length * 1.4)) return undefined
  try {
    const bytes = base58.decode(text)
    return bytes.length === length ? bytes : undefined
  } catch {
    return undefined
  }
}
