/**
 * An EVM account's history from an Etherscan-compatible API. Source: https://docs.etherscan.io/api-reference
 *
 * 1. Transactions and token transfers are joined by hash.
 * 2. A page ends between two blocks. The cursor is the first block of the next, older page: new blocks do not shift it.
 * 3. If a list was cut off, nothing below its last complete block is returned until the others are read that far.
 * 4. An indexer without an ERC-1155 list returns no such transfers; any other failure is an error that names no URL.
 */
import { isHash } from 'viem'
import * as z from 'zod/mini'
import { AttemptError, fetchText, UpstreamsFailedError } from '../../../platform/upstreams/attempt'
import type { KnownNetwork } from '../account'
import type { Landed, Move, Page } from './landed'

const Digits = z.string().check(z.regex(/^\d{1,78}$/))
const Row = z.object({
  blockNumber: z.string().check(z.regex(/^\d{1,15}$/)),
  timeStamp: z.string().check(z.regex(/^\d{1,11}$/)),
  hash: z.string().check(z.refine((text) => isHash(text))),
  nonce: z.catch(z.string(), ''),
  from: z.string(),
  to: z.catch(z.string(), ''),
  contractAddress: z.catch(z.string(), ''),
  value: z.catch(Digits, '0'),
  isError: z.catch(z.string(), '0'),
  input: z.catch(z.string(), ''),
  tokenName: z.catch(z.string(), ''),
  tokenSymbol: z.catch(z.string(), ''),
  tokenDecimal: z.catch(z.string(), ''),
  tokenID: z.optional(z.catch(z.string().check(z.maxLength(78)), '')),
  tokenValue: z.catch(Digits, '1'),
})
type Row = z.infer<typeof Row>
const Answer = z.object({ status: z.string(), message: z.string(), result: z.unknown() })

const actions = ['txlist', 'tokentx', 'tokennfttx', 'token1155tx'] as const
type Action = (typeof actions)[number]

/** In ms. */
const timeout = 8_000
const maxResponseBytes = 4_194_304
/** Rows per list; min transactions per page. */
const rowsAtOnce = 100
const pageSize = 25
const approve = '0x095ea7b3'

export type IndexerOptions = { readonly url: string; readonly fetch: typeof globalThis.fetch }

/** @param address in lower case. @throws {UpstreamsFailedError} */
export async function readIndexed(
  { id, definition }: KnownNetwork,
  address: string,
  cursor: string | null,
  { url, fetch }: IndexerOptions,
): Promise<Page> {
  const lists = await Promise.all(actions.map(async (action) => ({ action, rows: await ask(action) })))
  // Rows at or below are incomplete.
  const floor = Math.max(
    -1,
    ...lists.flatMap(({ rows }) => (rows.length < rowsAtOnce ? [] : [Number(rows.at(-1)?.blockNumber)])),
  )
  const byHash = new Map<string, { block: number; rows: { action: Action; row: Row }[] }>()
  for (const { action, rows } of lists) {
    for (const row of rows) {
      const transaction = byHash.get(row.hash) ?? { block: Number(row.blockNumber), rows: [] }
      byHash.set(row.hash, transaction)
      transaction.rows.push({ action, row })
    }
  }
  const all = [...byHash.values()].sort((a, b) => b.block - a.block)
  const whole = all.filter(({ block }) => block > floor)
  // One block exceeds a list.
  const known = whole.length > 0 ? whole : all.filter(({ block }) => block === floor)
  const last = known[pageSize - 1]?.block ?? known.at(-1)?.block ?? 0
  const page = known.filter(({ block }) => block >= last)
  const isMore = page.length < known.length || floor >= 0
  return {
    landed: page.map(({ rows }) => landedOf(rows)),
    next: isMore && last > 0 ? `${last - 1}` : null,
  }

  async function ask(action: Action): Promise<Row[]> {
    const target = new URL(url)
    const query = {
      module: 'account',
      action,
      address,
      startblock: '0',
      page: '1',
      offset: `${rowsAtOnce}`,
      sort: 'desc',
    }
    for (const [name, value] of Object.entries(query)) target.searchParams.set(name, value)
    target.searchParams.set('endblock', /^\d{1,15}$/.exec(cursor ?? '')?.[0] ?? '999999999999')
    try {
      const { response, text } = await fetchText(target.href, {}, timeout, { fetch, maxResponseBytes })
      if (!response.ok) throw new AttemptError(`status ${response.status}`)
      const { status, result } = Answer.parse(JSON.parse(text))
      // "No transactions found" has status 0; a refusal is a string.
      if (status !== '1' && !(Array.isArray(result) && result.length === 0)) {
        if (action === 'token1155tx') return []
        throw new AttemptError('no connection')
      }
      return z.array(Row).parse(result)
    } catch {
      throw new UpstreamsFailedError('The indexer did not answer')
    }
  }

  function landedOf(rows: readonly { action: Action; row: Row }[]): Landed {
    const own = rows.find(({ action }) => action === 'txlist')?.row
    const any = own ?? rows[0]?.row
    if (any === undefined) throw new Error('A transaction has a row')
    const nonce = /^\d{1,15}$/.test(any.nonce) && own !== undefined ? { nonce: Number(any.nonce) } : {}
    const isDeployment = own?.to === ''
    return {
      chainId: id,
      hash: any.hash,
      status: own !== undefined && own.isError !== '0' ? 'failed' : 'confirmed',
      at: Number(any.timeStamp) * 1000,
      from: any.from.toLowerCase(),
      to: (any.to || any.contractAddress).toLowerCase(),
      ...nonce,
      isOwn: own?.from.toLowerCase() === address,
      moves: rows.flatMap(({ action, row }) => moveOf(action, row)),
      otherwise: isDeployment ? 'deploy' : any.input.startsWith(approve) ? 'approve' : 'execute',
    }
  }

  function moveOf(action: Action, row: Row): Move[] {
    const ends = { from: row.from.toLowerCase(), to: row.to.toLowerCase() }
    if (action === 'txlist') {
      const amount = BigInt(row.value)
      if (amount === 0n || row.isError !== '0') return []
      return [{ ...ends, amount, ...definition.nativeCurrency, contract: null }]
    }
    const names = { name: row.tokenName, symbol: row.tokenSymbol, contract: row.contractAddress }
    if (action === 'tokentx') {
      // Without decimals the amount is unknown.
      if (!/^\d{1,3}$/.test(row.tokenDecimal) || Number(row.tokenDecimal) > 255) return []
      return [{ ...ends, ...names, amount: BigInt(row.value), decimals: Number(row.tokenDecimal) }]
    }
    const [amount, kind] =
      action === 'token1155tx' ? [BigInt(row.tokenValue), 'erc1155' as const] : [1n, 'erc721' as const]
    return [{ ...ends, ...names, amount, decimals: 0, tokenId: row.tokenID ?? '', kind }]
  }
}
