import * as z from 'zod'
import { type Answer, type HttpCall, json, parseJson, Refusal, type RunningServer, serve } from '../http/serve'
import { createBitcoinChain } from './bitcoin-chain'
import { createEvmChain, type EvmChain, RpcCall, type RpcReply } from './evm-chain'
import { createForecast, type Forecast } from './forecast'
import { broadcastFates, transportFaults, type WeatherName, weathers } from './levels'
import { createSolanaChain } from './solana-chain'

export type WeatherOptions = {
  /** 0 takes a free port. */
  readonly port: number
  readonly weather: WeatherName
  readonly seed: number
  /** URLs of the real nodes, of EVM chains by chain id. */
  readonly evm: Readonly<Record<string, string>>
  readonly solana?: string | undefined
  readonly bitcoin?: string | undefined
  /** Time between blocks. 0: `POST /devnet/block` makes each. */
  readonly blockMs: number
  readonly signal?: AbortSignal | undefined
}

export type RunningWeather = RunningServer & {
  readonly seed: number
  /** Upstreams by CAIP-2 id: two nodes of an EVM chain, one of the others. */
  readonly upstreams: Readonly<Record<string, readonly string[]>>
}

type Chain = { readonly broadcasts: Forecast; readonly blocks?: Forecast; block(): Promise<void> }

const Decision = z.object({
  chain: z.string(),
  broadcast: z.array(z.enum([...broadcastFates, 'none'])).optional(),
  block: z.array(z.enum(['reorganisation', 'none'])).optional(),
  transport: z.array(z.enum([...transportFaults, 'none'])).optional(),
})
const maxLogged = 500

/**
 * Makes weather between a gateway and the devnet's chains.
 *
 * 1. The seed fixes the weather: the n-th request, broadcast and block of a chain have the same fate in each run.
 * 2. `/<chain id>/0` and `/<chain id>/1` are the nodes of an EVM chain, `/solana` and `/bitcoin` the others.
 * 3. `POST /devnet/decide {"chain", "broadcast"?, "block"?, "transport"?}` sets the next fates of a chain.
 * 4. `POST /devnet/block?chain=…` makes a block; without a chain, one of each.
 * 5. `GET /devnet/weather` returns the seed and what happened.
 */
