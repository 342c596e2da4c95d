/** In memory: bcoin's chain, mempool and miner, without network, HTTP and wallet. */
import type Chain from 'bcoin/lib/blockchain/chain.js'
import { Block, Transaction } from 'bitcoinjs-lib'
import { type Ledger, outpointOf } from './ledger'
import { replacedBy, replacementFault } from './replacement'
import { checkTaproot } from './taproot'

/** The message is Bitcoin Core's, if it has one. */
export class RefusedTransaction extends Error {
  override readonly name = 'RefusedTransaction'
}

export type BitcoinNode = {
  height(): number
  /** Returns the id. Rejects with {@link RefusedTransaction}. */
  add(rawTransaction: Uint8Array): Promise<string>
  /** `payTo`: program of a P2WPKH output. */
  mine(blocks: number, payTo: Uint8Array): Promise<void>
  /**
   * Replaces the last `depth` blocks by `depth` + 1 empty blocks. The transactions of the replaced blocks wait again.
   */
  reorganise(depth: number, payTo: Uint8Array): Promise<void>
  close(): Promise<void>
}

/**
 * An in-memory node. `ledger` receives every transaction and block.
 *
 * bcoin 1.0 supports segwit version 0 only, so anyone could spend a taproot output. `checkTaproot` checks key-path
 * spends and rejects others; bcoin's policy against unknown witness versions is off.
 *
 * bcoin 1.0 never replaces a transaction. `replacementFault` judges replacements by BIP-125; the replaced transactions
 * leave the mempool first, and return if bcoin refuses the replacement.
 */
