/** The parts in use of bcoin 1.0.2, which has no types. Source: https://github.com/bcoin-org/bcoin/tree/v1.0.2/lib */
declare module 'blgr' {
  export default class Logger {
    constructor(level: 'none' | 'error')
  }
}
declare module 'bcoin/lib/blockchain/chain.js' {
  import type Logger from 'blgr'
  export type ChainEntry = { readonly height: number; readonly prevBlock: string }
  export type ChainBlock = { readonly txs: readonly unknown[]; toRaw(): Uint8Array }
  export default class Chain {
    constructor(options: { network: 'regtest'; memory: true; logger: Logger })
    readonly height: number
    readonly tip: ChainEntry
    open(): Promise<void>
    close(): Promise<void>
    add(block: ChainBlock): Promise<ChainEntry | null>
    getAncestor(entry: ChainEntry, height: number): Promise<ChainEntry | null>
    on(event: 'connect' | 'disconnect', listener: (entry: ChainEntry, block: ChainBlock) => Promise<void>): void
  }
}
declare module 'bcoin/lib/mempool/mempool.js' {
  import type Chain from 'bcoin/lib/blockchain/chain.js'
  import type { ChainEntry } from 'bcoin/lib/blockchain/chain.js'
  import type TX from 'bcoin/lib/primitives/tx.js'
  import type Logger from 'blgr'
  export type MempoolEntry = { readonly tx: TX }
  export default class Mempool {
    constructor(options: { network: 'regtest'; memory: true; logger: Logger; chain: Chain })
    open(): Promise<void>
    close(): Promise<void>
    /** The hash of the block that it builds on. */
    tip: string
    /** Resolves with the missing inputs; rejects with a VerifyError. */
    addTX(transaction: TX): Promise<readonly string[] | null>
    removeOrphan(hash: string): boolean
    /** `hash` in byte order. */
    getEntry(hash: string): MempoolEntry | null
    /** With what spends it. */
    evictEntry(entry: MempoolEntry): void
    verifyInputs(transaction: TX, view: unknown, flags: number): Promise<void>
    _addBlock(entry: ChainEntry, transactions: readonly unknown[]): Promise<void>
    on(event: 'tx', listener: (transaction: TX) => void): void
    on(event: 'remove entry', listener: (entry: MempoolEntry) => void): void
  }
}
declare module 'bcoin/lib/mining/miner.js' {
  import type Chain from 'bcoin/lib/blockchain/chain.js'
  import type { ChainBlock, ChainEntry } from 'bcoin/lib/blockchain/chain.js'
  import type Mempool from 'bcoin/lib/mempool/mempool.js'
  import type Address from 'bcoin/lib/primitives/address.js'
  import type Logger from 'blgr'
  export default class Miner {
    /** Without a mempool, its blocks are empty. */
    constructor(options: {
      network: 'regtest'
      memory: true
      logger: Logger
      chain: Chain
      mempool?: Mempool
      preverify?: boolean
    })
    open(): Promise<void>
    close(): Promise<void>
    mineBlock(tip: ChainEntry, address: Address): Promise<ChainBlock>
  }
}
declare module 'bcoin/lib/primitives/address.js' {
  interface Address {
    readonly version: number
  }
  const Address: { fromProgram(version: number, hash: Uint8Array): Address }
  export default Address
}
declare module 'bcoin/lib/primitives/tx.js' {
  export default class TX {
    static fromRaw(raw: Uint8Array): TX
    /** In display order. */
    txid(): string
    /** In byte order. */
    hash(encoding: 'hex'): string
    toRaw(): Uint8Array
  }
}
declare module 'bcoin/lib/script/script.js' {
  const Script: { readonly flags: { readonly VERIFY_DISCOURAGE_UPGRADABLE_WITNESS_PROGRAM: number } }
  export default Script
}