export async function startWeather(options: WeatherOptions): Promise<RunningWeather> {
  const { seed, blockMs, signal } = options
  const weather = weathers[options.weather]
  const events: string[] = []
  const log = (event: string) => {
    events.push(event)
    if (events.length > maxLogged) events.shift()
  }
  const evm = new Map<string, EvmChain>(
    Object.entries(options.evm).map(([name, rpcUrl]) => [name, createEvmChain({ name, rpcUrl, seed, weather, log })]),
  )
  const common = { seed, weather, log }
  const solana = options.solana === undefined ? null : createSolanaChain({ ...common, rpcUrl: options.solana })
  const bitcoin = options.bitcoin === undefined ? null : createBitcoinChain({ ...common, url: options.bitcoin })
  const chains = new Map<string, Chain>(evm)
  if (solana !== null) chains.set('solana', solana)
  if (bitcoin !== null) chains.set('bitcoin', bitcoin)
  const transports = new Map(
    [...chains.keys()].map((name) => [name, createForecast(seed, `${name} transport`, weather.transport)]),
  )

  async function makeBlocks(only: string | null): Promise<void> {
    for (const [name, chain] of chains) if (only === null || only === name) await chain.block()
  }

  function decide(body: string): Answer {
    const { chain: name, broadcast, block, transport } = parseJson(Decision, body)
    const chain = chains.get(name)
    if (chain === undefined) throw new Refusal(404, 'There is no such chain.')
    if (broadcast) chain.broadcasts.decide(broadcast)
    if (block) chain.blocks?.decide(block)
    if (transport) transports.get(name)?.decide(transport)
    return json({ chain: name })
  }

  async function control({ method, url, body }: HttpCall): Promise<Answer> {
    const { pathname, searchParams } = url
    if (method === 'GET' && pathname === '/devnet/weather') return json({ seed, weather: options.weather, events })
    if (method !== 'POST') throw new Refusal(404, 'Not found.')
    if (pathname === '/devnet/decide') return decide(body)
    if (pathname !== '/devnet/block') throw new Refusal(404, 'Not found.')
    await makeBlocks(searchParams.get('chain'))
    return json({ events: events.length })
  }

  /** A broadcast has its own fates. */
  async function faulty(name: string, call: HttpCall, isBroadcast: boolean): Promise<Answer | null> {
    const fault = isBroadcast ? null : (transports.get(name)?.next() ?? null)
    if (fault !== null) log(`${name}: request ${fault}`)
    switch (fault) {
      case 'limited':
        return { status: 429, headers: { 'retry-after': '1' }, body: 'Too many requests' }
      case 'unavailable':
        return { status: 503, body: 'Service unavailable' }
      case 'hanging':
        await new Promise((resolve) => call.gone.addEventListener('abort', resolve, { once: true }))
        return { isCut: true }
      case 'cut':
        return { isCut: true, body: '{"jsonrpc":"2.0","id":1,"res' }
      case 'nullError':
        return name === 'bitcoin' ? { status: 500 } : json({ jsonrpc: '2.0', id: 1, error: null })
      default:
        return null
    }
  }

  async function answerEvm(chain: EvmChain, node: 0 | 1, body: string): Promise<Answer> {
    const message: unknown = JSON.parse(body)
    const calls = z.array(RpcCall).parse(Array.isArray(message) ? message : [message])
    const replies: (RpcReply & { readonly id: RpcCall['id'] })[] = []
    for (const call of calls) replies.push({ id: call.id, ...(await chain.answer(node, call)) })
    if (replies.some(({ isUnanswered }) => isUnanswered)) return { isCut: true }
    const written = replies.map(({ id, result, error }) => ({
      jsonrpc: '2.0',
      id,
      ...(error ? { error } : { result }),
    }))
    return json(Array.isArray(message) ? written : written[0])
  }

  async function answer(call: HttpCall): Promise<Answer> {
    const { method, url, body } = call
    const { pathname } = url
    if (pathname.startsWith('/devnet/')) return control(call)
    const [, name = '', node = ''] = pathname.split('/')
    const isBroadcast = /"(eth_sendRawTransaction|sendTransaction)"/.test(body) || pathname === '/bitcoin/tx'
    const fault = await faulty(name, call, isBroadcast)
    if (fault !== null) return fault
    const chain = evm.get(name)
    if (chain !== undefined) return answerEvm(chain, node === '1' ? 1 : 0, body)
    if (name === 'solana' && solana !== null) {
      const { body: text, isUnanswered } = await solana.answer(body)
      return isUnanswered ? { isCut: true } : { headers: { 'content-type': 'application/json' }, body: text }
    }
    if (name !== 'bitcoin' || bitcoin === null) throw new Refusal(404, 'There is no such chain.')
    const path = pathname.slice('/bitcoin'.length) + url.search
    const { isUnanswered, ...found } = await bitcoin.answer({ method, path, body })
    return isUnanswered ? { isCut: true } : found
  }

  const server = await serve({ port: options.port, answer, signal })
  const at = (path: string) => `http://127.0.0.1:${server.port}/${path}`
  let working = Promise.resolve()
  const timer =
    blockMs > 0
      ? setInterval(() => {
          working = working.then(() => makeBlocks(null)).catch((error: unknown) => log(String(error)))
        }, blockMs)
      : undefined
  return {
    ...server,
    seed,
    upstreams: {
      ...Object.fromEntries([...evm.keys()].map((name) => [`eip155:${name}`, [at(`${name}/0`), at(`${name}/1`)]])),
      ...(solana && { solana: [at('solana')] }),
      ...(bitcoin && { bip122: [at('bitcoin')] }),
    },
    async stop() {
      clearInterval(timer)
      await server.stop()
      await working
    },
  }
}
