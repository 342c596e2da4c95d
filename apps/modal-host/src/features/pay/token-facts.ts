import { hasCode, tokenFacts } from '@postern/chains/eip155/contract'
import { shortAddress } from '@postern/chains/text'
import { type Network, parseCaipNetworkId } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import * as z from 'zod/mini'
import type { MoneyHost } from '../../snapshot/money'
import type { SendToken } from '../send/token'

const Mint = z.object({
  value: z.object({
    data: z.object({
      parsed: z.object({ type: z.literal('mint'), info: z.object({ decimals: z.int().check(z.gte(0), z.lte(255)) }) }),
    }),
  }),
})

/** Decimals decide the amount, so only the chain is trusted. Rejects with TOKEN_REQUIRED if there is no such token. */
export async function readToken(
  network: Network,
  address: string | undefined,
  { client }: Pick<MoneyHost, 'client'>,
  signal: AbortSignal,
): Promise<SendToken> {
  if (address === undefined) {
    const { name, symbol, decimals } = network.nativeCurrency
    return { key: 'native', name, symbol, decimals, balance: 0n, address: null, price: 0, iconUrl: '' }
  }
  const { namespace } = parseCaipNetworkId(network.caipNetworkId)
  const chain = client(network.caipNetworkId)
  const facts =
    namespace === 'eip155' ? await tokenFacts(chain, address, signal) : await mintFacts(chain, address, signal)
  const { decimals, symbol = shortAddress(address) } = facts
  if (decimals !== undefined)
    return { key: address, name: symbol, symbol, decimals, balance: 0n, address, price: 0, iconUrl: '' }
  // An unreachable chain says nothing about its tokens.
  const isSilent = namespace === 'eip155' && (await hasCode(chain, address, signal)) === null
  throw new Failure(isSilent ? 'SOMETHING_WENT_WRONG' : 'TOKEN_REQUIRED')
}

async function mintFacts(
  { rpc }: ReturnType<MoneyHost['client']>,
  address: string,
  signal: AbortSignal,
): Promise<{ readonly decimals?: number; readonly symbol?: string }> {
  const params = [address, { encoding: 'jsonParsed', commitment: 'confirmed' }]
  const mint = Mint.safeParse(await rpc.request({ method: 'getAccountInfo', params }, signal))
  return mint.success ? { decimals: mint.data.value.data.parsed.info.decimals } : {}
}
