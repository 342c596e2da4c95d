import { setTimeout as delay } from 'node:timers/promises'
import { type Address, isAddress } from 'viem'
import * as z from 'zod'
import { type Answer, json, parseJson, Refusal, type RunningServer, serve } from '../http/serve'
import { actions, createExplorer, type Explorer } from './etherscan'
import { simplePrice, tokenPrice } from './prices'
import { createScanner } from './scan'

export type Indexer = RunningServer & { readonly url: string }

/** `down`: 503. `slow`: after `ms`. `limited`: too many requests. Stays until `none`. */
const Fault = z.object({
  kind: z.enum(['none', 'down', 'slow', 'limited']),
  ms: z.int().min(0).max(60_000).default(5_000),
})

/** Max rows per page. */
const maxRows = 10_000
const whole = (fallback: number) => z.coerce.number().int().min(0).catch(fallback)
const Query = z.object({
  module: z.literal('account'),
  action: z.enum(actions),
  address: z.string().refine((text) => isAddress(text, { strict: false })),
  contractaddress: z
    .string()
    .refine((text) => isAddress(text, { strict: false }))
    .optional(),
  startblock: whole(0),
  endblock: whole(Number.MAX_SAFE_INTEGER),
  page: whole(1),
  offset: whole(maxRows),
  sort: z.enum(['asc', 'desc']).catch('asc'),
})

/**
 * Mock of a block explorer and a price source.
 *
 * 1. `GET /{chainId}/api?module=account&action=txlist|tokentx|tokennfttx|token1155tx` responds like Etherscan, from the
 *    chain's own blocks.
 * 2. `GET /coingecko/api/v3/simple/price` and `/simple/token_price/{platform}` respond like CoinGecko.
 * 3. `POST /devnet/fault` sets a fault.
 */
export async function startIndexer({
  port,
  chains,
  signal,
}: {
  readonly port: number
  readonly chains: readonly { readonly chainId: number; readonly rpcUrl: string }[]
  readonly signal?: AbortSignal | undefined
}): Promise<Indexer> {
  const explorers = new Map(
    chains.map(({ chainId, rpcUrl }) => [`${chainId}`, createExplorer(rpcUrl, createScanner(rpcUrl))]),
  )
  let fault: z.infer<typeof Fault> = { kind: 'none', ms: 0 }

  async function answerPrices(path: string, query: URLSearchParams): Promise<Answer> {
    if (fault.kind === 'limited')
      return json({ status: { error_code: 429, error_message: "You've exceeded the Rate Limit." } }, 429)
    const [, platform] = /^\/simple\/token_price\/([a-z0-9-]{1,64})$/.exec(path) ?? []
    if (platform !== undefined) return json(tokenPrice(platform, query))
    if (path === '/simple/price') return json(simplePrice(query))
    throw new Refusal(404, 'Not found.')
  }

  const server = await serve({
    port,
    signal,
    async answer({ method, url: { pathname, searchParams }, body, gone }) {
      if (method === 'POST' && pathname === '/devnet/fault') {
        fault = parseJson(Fault, body)
        return json(fault)
      }
      if (method !== 'GET') throw new Refusal(405, 'Send a GET.')
      if (fault.kind === 'down') throw new Refusal(503, 'Service unavailable')
      if (fault.kind === 'slow') await delay(fault.ms, undefined, { signal: gone }).catch(() => {})
      const prices = '/coingecko/api/v3'
      if (pathname.startsWith(`${prices}/`)) return answerPrices(pathname.slice(prices.length), searchParams)
      const [, chainId = ''] = /^\/(\d{1,16})\/api$/.exec(pathname) ?? []
      const explorer = explorers.get(chainId)
      if (explorer === undefined) throw new Refusal(404, 'Not found.')
      if (fault.kind === 'limited') return refused('Max rate limit reached')
      return answerAccount(explorer, searchParams)
    },
  })
  return { ...server, url: `http://127.0.0.1:${server.port}` }
}

/** Etherscan returns errors with 200. */
const refused = (result: string): Answer => json({ status: '0', message: 'NOTOK', result })

async function answerAccount(explorer: Explorer, searchParams: URLSearchParams): Promise<Answer> {
  const query = Query.safeParse(Object.fromEntries(searchParams))
  if (!query.success) return refused(`Error! Missing or invalid ${query.error.issues[0]?.path.join('.')}`)
  const { action, address, contractaddress, startblock, endblock, page, offset, sort } = query.data
  const contract = contractaddress === undefined ? null : lower(contractaddress)
  const rows = (await explorer.rows(action, lower(address), contract)).filter(
    ({ blockNumber }) => Number(blockNumber) >= startblock && Number(blockNumber) <= endblock,
  )
  const sorted = sort === 'asc' ? rows : rows.toReversed()
  const size = Math.min(offset === 0 ? maxRows : offset, maxRows)
  const start = (Math.max(page, 1) - 1) * size
  const result = sorted.slice(start, start + size)
  return result.length === 0
    ? json({ status: '0', message: 'No transactions found', result })
    : json({ status: '1', message: 'OK', result })
}

const lower = (address: string): Address => `0x${address.slice(2).toLowerCase()}`
