import { hex } from '../hex'
import { createNonce } from '../nonce'
import { countNo, mayAskAgain, memoryNonceTries, type NonceTries } from './nonce-tries'

/** Node's types have no global `CryptoKey`. */
type HmacKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

/** {@link createNonces}, or a server's own. */
export type Nonces = {
  create(): Promise<string>
  /** A store without `has` checks only the length. */
  check(nonce: string): Promise<boolean>
  use(nonce: string): Promise<boolean>
  /** Counts a request; false after too many. */
  mayQueryChain(nonce: string): Promise<boolean>
  countRejection(nonce: string): Promise<void>
}

/** Used nonces, shared by processes. In SQL: primary key and `insert … on conflict do nothing`. */
export type SpentNonces = {
  /** True if new. @param expiresAt epoch ms; the nonce may be dropped afterwards */
  spend(nonce: string, expiresAt: number): Promise<boolean>
}

export type NonceStore = {
  add(nonce: string, expiresAt: number): Promise<void>
  /** Removes the nonce. True for one caller only, if unexpired. */
  take(nonce: string): Promise<boolean>
  /**
   * Whether it is stored. Without `has`, invented nonces cause chain requests, which only rate limits in front of the
   * handler bound.
   */
  has?(nonce: string): Promise<boolean>
}

type Common = {
  /** In ms. Default: ten minutes. */
  readonly lifetime?: number | undefined
  /** Epoch ms. */
  readonly now?: (() => number) | undefined
  /** Counts chain requests. Default: in memory. */
  readonly tries?: NonceTries | undefined
}

export type NoncesOptions = Common &
  (
    | {
        /**
         * 32 bytes or more (text as UTF-8). Default: random, for one process.
         * Processes that share it must share `spent`: otherwise each accepts a nonce once, and an intercepted sign-in
         * can be replayed.
         */
        readonly secret?: string | Uint8Array<ArrayBuffer> | undefined
        /** Default: in memory. */
        readonly spent?: SpentNonces | undefined
        readonly store?: undefined
      }
    | { readonly store: NonceStore; readonly secret?: undefined; readonly spent?: undefined }
  )

const tenMinutes = 600_000
/** In characters. */
const maxNonceLength = 128

/**
 * Issues nonces and accepts each once.
 * By default a nonce is a signed time: nothing is stored until a sign-in succeeds, so a flood fills nothing.
 * Chain requests are limited per nonce; keys need none. So with an intercepted nonce, an attacker can at most make the
 * user of a contract account sign again.
 */
export function createNonces(options: NoncesOptions = {}): Nonces {
  const { lifetime = tenMinutes, now = Date.now, store } = options
  const tries = options.tries ?? memoryNonceTries({ now })
  if (store === undefined) return signedNonces({ ...options, lifetime, now, tries })
  const check = async (nonce: string) => nonce.length <= maxNonceLength && ((await store.has?.(nonce)) ?? true)
  return {
    async create() {
      const nonce = createNonce()
      await store.add(nonce, now() + lifetime)
      return nonce
    },
    check,
    use: async (nonce) => nonce.length <= maxNonceLength && store.take(nonce),
    mayQueryChain: async (nonce) => (await check(nonce)) && mayAskAgain(tries, nonce, now() + lifetime),
    async countRejection(nonce) {
      if (await check(nonce)) await countNo(tries, nonce, now() + lifetime)
    },
  }
}

/** Epoch seconds, random, HMAC-SHA-256 of both cut to 128 bits. EIP-4361 allows only letters and digits. */
const shape = /^([0-9a-f]{8})([0-9a-f]{24})([0-9a-f]{32})$/

function signedNonces({
  secret,
  spent,
  lifetime,
  now,
  tries,
}: {
  readonly secret?: string | Uint8Array<ArrayBuffer> | undefined
  readonly spent?: SpentNonces | undefined
  readonly lifetime: number
  readonly now: () => number
  readonly tries: NonceTries
}): Nonces {
  const secretBytes = typeof secret === 'string' ? new TextEncoder().encode(secret) : secret
  if (secretBytes !== undefined && secretBytes.byteLength < 32)
    throw new TypeError('The secret for nonces needs at least 32 bytes')
  const used = spent ?? memorySpentNonces({ now })
  let imported: Promise<HmacKey> | undefined

  /** Lazy: workers forbid randomness at startup. */
  function key(): Promise<HmacKey> {
    imported ??= crypto.subtle.importKey(
      'raw',
      secretBytes ?? crypto.getRandomValues(new Uint8Array(32)),
      { name: 'HMAC', hash: 'SHA-256' },
      false,
      ['sign'],
    )
    return imported
  }

  async function sign(text: string): Promise<string> {
    const bytes = new TextEncoder().encode(`siwx nonce\n${text}`)
    return hex(new Uint8Array(await crypto.subtle.sign('HMAC', await key(), bytes)).subarray(0, 16))
  }

  /** Epoch ms; null if invalid. */
  async function endOf(nonce: string): Promise<number | null> {
    const [, time, random, signature] = shape.exec(nonce) ?? []
    if (time === undefined || random === undefined || signature === undefined) return null
    if (!isEqual(await sign(time + random), signature)) return null
    const end = Number.parseInt(time, 16) * 1000 + lifetime
    return now() < end ? end : null
  }

  return {
    async create() {
      const time = Math.floor(now() / 1000)
        .toString(16)
        .padStart(8, '0')
      const text = time + hex(crypto.getRandomValues(new Uint8Array(12)))
      return text + (await sign(text))
    },
    check: async (nonce) => (await endOf(nonce)) !== null,
    async use(nonce) {
      const end = await endOf(nonce)
      return end !== null && used.spend(nonce, end)
    },
    async mayQueryChain(nonce) {
      const end = await endOf(nonce)
      return end !== null && mayAskAgain(tries, nonce, end)
    },
    async countRejection(nonce) {
      const end = await endOf(nonce)
      if (end !== null) await countNo(tries, nonce, end)
    },
  }
}

/** When full, rejects new nonces rather than drop a live one. @param options.limit max nonces */
export function memorySpentNonces(
  options: { readonly limit?: number | undefined; readonly now?: (() => number) | undefined } = {},
): SpentNonces {
  const { limit = 100_000, now = Date.now } = options
  const ends = new Map<string, number>()
  return {
    async spend(nonce, expiresAt) {
      // Nearly in order of expiry.
      for (const [old, end] of ends) {
        if (end > now()) break
        ends.delete(old)
      }
      if (ends.has(nonce) || ends.size >= limit) return false
      ends.set(nonce, expiresAt)
      return true
    },
  }
}

/** Constant time. */
function isEqual(a: string, b: string): boolean {
  let difference = a.length ^ b.length
  for (let at = 0; at < b.length; at++) difference |= a.charCodeAt(at) ^ b.charCodeAt(at)
  return difference === 0
}
