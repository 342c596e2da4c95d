/** Source: https://github.com/Blockstream/esplora/blob/master/API.md */
import { address as addresses, script as scripts } from 'bitcoinjs-lib'
import { regtest } from './accounts'
import { hex, type KnownBlock, type KnownTransaction, type Ledger, type Output } from './ledger'

export function statusOf({ block }: KnownTransaction) {
  if (block === null) return { confirmed: false }
  return { confirmed: true, block_height: block.height, block_hash: block.id, block_time: block.block.timestamp }
}

/** Amounts in satoshis. */
export function transactionView(known: KnownTransaction) {
  const { transaction, spends } = known
  const coinbase = transaction.isCoinbase()
  const paid = transaction.outs.reduce((sum, { value }) => sum + value, 0n)
  const spent = spends.reduce((sum, output) => sum + (output?.value ?? 0n), 0n)
  return {
    txid: known.id,
    version: transaction.version,
    locktime: transaction.locktime,
    vin: transaction.ins.map(({ hash, index, script, sequence, witness }, input) => {
      const prevout = spends[input] ?? null
      return {
        txid: hex(Uint8Array.from(hash).reverse()),
        vout: index,
        prevout: prevout === null ? null : outputView(prevout),
        scriptsig: hex(script),
        scriptsig_asm: coinbase ? '' : asm(script),
        ...(witness.length > 0 && { witness: witness.map(hex) }),
        is_coinbase: coinbase,
        sequence,
      }
    }),
    vout: transaction.outs.map(outputView),
    size: transaction.byteLength(),
    weight: transaction.weight(),
    fee: coinbase ? 0 : Number(spent - paid),
    status: statusOf(known),
  }
}

function outputView({ script, value }: Output) {
  const type = scriptType(script)
  const address = addressOf(script)
  return {
    scriptpubkey: hex(script),
    scriptpubkey_asm: asm(script),
    scriptpubkey_type: type,
    ...(address !== null && { scriptpubkey_address: address }),
    value: Number(value),
  }
}

function asm(script: Uint8Array): string {
  try {
    return scripts.toASM(script)
  } catch {
    return ''
  }
}

function addressOf(script: Uint8Array): string | null {
  try {
    return addresses.fromOutputScript(script, regtest)
  } catch {
    return null
  }
}

function scriptType(script: Uint8Array): string {
  const [first, second] = script
  if (first === 0x6a) return 'op_return'
  if (first === 0x00 && script.length === 22) return 'v0_p2wpkh'
  if (first === 0x00 && script.length === 34) return 'v0_p2wsh'
  if (first === 0x51 && script.length === 34) return 'v1_p2tr'
  if (first === 0xa9 && script.length === 23) return 'p2sh'
  if (first === 0x76 && second === 0xa9 && script.length === 25) return 'p2pkh'
  return 'unknown'
}

/** Counts blocks and mempool separately. */
export function addressView(ledger: Ledger, address: string, script: Uint8Array) {
  const all = ledger.transactionsOf(script)
  return {
    address,
    chain_stats: stats(
      all.filter(({ block }) => block !== null),
      hex(script),
    ),
    mempool_stats: stats(
      all.filter(({ block }) => block === null),
      hex(script),
    ),
  }
}

function stats(of: readonly KnownTransaction[], script: string) {
  const isOwn = (output: Output | null): output is Output => output !== null && hex(output.script) === script
  const funded = of.flatMap(({ transaction }) => transaction.outs.filter(isOwn))
  const spent = of.flatMap(({ spends }) => spends.filter(isOwn))
  const sum = (outputs: readonly Output[]) => Number(outputs.reduce((total, { value }) => total + value, 0n))
  return {
    funded_txo_count: funded.length,
    funded_txo_sum: sum(funded),
    spent_txo_count: spent.length,
    spent_txo_sum: sum(spent),
    tx_count: of.length,
  }
}

/** Outputs that are unspent in blocks and mempool. */
export function unspentView(ledger: Ledger, script: Uint8Array) {
  const wanted = hex(script)
  return ledger.transactionsOf(script).flatMap((known) =>
    known.transaction.outs.flatMap(({ script: paid, value }, vout) => {
      if (hex(paid) !== wanted || ledger.spender(`${known.id}:${vout}`) !== undefined) return []
      return [{ txid: known.id, vout, status: statusOf(known), value: Number(value) }]
    }),
  )
}

export function outspendView(ledger: Ledger, { id, transaction }: KnownTransaction) {
  return transaction.outs.map((_, vout) => {
    const spender = ledger.spender(`${id}:${vout}`)
    const by = spender === undefined ? undefined : ledger.transaction(spender.id)
    if (spender === undefined || by === undefined) return { spent: false }
    return { spent: true, txid: spender.id, vin: spender.input, status: statusOf(by) }
  })
}

export function blockView(ledger: Ledger, { id, height, block, transactionIds }: KnownBlock) {
  const times = Array.from({ length: 11 }, (_, back) => ledger.blockAt(height - back)?.block.timestamp)
  const sorted = times.filter((time) => time !== undefined).sort((a, b) => a - b)
  return {
    id,
    height,
    version: block.version,
    timestamp: block.timestamp,
    tx_count: transactionIds.length,
    size: block.byteLength(),
    weight: block.weight(),
    merkle_root: block.merkleRoot === undefined ? null : hex(Uint8Array.from(block.merkleRoot).reverse()),
    previousblockhash: ledger.blockAt(height - 1)?.id ?? null,
    mediantime: sorted[Math.floor(sorted.length / 2)] ?? block.timestamp,
    nonce: block.nonce,
    bits: block.bits,
    difficulty: 0,
  }
}

export function mempoolView(ledger: Ledger) {
  const waiting = ledger.mempool().map(transactionView)
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  return {
    count: waiting.length,
    vsize: sum(waiting.map(({ weight }) => Math.ceil(weight / 4))),
    total_fee: sum(waiting.map(({ fee }) => fee)),
    fee_histogram: [],
  }
}

/** Satoshis per virtual byte, by target in blocks. Every block has room. */
export const feeEstimates = Object.fromEntries([
  ...Array.from({ length: 25 }, (_, target) => [`${target + 1}`, target < 2 ? 2 : 1]),
  ['144', 1],
  ['504', 1],
  ['1008', 1],
])
