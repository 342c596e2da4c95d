/** Checks that each upstream answers for the chain that it is named for. */
import { type Namespace, namespaceOf } from '@postern/protocol'
import * as z from 'zod/mini'
import type { GatewayNetwork } from '../../platform/upstreams/gateway-network'
import { type Finding, failure, ok, reasonOf, warning } from './finding'

const timeoutMs = 8_000

export function checkUpstreams(networks: readonly GatewayNetwork[], fetch_: typeof fetch): Promise<Finding[]> {
  return Promise.all(networks.map((network) => checkNetwork(network, fetch_)))
}

async function checkNetwork({ id, upstreams }: GatewayNetwork, fetch_: typeof fetch): Promise<Finding> {
  const what = `upstream ${id}`
  const namespace = namespaceOf(id)
  const asked = await Promise.all(
    upstreams.map(async (url) => {
      // Paths and queries may hold a key.
      const { host } = new URL(url)
      try {
        const chain = `${namespace}:${await references[namespace](url, fetch_)}`
        return { host, problem: chain === id ? null : `is ${chain}`, isOther: chain !== id }
      } catch (error) {
        return { host, problem: error instanceof WrongAnswer ? error.message : reasonOf(error), isOther: false }
      }
    }),
  )
  const failed = asked.filter(({ problem }) => problem !== null)
  const text = failed.map(({ host, problem }) => `${host}: ${problem}`).join('; ')
  if (asked.some(({ isOther }) => isOther)) {
    return failure(what, `${text}. Correct its address in POSTERN_NETWORKS`)
  }
  if (failed.length === asked.length) return failure(what, `${text}. Name another one in POSTERN_NETWORKS`)
  if (failed.length > 0) return warning(what, `${text}. The others answer: replace it in POSTERN_NETWORKS`)
  return ok(what, asked.map(({ host }) => host).join(', '))
}

class WrongAnswer extends Error {}

const Answer = z.object({ result: z.string() })

/** Reads the CAIP-2 reference of the upstream's chain. */
const references: Readonly<Record<Namespace, (url: string, fetch_: typeof fetch) => Promise<string>>> = {
  async eip155(url, fetch_) {
    const text = await ask(url, 'eth_chainId', fetch_)
    if (!/^0x[0-9a-f]{1,16}$/i.test(text)) throw new WrongAnswer('not an answer of a node')
    return `${BigInt(text)}`
  },
  solana: async (url, fetch_) => (await ask(url, 'getGenesisHash', fetch_)).slice(0, 32),
  async bip122(url, fetch_) {
    const genesis = new URL(url)
    genesis.pathname = `${genesis.pathname.replace(/\/$/, '')}/block-height/0`
    return (await textOf(await fetch_(genesis, { signal: AbortSignal.timeout(timeoutMs) }))).slice(0, 32)
  },
}

async function ask(url: string, method: string, fetch_: typeof fetch): Promise<string> {
  const response = await fetch_(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] }),
    signal: AbortSignal.timeout(timeoutMs),
  })
  const text = await textOf(response)
  try {
    return Answer.parse(JSON.parse(text)).result
  } catch {
    throw new WrongAnswer('not an answer of a node')
  }
}

async function textOf(response: Response): Promise<string> {
  if (!response.ok) throw new WrongAnswer(`status ${response.status}`)
  return response.text()
}
