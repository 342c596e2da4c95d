/** `POSTERN_BUNDLERS`, `POSTERN_PAYMASTERS` and `PAYMASTER_MAX_PER_OPERATION`. */
import { CaipNetworkId, parseCaipNetworkId } from '@postern/protocol'
import { parseEther } from 'viem'
import * as z from 'zod/mini'
import { EndpointUrl, NetworkId, readJsonSetting } from '../../platform/settings/json-setting'
import type { OperationBudgets } from './budgets'

/** URLs may contain keys and never leave the gateway. */
export type AccountAbstraction = {
  readonly bundlers: ReadonlyMap<CaipNetworkId, string>
  readonly paymasters: ReadonlyMap<CaipNetworkId, string>
}

const amount = String.raw`\d{1,9}(\.\d{1,18})?`
/** `0.02,137=5`: at most 0.02 of a network's currency, and 5 on network 137. */
export const MaxPerOperation = z.string().check(
  z.regex(
    new RegExp(`^([1-9]\\d{0,14}=)?${amount}(,[1-9]\\d{0,14}=${amount})*$`),
    'must be an amount such as 0.05 or 0.02,137=5',
  ),
  z.refine((text) => {
    const chains = text.split(',').map((part) => (part.includes('=') ? part.split('=')[0] : ''))
    return new Set(chains).size === chains.length
  }, 'names a network twice'),
)

/** In wei. */
export function readMaxPerOperation(
  text: string | undefined,
): Pick<OperationBudgets['paymaster'], 'maxWeiPerOperation' | 'maxWeiByNetwork'> {
  const parts = text === undefined ? [] : text.split(',')
  const forAll = parts.find((part) => !part.includes('='))
  const byNetwork = parts.flatMap((part): [CaipNetworkId, bigint][] => {
    const [chain, most] = part.split('=')
    return most === undefined ? [] : [[CaipNetworkId.parse(`eip155:${Number(chain)}`), parseEther(most)]]
  })
  return {
    ...(forAll !== undefined && { maxWeiPerOperation: parseEther(forAll) }),
    ...(byNetwork.length > 0 && { maxWeiByNetwork: new Map(byNetwork) }),
  }
}

const BundlerUrls = z.record(
  NetworkId.check(z.refine((id) => parseCaipNetworkId(id).namespace === 'eip155', 'must be an EVM network')),
  EndpointUrl,
)

/** @param problems one line per fault, without the URLs. */
export function readAccountAbstraction(
  env: { readonly POSTERN_BUNDLERS?: string | undefined; readonly POSTERN_PAYMASTERS?: string | undefined },
  problems: string[],
): AccountAbstraction {
  const bundlers = readUrls('POSTERN_BUNDLERS', env.POSTERN_BUNDLERS, problems)
  const paymasters = readUrls('POSTERN_PAYMASTERS', env.POSTERN_PAYMASTERS, problems)
  for (const id of paymasters.keys()) {
    if (!bundlers.has(id))
      problems.push(`POSTERN_PAYMASTERS: ${id} has no bundler: its paymaster would pay for nothing`)
  }
  return { bundlers, paymasters }
}

function readUrls(name: string, source: string | undefined, problems: string[]): ReadonlyMap<CaipNetworkId, string> {
  const urls = readJsonSetting(name, BundlerUrls, source, problems) ?? {}
  return new Map(Object.entries(urls).map(([id, url]) => [CaipNetworkId.parse(id), url]))
}
