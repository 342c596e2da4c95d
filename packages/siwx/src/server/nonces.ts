import { hex } from '../hex'
import { createNonce } from '../nonce'
import { countNo, mayAskAgain, memoryNonceTries, type NonceTries } from './nonce-tries'

/** What gives out nonces and takes each back once: {@link createNonces}, or a server's own. */
export type Nonces = {
  /** A new nonce for one sign-in. */
  create(): Promise<string>
  /** Whether it was given out here and is not too old. Says nothing about whether it was used, where only the store knows; with a {@link NonceStore} without `has` only whether it could be one. */
  check(nonce: string): Promise<boolean>
  /** True once for each nonce that `create` gave, while it is not too old. */
  use(nonce: string): Promise<boolean>
  /** Whether a chain may be asked about a message with this nonce. Each time counts, and after three that were wrong it is no. */
  mayAsk(nonce: string): Promise<boolean>
  /** The chain that was asked said no. */
  wasWrong(nonce: string): Promise<void>
}

/**
 * Which signed nonces were used. Several processes share one: a table with the nonce as its primary key, `insert … on conflict do nothing`, and
 * whether a row was inserted.
 */
export type SpentNonces = {
  /** Notes it. False where it stood there already. @param expiresAt epoch ms; it may be forgotten after that */
  spend(nonce: string, expiresAt: number): Promise<boolean>
}

/** Keeps every nonce that is given out, for whoever wants them in a database or a cookie session instead of signing them. */
export type NonceStore = {
  /** @param expiresAt epoch ms */
  add(nonce: string, expiresAt: number): Promise<void>
  /** Removes it. True where it was there and its time had not passed, for one caller alone. */
  take(nonce: string): Promise<boolean>
  /**
   * Whether it is there and its time has not passed; it stays. Without it nobody knows of a nonce, before a good signature takes it, whether it was given out: then whoever makes up
   * nonces has chains asked about each, and only the rates in front of the handler bound that.
   */
  has?(nonce: string): Promise<boolean>
}

type Common = {
  /** How long a nonce is good, ms. Default ten minutes. */
  readonly lifetime?: number | undefined
  /** Epoch ms. */
  readonly now?: (() => number) | undefined
  /** How often chains were asked about messages with a nonce. Absent: counted in this process's memory. */
  readonly tries?: NonceTries | undefined
}

/** What {@link createNonces} takes: a secret to sign nonces with, or a store that keeps them. */
export type NoncesOptions = Common &
  (
    | {
        /**
         * 32 bytes or more (of a text, as UTF-8), the same for all processes. Absent: random, good for one process until it ends. In several processes it needs a shared
         * `spent`: without one each of them takes a nonce once, so that a sign-in which was overheard can be sent again to the others.
         */
        readonly secret?: string | Uint8Array<ArrayBuffer> | undefined
        /** Absent: this process's memory. */
        readonly spent?: SpentNonces | undefined
        readonly store?: undefined
      }
    | { readonly store: NonceStore; readonly secret?: undefined; readonly spent?: undefined }
  )

const tenMinutes = 600_000
/** Characters of a nonce. Longer ones were not given out here. */
const longestNonce = 128

/**
 * Gives out nonces and takes each back once. By itself nothing is stored until a sign-in succeeds: a nonce carries its time and this server's
 * signature, so that somebody who asks for a million of them fills nothing and drives out nobody's.
 *
 * About a message with one nonce chains are asked three times where the signature is wrong, and fifteen where no chain answers. Keys' signatures ask no
 * chain and are not counted: whoever sees a nonce on its way can at most make a contract account's visitor sign another message.
 */
export function createNonces(options: NoncesOptions = {}): Nonces {
  const { lifetime = tenMinutes, now = Date.now, store } = options
  const tries = options.tries ?? memoryNonceTries({ now })
  if (store === undefined) return signedNonces({ ...options, lifetime, now, tries })
  const check = async (nonce: string) => nonce.length <= longestNonce && ((await store.has?.(nonce)) ?? true)
  return {
    async create() {
      const nonce = createNonce()
      await store.add(nonce, now() + lifetime)
      return nonce
    },
    check,
    use: async (nonce) => nonce.length <= longestNonce && store.take(nonce),
    mayAsk: async (nonce) => (await check(nonce)) && mayAskAgain(tries, nonce, now() + lifetime),
    async wasWrong(nonce) {
      if (await check(nonce)) await countNo(tries, nonce, now() + lifetime)
    },
  }
}

/** Seconds since 1970 (8), random (24), HMAC-SHA-256 of both, cut to 128 bits (32): EIP-4361 wants letters and digits alone. */
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
  const given = typeof secret === 'string' ? new TextEncoder().encode(secret) : secret
  if (given !== undefined && given.byteLength < 32) throw new TypeError('The secret for nonces needs 32 bytes or more')
  const used = spent ?? memorySpentNonces({ now })
  let imported: Promise<CryptoKey> | undefined

  /** With the first nonce: workers allow nothing random while they start. */
  function key(): Promise<CryptoKey> {
    imported ??= crypto.subtle.importKey(
      'raw',
      given ?? crypto.getRandomValues(new Uint8Array(32)),
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

  /** When it ends, epoch ms; null where it is not good. */
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
    async mayAsk(nonce) {
      const end = await endOf(nonce)
      return end !== null && mayAskAgain(tries, nonce, end)
    },
    async wasWrong(nonce) {
      const end = await endOf(nonce)
      if (end !== null) await countNo(tries, nonce, end)
    },
  }
}

/** In this process alone. When full it refuses rather than forget one that is still good. @param options.limit nonces at a time */
export function memorySpentNonces(
  options: { readonly limit?: number | undefined; readonly now?: (() => number) | undefined } = {},
): SpentNonces {
  const { limit = 100_000, now = Date.now } = options
  const ends = new Map<string, number>()
  return {
    async spend(nonce, expiresAt) {
      // Nearly in the order in which they end; what stands behind a live one goes within a lifetime.
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

/** Takes as long wherever they differ. */
function isEqual(a: string, b: string): boolean {
  let difference = a.length ^ b.length
  for (let at = 0; at < b.length; at++) difference |= a.charCodeAt(at) ^ b.charCodeAt(at)
  return difference === 0
}
