import { hex } from '../hex'

/** How often chains are asked about messages with one nonce. A bad signature uses no nonce up, and each of a contract account costs a call to a chain's node. */

/** Counts by the SHA-256 of a nonce, in hexadecimal: as long whoever thought of the nonce, and no sign-in to whoever reads it. A process that has no shared one counts for itself, which is enough of a brake. */
export type NonceTries = {
  /**
   * Adds to what was counted by a key, and gives the sum, also where many add at the same time.
   *
   * @param expiresAt epoch ms; it may be forgotten after that
   */
  add(key: string, count: number, expiresAt: number): Promise<number>
}

/** A question counts one, also where the chain does not answer; one that is answered with no counts five in all: three of those, or fifteen failures of a node. */
const most = 15
const aNo = 4

/** Whether a chain may be asked about a message with this nonce, which counts. */
export async function mayAskAgain(tries: NonceTries, nonce: string, expiresAt: number): Promise<boolean> {
  return (await tries.add(await keyOf(nonce), 1, expiresAt)) <= most
}

/** The chain said no to what it was asked. */
export async function countNo(tries: NonceTries, nonce: string, expiresAt: number): Promise<void> {
  await tries.add(await keyOf(nonce), aNo, expiresAt)
}

async function keyOf(nonce: string): Promise<string> {
  return hex(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(nonce))))
}

/**
 * In this process alone. When full it forgets the oldest, which then counts from nothing: it is a brake, and nobody's sign-in is refused because others fill it.
 *
 * @param options.limit nonces at a time
 */
export function memoryNonceTries(
  options: { readonly limit?: number | undefined; readonly now?: (() => number) | undefined } = {},
): NonceTries {
  const { limit = 100_000, now = Date.now } = options
  const counts = new Map<string, { readonly count: number; readonly expiresAt: number }>()
  return {
    async add(key, count, expiresAt) {
      // Nearly in the order in which they end; what stands behind a live one goes within a lifetime.
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
