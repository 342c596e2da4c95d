import { hex } from '../hex'

/** Limits tries per nonce: a bad signature does not use up its nonce, and a contract's costs a call to a node. */

/** Counts by SHA-256 of the nonce in hex: of fixed length, and reveals no nonce. A counter per process is enough. */
export type NonceTries = {
  /**
   * Returns the sum. Must be atomic.
   *
   * @param expiresAt epoch ms; the count may be dropped afterwards
   */
  add(key: string, count: number, expiresAt: number): Promise<number>
}

/** A request counts one, a rejection four more: three rejections or fifteen node failures. */
const maxTries = 15
const aNo = 4

export async function mayAskAgain(tries: NonceTries, nonce: string, expiresAt: number): Promise<boolean> {
  return (await tries.add(await keyOf(nonce), 1, expiresAt)) <= maxTries
}

export async function countNo(tries: NonceTries, nonce: string, expiresAt: number): Promise<void> {
  await tries.add(await keyOf(nonce), aNo, expiresAt)
}

async function keyOf(nonce: string): Promise<string> {
  return hex(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(nonce))))
}

/**
 * Counts in memory. When full, the oldest count restarts, so that a flood blocks no sign-in.
 *
 * @param options.limit max nonces
 */
export function memoryNonceTries(
  options: { readonly limit?: number | undefined; readonly now?: (() => number) | undefined } = {},
): NonceTries {
  const { limit = 100_000, now = Date.now } = options
  const counts = new Map<string, { readonly count: number; readonly expiresAt: number }>()
  return {
    async add(key, count, expiresAt) {
      // Insertion order is nearly the order of expiry.
      for (const [old, { expiresAt: end }] of counts) {
        if (end > now() && (counts.size < limit || counts.has(key))) break
        counts.delete(old)
      }
      const sum = (counts.get(key)?.count ?? 0) + count
      counts.set(key, { count: sum, expiresAt })
      return sum
    },
  }
}
