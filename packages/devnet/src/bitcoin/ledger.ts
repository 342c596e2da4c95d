/** The ledger is in memory. */
import type { Block, Transaction } from 'bitcoinjs-lib'

export type Output = { readonly script: Uint8Array; readonly value: bigint }

/** `block` is null while in the mempool. */
export type KnownTransaction = {
  readonly id: string
  readonly transaction: Transaction
  /** In input order; null for a coinbase. */
  readonly spends: readonly (Output | null)[]
  readonly block: KnownBlock | null
}

export type KnownBlock = {
  readonly id: string
  readonly height: number
  readonly block: Block
  readonly transactionIds: readonly string[]
}

export type Ledger = {
  /** Called when a transaction enters the mempool. */
  add(transaction: Transaction): void
  /** Called when a transaction leaves the mempool; one in a block stays. */
  drop(id: string): void
  confirm(block: Block, height: number): void
  /** A reorganisation undid the block: its transactions return to the mempool, its coinbase is gone. */
  disconnect(block: Block): void
  transaction(id: string): KnownTransaction | undefined
  /** `txid:vout`. */
  output(outpoint: string): Output | undefined
  spender(outpoint: string): { readonly id: string; readonly input: number } | undefined
  /** Oldest first. */
  transactionsOf(script: Uint8Array): readonly KnownTransaction[]
  mempool(): readonly KnownTransaction[]
  block(id: string): KnownBlock | undefined
  blockAt(height: number): KnownBlock | undefined
  tip(): KnownBlock | undefined
}

export const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
/** Hashes are displayed in reverse byte order. */
const shown = (hash: Uint8Array) => hex(Uint8Array.from(hash).reverse())

export const outpointOf = (hash: Uint8Array, index: number) => `${shown(hash)}:${index}`

export function createLedger(): Ledger {
  const transactions = new Map<string, KnownTransaction>()
  const waiting = new Set<string>()
  const spenders = new Map<string, { id: string; input: number }>()
  const byScript = new Map<string, Set<string>>()
  const byId = new Map<string, KnownBlock>()
  const blocks: KnownBlock[] = []

  const output = (outpoint: string): Output | undefined => {
    const [id = '', index = ''] = outpoint.split(':')
    return transactions.get(id)?.transaction.outs[Number(index)]
  }

  function remember(transaction: Transaction, block: KnownBlock | null) {
    const id = transaction.getId()
    const known = transactions.get(id)
    const spends =
      known?.spends ??
      transaction.ins.map(({ hash, index }) =>
        transaction.isCoinbase() ? null : (output(outpointOf(hash, index)) ?? null),
      )
    transactions.set(id, { id, transaction, spends, block })
    if (known !== undefined) return
    if (!transaction.isCoinbase())
      for (const [input, { hash, index }] of transaction.ins.entries())
        spenders.set(outpointOf(hash, index), { id, input })
    for (const touched of [...spends, ...transaction.outs]) if (touched !== null) scriptIds(touched.script).add(id)
  }

  function scriptIds(script: Uint8Array): Set<string> {
    const key = hex(script)
    const ids = byScript.get(key) ?? new Set()
    byScript.set(key, ids)
    return ids
  }

  function drop(id: string) {
    const known = transactions.get(id)
    if (known === undefined || known.block !== null) return
    transactions.delete(id)
    waiting.delete(id)
    for (const { hash, index } of known.transaction.ins) spenders.delete(outpointOf(hash, index))
    for (const touched of [...known.spends, ...known.transaction.outs])
      if (touched !== null) scriptIds(touched.script).delete(id)
  }

  return {
    add(transaction) {
      remember(transaction, null)
      waiting.add(transaction.getId())
    },
    drop,
    confirm(block, height) {
      const contents = block.transactions ?? []
      const known = { id: block.getId(), height, block, transactionIds: contents.map((each) => each.getId()) }
      blocks[height] = known
      byId.set(known.id, known)
      for (const transaction of contents) {
        waiting.delete(transaction.getId())
        remember(transaction, known)
      }
    },
    disconnect(block) {
      const known = byId.get(block.getId())
      if (known === undefined) return
      byId.delete(known.id)
      if (blocks[known.height] === known) blocks.length = known.height
      for (const transaction of known.block.transactions ?? []) {
        remember(transaction, null)
        if (transaction.isCoinbase()) drop(transaction.getId())
        else waiting.add(transaction.getId())
      }
    },
    transaction: (id) => transactions.get(id),
    output,
    spender: (outpoint) => spenders.get(outpoint),
    transactionsOf: (script) => {
      const ids = byScript.get(hex(script)) ?? []
      return [...ids].flatMap((id) => transactions.get(id) ?? [])
    },
    mempool: () => [...waiting].flatMap((id) => transactions.get(id) ?? []),
    block: (id) => byId.get(id),
    blockAt: (height) => blocks[height],
    tip: () => blocks.at(-1),
  }
}
