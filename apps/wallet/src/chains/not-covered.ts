import { exactUnits } from '@postern/chains/format'
import { errors, limits, parseCaipNetworkId, resolveNetwork } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { ChainContext } from '../contract'

/** `missing`: in base units of the native currency. */
export function notCovered(missing: bigint, { networkId, page }: Pick<ChainContext, 'networkId' | 'page'>): Failure {
  const native = limits.nativeDecimals[parseCaipNetworkId(networkId).namespace]
  const { symbol = '', decimals = native } = resolveNetwork(networkId, page.networks)?.nativeCurrency ?? {}
  const amount = `${exactUnits(missing, decimals)} ${symbol}`.trim()
  return new Failure('FEE_NOT_COVERED', {
    message: `${errors.FEE_NOT_COVERED.message}: missing ${amount}`,
    data: { missing: String(missing) },
  })
}
