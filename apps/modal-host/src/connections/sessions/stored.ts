import { readStored } from '@postern/base/read-stored'
import { Account, CaipNetworkId, ConnectorType, limits, type Namespace } from '@postern/protocol'
import * as z from 'zod/mini'
import type { HostStorage } from '../../services/storage'

/** Not a secret: the wallet still decides (spec §3). */
export const StoredSession = z.strictObject({
  stableId: z.string().check(z.minLength(1), z.maxLength(256)),
  name: z.string().check(z.maxLength(256)),
  type: ConnectorType,
  /** See `createSessionStore`. */
  imageUrl: z.optional(z.string().check(z.maxLength(65_536))),
  accounts: z.array(Account).check(z.minLength(1), z.maxLength(256)),
  networkId: CaipNetworkId,
  /** The account that the user put first, over the wallet's own first account. */
  chosen: z.optional(z.strictObject({ address: z.string(), over: z.string() })),
})
export type StoredSession = z.infer<typeof StoredSession>

/** Enough to find the row again (spec §3). */
export const StoredRecent = z.strictObject({
  id: z.string().check(z.minLength(1), z.maxLength(256)),
  rdns: z.optional(z.string().check(z.maxLength(256))),
  name: z.string().check(z.maxLength(256)),
})
export type StoredRecent = z.infer<typeof StoredRecent>

/** Checked before it is opened again. */
export const StoredWalletLink = z.strictObject({
  stableId: z.string().check(z.minLength(1), z.maxLength(256)),
  href: z.string().check(z.maxLength(2048)),
})
export type StoredWalletLink = z.infer<typeof StoredWalletLink>

export type SessionStore = {
  session(namespace: Namespace): StoredSession | null
  keepSession(namespace: Namespace, session: StoredSession | null): boolean
  recent(): readonly StoredRecent[]
  addRecent(wallet: StoredRecent): void
  walletLink(): StoredWalletLink | null
  keepWalletLink(link: StoredWalletLink): void
  activeNetwork(): CaipNetworkId | null
  keepActiveNetwork(id: CaipNetworkId): void
  /** Readable before the embedded wallet's code loads. */
  isWalletInWindow(): boolean
}

/**
 * Malformed values count as absent. Images other than `data:` or from `ownOrigin` are dropped: the page must not cause
 * requests.
 */
export function createSessionStore(storage: HostStorage, ownOrigin: string): SessionStore {
  const read = <T>(name: string, schema: z.ZodMiniType<T>): T | null => readStored(schema, storage.get(name))

  const isOwnImage = (url: string) => url.startsWith('data:image/') || url.startsWith(`${ownOrigin}/`)
  const recent = () => read('recent', z.array(StoredRecent)) ?? []
  return {
    session(namespace) {
      const session = read(`session.${namespace}`, StoredSession)
      if (session?.imageUrl === undefined || isOwnImage(session.imageUrl)) return session
      const { imageUrl: _imageUrl, ...rest } = session
      return rest
    },
    keepSession(namespace, session) {
      const name = `session.${namespace}`
      const text = session && JSON.stringify(session)
      if (storage.get(name) === text) return false
      storage.set(name, text)
      return true
    },
    recent,
    addRecent(wallet) {
      const others = recent().filter(({ id }) => id !== wallet.id)
      storage.set('recent', JSON.stringify([wallet, ...others].slice(0, limits.recentWallets)))
    },
    walletLink: () => read('walletLink', StoredWalletLink),
    keepWalletLink: (link) => storage.set('walletLink', JSON.stringify(link)),
    activeNetwork: () => read('activeNetwork', CaipNetworkId),
    keepActiveNetwork(id) {
      const text = JSON.stringify(id)
      if (storage.get('activeNetwork') !== text) storage.set('activeNetwork', text)
    },
    isWalletInWindow: () => read('walletKept', z.boolean()) ?? false,
  }
}
