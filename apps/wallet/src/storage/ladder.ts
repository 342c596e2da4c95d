import type { WalletStorage } from '@postern/protocol'
import { type Clock, deadline } from '@postern/protocol/clock'
import type { WalletRecord } from '../window-messages'
import { canKeep, indexedDbRows, memoryRows } from './rows'
import { createWalletStore, type WalletStore } from './store'

/** Where things are kept now. */
export type Rung = { readonly storage: WalletStorage; readonly store: WalletStore }

export type Ladder = {
  current(): Promise<Rung>
  /** Asks for storage that the visitor granted; answers with the rung reached, which is the old one where nothing was granted. */
  raiseToGranted(): Promise<WalletStorage>
  /** Goes on with what the wallet's own window had kept. */
  adoptWindowRecord(record: WalletRecord): Promise<void>
  /** The window has taken our record. */
  keptByWindow(): Promise<void>
}

/** The Storage Access API as far as it is used. */
export type StorageAccess = {
  /** Whether it was granted before, so that asking again needs no click. */
  isGranted(): Promise<boolean>
  /** @throws Where it is refused. Null where the browser grants it for what is there already, and has no handle. */
  request(): Promise<IDBFactory | null>
}

export type LadderOptions = {
  readonly projectId: string
  /** Reading the property throws where the browser denies it. */
  readonly indexedDB: () => IDBFactory
  readonly storageAccess: StorageAccess
  readonly crypto: Pick<Crypto, 'subtle'>
  readonly clock: Clock
  readonly randomSecret: () => string
}

/** Of one project: two dapps that share a storage because the visitor granted it do not share wallets unless they are one project's. */
export function databaseName(projectId: string): string {
  return `postern-wallet/${projectId}`
}

/** How long granted storage may take to prove itself, in ms. */
export const grantedProofTime = 3_000

/**
 * Where the device share is kept (DESIGN §3).
 *
 * 1. The frame's own storage, where it can be written and read; else storage that was granted before; else memory. None of it throws.
 * 2. The visitor can raise memory to granted storage, or to what the wallet's own window keeps. Nothing moves down.
 * 3. Whoever is signed in stays so: what was in memory moves along, and replaces what the new place remembered of the session. With nobody signed
 *    in, what the new place remembered counts.
 * 4. Granted storage that never answers is none: Chromium hands out a handle also where it goes on denying what the handle leads to.
 */
export function createLadder(options: LadderOptions): Ladder {
  const { projectId, indexedDB, storageAccess, crypto, clock, randomSecret } = options
  let rung: Promise<Rung> | null = null
  const current = () => {
    rung ??= find()
    return rung
  }

  async function find(): Promise<Rung> {
    const own = await durable(indexedDB)
    if (own !== null) return { storage: 'frame', store: own }
    const granted = (await storageAccess.isGranted().catch(() => false)) ? await granting() : null
    if (granted !== null) return { storage: 'granted', store: granted }
    return { storage: 'memory', store: createWalletStore(memoryRows(), randomSecret) }
  }

  async function granting(): Promise<WalletStore | null> {
    const limit = deadline(clock, grantedProofTime, undefined, () => new Error('no answer'))
    // 4.
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

  async function durable(factory: () => IDBFactory): Promise<WalletStore | null> {
    try {
      const rows = indexedDbRows(factory(), databaseName(projectId))
      return (await canKeep(rows, crypto)) ? createWalletStore(rows, randomSecret) : null
    } catch {
      return null
    }
  }

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

/** What the wallet's own window keeps in its first-party storage, or null where the browser denies even that. */
export async function openFirstPartyStore(
  options: Pick<LadderOptions, 'projectId' | 'indexedDB' | 'crypto' | 'randomSecret'>,
) {
  const { projectId, indexedDB, crypto, randomSecret } = options
  try {
    const rows = indexedDbRows(indexedDB(), databaseName(projectId))
    return (await canKeep(rows, crypto)) ? createWalletStore(rows, randomSecret) : null
  } catch {
    return null
  }
}
