import { hex } from '../hex'

/** A bad signature does not use up its nonce, and a contract's costs a call to a node. */

/** By SHA-256 of the nonce in hex. A counter per process is enough. */
export type NonceTries = {
  /** Returns the sum. Must be atomic. @param expiresAt epoch ms; the count may be dropped afterwards */
  add(key: string, count: number, expiresAt: number): Promise<number>
}

/** Three rejections or fifteen node failures. */
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

/** When full, the oldest count restarts, so that a flood blocks no sign-in. @param options.limit max nonces */
export function memoryNonceTries(
  options: { readonly limit?: number | undefined; readonly now?: (() => number) | undefined } = {},
): NonceTries {
  const { limit = 100_000, now = Date.now } = options
  const counts = new Map<string, { readonly count: number; readonly expiresAt: number }>()
  return {
    async add(key, count, expiresAt) {
      // Nearly in order of expiry.
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
