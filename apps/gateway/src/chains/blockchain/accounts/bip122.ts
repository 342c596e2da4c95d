import * as z from 'zod/mini'
import type { Esplora } from '../../esplora/upstream'
import type { KnownNetwork } from '../account'
import { ChainError } from '../chain'
import type { Holding } from './holding'

const Satoshis = z.int().check(z.gte(0))
const Sums = z.object({ funded_txo_sum: Satoshis, spent_txo_sum: Satoshis })
const AddressSums = z.object({ chain_stats: Sums, mempool_stats: Sums })

/** Includes unconfirmed amounts. @throws {ChainError | UpstreamsFailedError} */
export async function readBitcoinBalances(
  { id, definition, urls }: KnownNetwork,
  address: string,
  { esplora }: { readonly esplora: Esplora },
): Promise<Holding[]> {
  const { status, text } = await esplora.ask(urls, { path: `/address/${address}`, kind: 'json' })
  if (status !== 200) throw new ChainError('address')
  const { chain_stats: mined, mempool_stats: waiting } = AddressSums.parse(JSON.parse(text))
  const amount =
    BigInt(mined.funded_txo_sum) -
    BigInt(mined.spent_txo_sum) +
    BigInt(waiting.funded_txo_sum) -
    BigInt(waiting.spent_txo_sum)
  return [{ chainId: id, address: null, ...definition.nativeCurrency, amount, isListed: true }]
}
