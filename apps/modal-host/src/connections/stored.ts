import { Account, CaipNetworkId, ConnectorType, limits, type Namespace, readStored } from '@postern/protocol'
import * as z from 'zod/mini'
import type { HostStorage } from '../services/storage'

/** A session to be found again after a reload (spec §3). Holds no secret: a wallet still decides whether it is granted. */
export const StoredSession = z.strictObject({
  stableId: z.string().check(z.minLength(1), z.maxLength(256)),
  name: z.string().check(z.maxLength(256)),
  type: ConnectorType,
  /** Of the wallet itself, or of the directory; see `createSessionStore`. */
  imageUrl: z.optional(z.string().check(z.maxLength(65_536))),
  accounts: z.array(Account).check(z.minLength(1), z.maxLength(256)),
  networkId: CaipNetworkId,
})
export type StoredSession = z.infer<typeof StoredSession>

/** Recent wallet of spec §3: enough to find its row again. */
export const StoredRecent = z.strictObject({
  id: z.string().check(z.minLength(1), z.maxLength(256)),
  rdns: z.optional(z.string().check(z.maxLength(256))),
  name: z.string().check(z.maxLength(256)),
})
export type StoredRecent = z.infer<typeof StoredRecent>

/** The link that took the visitor to a wallet on the same device, and the session that came of it. Checked before it is opened. */
export const StoredWalletLink = z.strictObject({
  stableId: z.string().check(z.minLength(1), z.maxLength(256)),
  href: z.string().check(z.maxLength(2048)),
})
export type StoredWalletLink = z.infer<typeof StoredWalletLink>

export type SessionStore = {
  session(namespace: Namespace): StoredSession | null
  /** Says whether that changed anything. */
  keepSession(namespace: Namespace, session: StoredSession | null): boolean
  recent(): readonly StoredRecent[]
  /** Puts a wallet first; two are kept (spec §9). */
  addRecent(wallet: StoredRecent): void
  walletLink(): StoredWalletLink | null
  keepWalletLink(link: StoredWalletLink): void
  activeNetwork(): CaipNetworkId | null
  keepActiveNetwork(id: CaipNetworkId): void
  /** As the embedded wallet wrote it down, whose code is not here yet. */
  isWalletKept(): boolean
}

/**
 * Typed values over the storage ladder. What does not parse counts as absent: it may be of another version, or tampered with. A picture that is
 * neither `data:` nor of `ownOrigin` is left out, so that what a page keeps cannot become a request.
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
    isWalletKept: () => read('walletKept', z.boolean()) ?? false,
  }
}
