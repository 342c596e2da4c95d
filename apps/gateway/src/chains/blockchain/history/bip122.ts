import * as z from 'zod/mini'
import type { Esplora } from '../../esplora/upstream'
import type { KnownNetwork } from '../account'
import { ChainError, UnixTime } from '../chain'
import type { Landed, Page } from './landed'

const Satoshis = z.int().check(z.gte(0))
const Output = z.object({ scriptpubkey_address: z.optional(z.string()), value: Satoshis })
const Transactions = z.array(
  z.object({
    txid: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
    fee: Satoshis,
    vin: z.array(z.object({ prevout: z.nullable(Output) })),
    vout: z.array(Output),
    status: z.object({ confirmed: z.boolean(), block_time: z.optional(UnixTime) }),
  }),
)
type Output = z.infer<typeof Output>

const pageSize = 25

/**
 * 1. The first page includes mempool transactions as pending, with the current time. The cursor is the last confirmed
 *    id.
 * 2. A sent amount excludes fee and change.
 * @throws {ChainError | UpstreamsFailedError}
 */
export async function readBitcoinHistory(
  { id, definition, urls }: KnownNetwork,
  address: string,
  cursor: string | null,
  { esplora, now }: { readonly esplora: Esplora; readonly now: () => number },
): Promise<Page> {
  const path = `/address/${address}/txs${cursor === null ? '' : `/chain/${cursor}`}`
  const { status, text } = await esplora.ask(urls, { path, kind: 'json' })
  if (status !== 200) throw new ChainError('txs')
  const transactions = Transactions.parse(JSON.parse(text))
  const confirmed = transactions.filter((transaction) => transaction.status.confirmed)

  const landed = transactions.map(
    ({ txid, fee, vin, vout, status: { confirmed: isConfirmed, block_time } }): Landed => {
      const inputs = vin.flatMap(({ prevout }) => prevout ?? [])
      const spent = sum(inputs.filter(isOwn))
      const received = sum(vout.filter(isOwn))
      const sent = spent - received - BigInt(fee)
      const other = (outputs: readonly Output[]) =>
        outputs.find((output) => !isOwn(output) && output.scriptpubkey_address !== undefined)?.scriptpubkey_address
      const isOut = spent > received
      const from = isOut ? address : (other(inputs) ?? address)
      const to = isOut ? (other(vout) ?? address) : address
      const amount = isOut ? (sent > 0n ? sent : 0n) : received - spent
      const moved = amount > 0n ? amount : received
      return {
        chainId: id,
        hash: txid,
        status: isConfirmed ? 'confirmed' : 'pending',
        at: block_time === undefined ? now() : block_time * 1000,
        from,
        to,
        isOwn: spent > 0n,
        moves: moved === 0n ? [] : [{ from, to, amount: moved, ...definition.nativeCurrency, contract: null }],
        otherwise: 'execute',
      }
    },
  )
  return { landed, next: confirmed.length < pageSize ? null : (confirmed.at(-1)?.txid ?? null) }

  function isOwn(output: Output): boolean {
    return output.scriptpubkey_address === address
  }
}

function sum(outputs: readonly Output[]): bigint {
  return outputs.reduce((total, { value }) => total + BigInt(value), 0n)
}
