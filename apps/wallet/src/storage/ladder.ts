import { type Clock, deadline } from '@postern/base/clock'
import type { WalletStorage } from '@postern/protocol'
import type { WalletRecord } from '../window-messages'
import { canKeep, indexedDbRows, isDenial, memoryRows } from './rows'
import { createWalletStore, type WalletStore } from './store'

export type ChosenStorage = { readonly storage: WalletStorage; readonly store: WalletStore }

export type Ladder = {
  current(): Promise<ChosenStorage>
  raiseToGranted(): Promise<WalletStorage>
  adoptWindowRecord(record: WalletRecord): Promise<void>
  keptByWindow(): Promise<void>
}

export type StorageAccess = {
  isGranted(): Promise<boolean>
  /** Null if the browser has no handle. @throws if refused */
  request(): Promise<IDBFactory | null>
}

export type LadderOptions = {
  readonly projectId: string
  /** Throws if the browser denies it. */
  readonly indexedDB: () => IDBFactory
  readonly storageAccess: StorageAccess
  readonly crypto: Pick<Crypto, 'subtle'>
  readonly clock: Clock
  readonly randomSecret: () => string
}

/** Per project: dapps that share storage share wallets only within a project. */
export function databaseName(projectId: string): string {
  return `postern-wallet/${projectId}`
}

/** In ms, after a failure that is no denial. */
export const storageRetryDelaysMs = [200, 400, 800] as const

export const grantedProofTimeMs = 3_000

/**
 * Chooses where the device share is stored.
 *
 * 1. The frame's own storage if it works, otherwise storage granted before, otherwise memory. Nothing throws.
 * 2. The user can upgrade to granted storage or the wallet window's. There is no downgrade.
 * 3. A signed-in user stays signed in: the data in memory replaces the stored session. While signed out, the stored
 *    data wins.
 * 4. Storage that fails without being denied is tried again, or the user would seem never to have signed in.
 * 5. Granted storage that never responds is not used: Chromium may return a handle while it still denies access.
 */
export function createLadder(options: LadderOptions): Ladder {
  const { indexedDB, storageAccess, clock, randomSecret } = options
  let rung: Promise<ChosenStorage> | null = null
  const current = () => {
    rung ??= find()
    return rung
  }

  async function find(): Promise<ChosenStorage> {
    const own = await durable(indexedDB)
    if (own !== null) return { storage: 'frame', store: own }
    const granted = (await storageAccess.isGranted().catch(() => false)) ? await granting() : null
    if (granted !== null) return { storage: 'granted', store: granted }
    return { storage: 'memory', store: createWalletStore(memoryRows(), randomSecret) }
  }

  async function granting(): Promise<WalletStore | null> {
    const limit = deadline(clock, grantedProofTimeMs, undefined, () => new Error('no answer'))
    // Rule 5.
    const silent = new Promise<null>((resolve) => limit.signal.addEventListener('abort', () => resolve(null)))
    try {
      const factory = await storageAccess.request()
      return await Promise.race([durable(factory === null ? indexedDB : () => factory), silent])
    } catch {
      return null
    } finally {
      limit.release()
    }
  }

  const durable = (factory: () => IDBFactory) => openStore({ ...options, indexedDB: factory })

  return {
    current,
    async raiseToGranted() {
      const from = await current()
      if (from.storage === 'frame' || from.storage === 'granted') return from.storage
      const store = await granting()
      if (store === null) return from.storage
      const record = await from.store.readRecord()
      if (record !== null && record.session !== null) await store.writeRecord(record)
      rung = Promise.resolve({ storage: 'granted', store })
      return 'granted'
    },
    async adoptWindowRecord(record) {
      const { storage, store } = await current()
      if (storage !== 'memory' && storage !== 'window') return
      await store.writeRecord(record)
      rung = Promise.resolve({ storage: 'window', store })
    },
    async keptByWindow() {
      const { storage, store } = await current()
      if (storage === 'memory') rung = Promise.resolve({ storage: 'window', store })
    },
  }
}

/** Null if the browser denies it, or if it keeps failing. */
export async function openStore(
  options: Pick<LadderOptions, 'projectId' | 'indexedDB' | 'crypto' | 'clock' | 'randomSecret'>,
): Promise<WalletStore | null> {
  const { projectId, indexedDB, crypto, clock, randomSecret } = options
  // Rule 4.
  for (const delayMs of [...storageRetryDelaysMs, null]) {
    try {
      const rows = indexedDbRows(indexedDB(), databaseName(projectId))
      return (await canKeep(rows, crypto)) ? createWalletStore(rows, randomSecret) : null
    } catch (error) {
      if (isDenial(error) || delayMs === null) return null
      await new Promise<void>((resolve) => void clock.after(delayMs, resolve))
    }
  }
  return null
}
