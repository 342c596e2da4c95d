/** By network: `POSTERN_BUNDLERS`, `POSTERN_PAYMASTERS` and `PAYMASTER_MAX_PER_OPERATION`. */
import { CaipNetworkId, parseCaipNetworkId } from '@postern/protocol'
import { parseEther } from 'viem'
import * as z from 'zod/mini'
import { parseJson } from '../parse-json'
import type { OperationBudgets } from './budgets'

/** By CAIP-2 id. URLs may contain keys and never leave the gateway. */
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

const Endpoints = z.record(CaipNetworkId, z.url({ protocol: /^https?$/ }))

/** @throws with a readable message if either is invalid. */
export function readAccountAbstraction(bundlers?: string, paymasters?: string): AccountAbstraction {
  const read = { bundlers: readEndpoints(bundlers), paymasters: readEndpoints(paymasters) }
  for (const id of read.paymasters.keys()) {
    if (!read.bundlers.has(id)) throw new Error(`${id} has a paymaster and no bundler: it would pay for nothing`)
  }
  return read
}

function readEndpoints(text: string | undefined): ReadonlyMap<CaipNetworkId, string> {
  if (text === undefined) return new Map()
  const parsed = Endpoints.safeParse(parseJson(text))
  if (!parsed.success) {
    const [where] = parsed.error.issues.map(({ path }) => path.join('.'))
    throw new Error(`must be JSON such as {"eip155:1": "https://…"}${where ? `: ${where} is not right` : ''}`)
  }
  const entries = new Map<CaipNetworkId, string>()
  for (const [id, url] of Object.entries(parsed.data)) {
    const network = CaipNetworkId.parse(id)
    if (parseCaipNetworkId(network).namespace !== 'eip155') throw new Error(`${id} is no EVM network`)
    const { username, password } = new URL(url)
    if (username !== '' || password !== '') {
      throw new Error(`${id} has a URL with user:password@: put the key into its path or query`)
    }
    entries.set(network, url)
  }
  return entries
}
