/** JSON integers are exact for all satoshis. */
import * as z from 'zod/mini'
import type { EsploraClient } from '../chain-client'
import { parseNodeAnswer } from '../nodes/ask-node'

/** Satoshis. */
export const maxMoney = 2_100_000_000_000_000n

const Satoshis = z.pipe(
  z.int().check(z.gte(0), z.lte(Number(maxMoney))),
  z.transform((value) => BigInt(value)),
)
/** Lifetime sums can exceed the supply. */
const Sum = z.pipe(
  z.int().check(z.gte(0)),
  z.transform((value) => BigInt(value)),
)
export const TransactionId = z.string().check(z.regex(/^[0-9a-f]{64}$/))
/** Blocks have max 4 MB. */
export const RawTransaction = z.string().check(z.maxLength(8_000_000), z.regex(/^([0-9a-f]{2})+$/i))
const OutputIndex = z.int().check(z.gte(0), z.lte(0xffff_ffff))
/** Plain text. */
const Height = z.union([
  z.int().check(z.gte(0)),
  z.pipe(z.string().check(z.regex(/^[0-9]{1,9}$/)), z.transform(Number)),
])
const Status = z.object({
  confirmed: z.boolean(),
  block_height: z.optional(z.nullable(z.int().check(z.gte(0)))),
  block_time: z.optional(z.nullable(z.int().check(z.gte(0)))),
})

const Stats = z.object({ funded_txo_sum: Sum, spent_txo_sum: Sum })
const AddressStats = z.object({ chain_stats: Stats, mempool_stats: Stats })
const Utxos = z.array(z.object({ txid: TransactionId, vout: OutputIndex, value: Satoshis, status: Status }))
const Output = z.object({
  scriptpubkey: z.string(),
  scriptpubkey_address: z.optional(z.string()),
  value: Satoshis,
})
const Transaction = z.object({
  txid: TransactionId,
  weight: z.int().check(z.gte(0)),
  fee: Satoshis,
  vin: z.array(z.object({ txid: TransactionId, vout: OutputIndex, prevout: z.optional(z.nullable(Output)) })),
  vout: z.array(Output),
  status: Status,
})
const Outspends = z.array(z.object({ spent: z.boolean(), txid: z.optional(TransactionId), status: z.optional(Status) }))
/** Satoshis per vbyte, by target in blocks. */
export const FeeEstimates = z.record(z.string().check(z.regex(/^[0-9]{1,4}$/)), z.number().check(z.gte(0)))

export type Utxo = z.infer<typeof Utxos>[number]
export type EsploraTransaction = z.infer<typeof Transaction>
export type FeeEstimates = z.infer<typeof FeeEstimates>

/** Satoshis. `unconfirmed`: the mempool's net change, perhaps negative. */
export async function readBalance(
  esplora: EsploraClient,
  address: string,
  signal?: AbortSignal,
): Promise<{ readonly confirmed: bigint; readonly unconfirmed: bigint }> {
  const { chain_stats, mempool_stats } = parseNodeAnswer(AddressStats, await esplora.get(`/address/${address}`, signal))
  return {
    confirmed: chain_stats.funded_txo_sum - chain_stats.spent_txo_sum,
    unconfirmed: mempool_stats.funded_txo_sum - mempool_stats.spent_txo_sum,
  }
}

export async function readUtxos(
  esplora: EsploraClient,
  address: string,
  signal?: AbortSignal,
): Promise<readonly Utxo[]> {
  return parseNodeAnswer(Utxos, await esplora.get(`/address/${address}/utxo`, signal))
}

export async function readFeeEstimates(esplora: EsploraClient, signal?: AbortSignal): Promise<FeeEstimates> {
  return parseNodeAnswer(FeeEstimates, await esplora.get('/fee-estimates', signal))
}

export async function readHeight(esplora: EsploraClient, signal?: AbortSignal): Promise<number> {
  return parseNodeAnswer(Height, trimmed(await esplora.get('/blocks/tip/height', signal)))
}

export async function readTransaction(
  esplora: EsploraClient,
  id: string,
  signal?: AbortSignal,
): Promise<EsploraTransaction> {
  return parseNodeAnswer(Transaction, await esplora.get(`/tx/${id}`, signal))
}

export async function readOutspends(
  esplora: EsploraClient,
  id: string,
  signal?: AbortSignal,
): Promise<z.infer<typeof Outspends>> {
  return parseNodeAnswer(Outspends, await esplora.get(`/tx/${id}/outspends`, signal))
}

/** The mempool's, and 25 confirmed ones. */
export async function readAddressTransactions(
  esplora: EsploraClient,
  address: string,
  signal?: AbortSignal,
): Promise<readonly EsploraTransaction[]> {
  return parseNodeAnswer(z.array(Transaction), await esplora.get(`/address/${address}/txs`, signal))
}

/** Hex. */
export async function readRawTransaction(esplora: EsploraClient, id: string, signal?: AbortSignal): Promise<string> {
  return parseNodeAnswer(RawTransaction, trimmed(await esplora.get(`/tx/${id}/hex`, signal)))
}

export async function postTransaction(esplora: EsploraClient, hex: string, signal?: AbortSignal): Promise<string> {
  return parseNodeAnswer(TransactionId, trimmed(await esplora.post('/tx', hex, signal)))
}

function trimmed(answer: unknown): unknown {
  return typeof answer === 'string' ? answer.trim() : answer
}
