/** By network: `POSTERN_BUNDLERS` and `POSTERN_PAYMASTERS`. */
import { CaipNetworkId, parseCaipNetworkId } from '@postern/protocol'
import * as z from 'zod/mini'
import { parseJson } from '../parse-json'

/** By CAIP-2 id. URLs may contain keys and never leave the gateway. */
export type AccountAbstraction = {
  readonly bundlers: ReadonlyMap<CaipNetworkId, string>
  readonly paymasters: ReadonlyMap<CaipNetworkId, string>
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
