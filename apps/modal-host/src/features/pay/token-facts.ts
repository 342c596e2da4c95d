import { shortAddress } from '@postern/chains/text'
import { type Network, parseCaipNetworkId } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { MoneyHost } from '../../snapshot/money'
import { namespaceFeatures } from '../namespaces/namespaces'
import type { SendToken } from '../send/token'

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
  const { tokenFacts, isTokenSilent = async () => false } = namespaceFeatures[namespace]
  const { decimals, symbol = shortAddress(address) } = await tokenFacts(chain, address, signal)
  if (decimals !== undefined)
    return { key: address, name: symbol, symbol, decimals, balance: 0n, address, price: 0, iconUrl: '' }
  throw new Failure((await isTokenSilent(chain, address, signal)) ? 'SOMETHING_WENT_WRONG' : 'TOKEN_REQUIRED')
}
