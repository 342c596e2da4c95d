import type { ChainClient } from '@postern/chains/chain-client'
import { hasCode, tokenFacts } from '@postern/chains/eip155/contract'
import { shortAddress } from '@postern/chains/text'
import { type Namespace, type Network, parseCaipNetworkId } from '@postern/protocol'
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

/** Decimals decide the amount, so only the chain is trusted. Rejects with TOKEN_REQUIRED without such a token. */
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
  const { facts, isSilent = async () => false } = readers[namespace]
  const { decimals, symbol = shortAddress(address) } = await facts(chain, address, signal)
  if (decimals !== undefined)
    return { key: address, name: symbol, symbol, decimals, balance: 0n, address, price: 0, iconUrl: '' }
  throw new Failure((await isSilent(chain, address, signal)) ? 'SOMETHING_WENT_WRONG' : 'TOKEN_REQUIRED')
}

type Read<T> = (chain: ChainClient, address: string, signal: AbortSignal) => Promise<T>
type Facts = { readonly decimals?: number | undefined; readonly symbol?: string | undefined }

const readers: Readonly<
  Record<
    Namespace,
    {
      readonly facts: Read<Facts>
      /** The chain does not respond. The other facts look the same for a chain without the token. */
      readonly isSilent?: Read<boolean>
    }
  >
> = {
  eip155: {
    facts: tokenFacts,
    isSilent: async (chain, address, signal) => (await hasCode(chain, address, signal)) === null,
  },
  solana: { facts: mintFacts },
  bip122: { facts: async () => ({}) },
}

async function mintFacts({ rpc }: ChainClient, address: string, signal: AbortSignal): Promise<Facts> {
  const params = [address, { encoding: 'jsonParsed', commitment: 'confirmed' }]
  const mint = Mint.safeParse(await rpc.request({ method: 'getAccountInfo', params }, signal))
  return mint.success ? { decimals: mint.data.value.data.parsed.info.decimals } : {}
}
