/** Which networks have a bundler, and which of them a paymaster: `POSTERN_BUNDLERS` and `POSTERN_PAYMASTERS`. */
import { CaipNetworkId, parseCaipNetworkId } from '@postern/protocol'
import * as z from 'zod/mini'

/** URLs by CAIP-2 id. They stay with the gateway and may hold keys. */
export type AccountAbstraction = {
  readonly bundlers: ReadonlyMap<CaipNetworkId, string>
  readonly paymasters: ReadonlyMap<CaipNetworkId, string>
}

const Endpoints = z.record(CaipNetworkId, z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }))

/** @throws what is wrong with either, in words. */
export function readAccountAbstraction(bundlers?: string, paymasters?: string): AccountAbstraction {
  const read = { bundlers: readEndpoints(bundlers), paymasters: readEndpoints(paymasters) }
  for (const id of read.paymasters.keys()) {
    if (!read.bundlers.has(id)) throw new Error(`${id} has a paymaster and no bundler: it would pay for nothing`)
  }
  return read
}

function readEndpoints(text: string | undefined): ReadonlyMap<CaipNetworkId, string> {
  if (text === undefined) return new Map()
  const parsed = Endpoints.safeParse(JSON.parse(text))
  if (!parsed.success) {
    throw new Error(parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; '))
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