export async function openNode(ledger: Ledger): Promise<BitcoinNode> {
  // No native parts are built; without this, one of bcoin's packages requires its own.
  process.env.NODE_BACKEND = 'js'
  // Loaded here: it takes 200 ms, which not every caller needs.
  const [{ default: Logger }, { default: ChainOf }, { default: Mempool }, { default: Miner }, { default: Address }] =
    await Promise.all([
      import('blgr'),
      import('bcoin/lib/blockchain/chain.js'),
      import('bcoin/lib/mempool/mempool.js'),
      import('bcoin/lib/mining/miner.js'),
      import('bcoin/lib/primitives/address.js'),
    ])
  const [{ default: TX }, { default: Script }] = await Promise.all([
    import('bcoin/lib/primitives/tx.js'),
    import('bcoin/lib/script/script.js'),
  ])
  const options = { network: 'regtest', memory: true, logger: new Logger('none') } as const
  const chain: Chain = new ChainOf(options)
  const mempool = new Mempool({ ...options, chain })
  const miner = new Miner({ ...options, chain, mempool })
  // bcoin verifies only what it mines on the tip.
  const emptyMiner = new Miner({ ...options, chain, preverify: false })

  const verifyInputs = mempool.verifyInputs.bind(mempool)
  mempool.verifyInputs = (transaction, view, flags) =>
    verifyInputs(transaction, view, flags & ~Script.flags.VERIFY_DISCOURAGE_UPGRADABLE_WITNESS_PROGRAM)

  chain.on('connect', async (entry, block) => {
    ledger.confirm(Block.fromBuffer(block.toRaw()), entry.height)
    await mempool._addBlock(entry, block.txs)
  })
  let returned: readonly Transaction[] = []
  chain.on('disconnect', async (entry, block) => {
    const taken = Block.fromBuffer(block.toRaw())
    ledger.disconnect(taken)
    returned = [...(taken.transactions ?? []).filter((one) => !one.isCoinbase()), ...returned]
    mempool.tip = entry.prevBlock
  })
  mempool.on('tx', (transaction) => ledger.add(Transaction.fromBuffer(transaction.toRaw())))
  mempool.on('remove entry', ({ tx }) => ledger.drop(tx.txid()))

  await chain.open()
  await mempool.open()
  await miner.open()
  await emptyMiner.open()

  return {
    height: () => chain.height,
    async add(rawTransaction) {
      const transaction = decoded(rawTransaction)
      const id = transaction.getId()
      if (ledger.transaction(id) !== undefined)
        throw new RefusedTransaction('Transaction already in block chain or mempool')
      const wrong =
        checkAmounts(transaction, ledger) ?? checkTaproot(transaction, (outpoint) => ledger.output(outpoint))
      if (wrong !== null) throw new RefusedTransaction(wrong)
      const replaced = replacedBy(transaction, ledger)
      const fault = replaced.length === 0 ? null : replacementFault(transaction, replaced, ledger)
      if (fault !== null) throw new RefusedTransaction(fault)
      const before = ledger.mempool()
      for (const one of replaced) {
        const entry = mempool.getEntry(Buffer.from(one.transaction.getHash()).toString('hex'))
        if (entry !== null) mempool.evictEntry(entry)
      }
      const parsed = TX.fromRaw(Buffer.from(rawTransaction))
      let missing: readonly string[] | null
      try {
        missing = await mempool.addTX(parsed)
      } catch (cause) {
        for (const one of before)
          if (ledger.transaction(one.id) === undefined)
            await mempool.addTX(TX.fromRaw(Buffer.from(one.transaction.toBuffer())))
        throw new RefusedTransaction(reasonOf(cause), { cause })
      }
      if (missing !== null) {
        // bcoin would wait for the parents; a wallet's server rejects at once.
        mempool.removeOrphan(parsed.hash('hex'))
        throw new RefusedTransaction('bad-txns-inputs-missingorspent')
      }
      return id
    },
    async mine(blocks, payTo) {
      const address = Address.fromProgram(0, Buffer.from(payTo))
      for (let mined = 0; mined < blocks; mined++) {
        const block = await miner.mineBlock(chain.tip, address)
        if ((await chain.add(block)) === null) throw new Error('The mined block did not extend the chain.')
      }
    },
    async reorganise(depth, payTo) {
      const address = Address.fromProgram(0, Buffer.from(payTo))
      let tip = await chain.getAncestor(chain.tip, chain.height - depth)
      for (let mined = 0; mined <= depth; mined++) {
        if (tip === null) throw new Error(`The chain has no ${depth} blocks to replace.`)
        tip = await chain.add(await emptyMiner.mineBlock(tip, address))
      }
      // bcoin's mempool takes back nothing if it is empty.
      const waiting = returned
      returned = []
      for (const transaction of waiting)
        if ((await mempool.addTX(TX.fromRaw(Buffer.from(transaction.toBuffer())))) !== null)
          throw new Error(`${transaction.getId()} is not valid after the reorganisation.`)
    },
    async close() {
      await emptyMiner.close()
      await miner.close()
      await mempool.close()
      await chain.close()
    },
  }
}

function decoded(raw: Uint8Array): Transaction {
  try {
    return Transaction.fromBuffer(raw)
  } catch (cause) {
    throw new RefusedTransaction('TX decode failed', { cause })
  }
}

/** bcoin checks the fee first; Bitcoin Core's order is more useful. */
function checkAmounts(transaction: Transaction, ledger: Ledger): string | null {
  const spent = transaction.ins.map(({ hash, index }) => ledger.output(outpointOf(hash, index)))
  if (spent.some((output) => output === undefined)) return 'bad-txns-inputs-missingorspent'
  const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n)
  const inputs = sum(spent.map((output) => output?.value ?? 0n))
  return inputs < sum(transaction.outs.map(({ value }) => value)) ? 'bad-txns-in-belowout' : null
}

/** bcoin's VerifyError has a separate short reason. */
function reasonOf(cause: unknown): string {
  if (typeof cause === 'object' && cause !== null && 'reason' in cause && typeof cause.reason === 'string')
    return words[cause.reason] ?? cause.reason
  return cause instanceof Error ? cause.message : 'rejected'
}

/** Bitcoin Core's wording by bcoin's. */
const words: Readonly<Record<string, string>> = {
  'insufficient priority': 'min relay fee not met',
  'bad-txns-inputs-spent': 'txn-mempool-conflict',
}
