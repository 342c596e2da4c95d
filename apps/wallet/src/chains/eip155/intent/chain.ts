/** Reads the chain for approvals. An invalid response counts as unknown. */

import type { ChainClient } from '@postern/chains/chain-client'
import { isSameAddress } from '@postern/chains/same-address'
import * as z from 'zod/mini'
import type { Amount, BalanceChange } from '../../../intent/intent'

export type SimulatedCall = { readonly to?: string; readonly value: string; readonly data: string }
export type Simulation =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'fails'; readonly reason?: string }
  | {
      readonly kind: 'known'
      readonly changes: readonly BalanceChange[]
      /** In force at the end. */
      readonly approvals: readonly SimulatedApproval[]
      /** The logs have more changes. */
      readonly isPartial: boolean
      readonly gasUsed: bigint | null
    }

/** Without an amount: everything in the contract. */
export type SimulatedApproval = {
  readonly spender: string
  readonly token: string
  readonly amount?: bigint
  /** ERC-721 only. */
  readonly tokenId?: bigint
}

const Hex = z.string().check(z.regex(/^0x[0-9a-fA-F]*$/))

const selectors = {
  allowance: '0xdd62ed3e',
  isApprovedForAll: '0xe985e9c5',
}

/** In wei. */
export async function gasPrice(client: ChainClient, signal: AbortSignal): Promise<bigint | null> {
  try {
    return BigInt(Hex.parse(await client.rpc.request({ method: 'eth_gasPrice', params: [] }, signal)))
  } catch {
    return null
  }
}

const SimulatedLog = z.object({ address: Hex, topics: z.array(Hex), data: Hex })
const Simulated = z.array(
  z.object({
    calls: z.array(
      z.object({
        status: Hex,
        gasUsed: z.optional(Hex),
        logs: z.optional(z.array(SimulatedLog)),
        error: z.nullish(z.object({ message: z.optional(z.string()) })),
      }),
    ),
  }),
)

const topics = {
  /** Transfer(address,address,uint256): three topics (ERC-20) or four (ERC-721). */
  transfer: '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
  /** TransferSingle(address,address,address,uint256,uint256), ERC-1155. */
  transferSingle: '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62',
  /** TransferBatch(address,address,address,uint256[],uint256[]), ERC-1155. */
  transferBatch: '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb',
  /** Approval(address,address,uint256): three topics (ERC-20) or four (ERC-721). */
  approval: '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925',
  /** ApprovalForAll(address,address,bool), ERC-721 and ERC-1155. */
  approvalForAll: '0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31',
}
/** `traceTransfers` logs native transfers under this address (execution-apis, eth_simulateV1). */
const nativeLogger = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'

/** Excludes the fee. Not every endpoint supports eth_simulateV1. */
export async function simulate(
  client: ChainClient,
  from: string,
  calls: readonly SimulatedCall[],
  native: { readonly symbol: string; readonly decimals: number },
  signal: AbortSignal,
): Promise<Simulation> {
  const block = {
    calls: calls.map(({ to, value, data }) => ({
      from,
      ...(to !== undefined && { to }),
      value: `0x${BigInt(value).toString(16)}`,
      input: data,
    })),
  }
  try {
    const params = [{ blockStateCalls: [block], traceTransfers: true, validation: false }, 'latest']
    const answer = Simulated.parse(await client.rpc.request({ method: 'eth_simulateV1', params }, signal))
    const results = answer.flatMap((one) => one.calls)
    if (results.length !== calls.length) return { kind: 'unknown' }
    const failed = results.find(({ status }) => BigInt(status) === 0n)
    if (failed !== undefined) {
      const reason = failed.error?.message
      return { kind: 'fails', ...(reason !== undefined && { reason: reason.slice(0, 200) }) }
    }
    const logs = results.flatMap((result) => result.logs ?? [])
    const changes = logs.map((log) => movesOf(log, native))
    return {
      kind: 'known',
      changes: changesOf(
        from,
        changes.flatMap((moves) => moves ?? []),
      ),
      approvals: approvalsOf(from, logs),
      isPartial: changes.includes(null),
      gasUsed: results.reduce<bigint | null>(
        (sum, { gasUsed }) => (sum === null || gasUsed === undefined ? null : sum + BigInt(gasUsed)),
        0n,
      ),
    }
  } catch {
    return { kind: 'unknown' }
  }
}

/** Further approvals count as new. */
const maxLookedUp = 32

/** Omits earlier allowances: some tokens log the remaining allowance on every use. */
export async function newApprovals(
  client: ChainClient,
  own: string,
  approvals: readonly SimulatedApproval[],
  signal: AbortSignal,
): Promise<readonly SimulatedApproval[]> {
  const word = (address: string) => address.slice(2).toLowerCase().padStart(64, '0')
  const isNew = async ({ spender, token, amount }: SimulatedApproval) => {
    const selector = amount === undefined ? selectors.isApprovedForAll : selectors.allowance
    const params = [{ to: token, data: `${selector}${word(own)}${word(spender)}` }, 'latest']
    try {
      const before = BigInt(Hex.parse(await client.rpc.request({ method: 'eth_call', params }, signal)))
      return before < (amount ?? 1n)
    } catch {
      return true
    }
  }
  const checked = approvals.slice(0, maxLookedUp)
  const found = await Promise.all(checked.map(async (approval) => ((await isNew(approval)) ? [approval] : [])))
  return [...found.flat(), ...approvals.slice(maxLookedUp)]
}

type Log = z.infer<typeof SimulatedLog>
type Move = { readonly from: string; readonly to: string; readonly amount: Amount }

/** Null if unreadable, such as CryptoKitties' events, whose parties are not indexed. */
function movesOf(
  { address: token, topics: [topic, ...indexed], data }: Log,
  native: { readonly symbol: string; readonly decimals: number },
): readonly Move[] | null {
  const [first, second, third] = indexed
  const item = (id: bigint, raw: bigint): Amount => ({ raw: `${raw}`, token, tokenId: `${id}`, decimals: 0 })
  if ((topic === topics.transfer || topic === topics.approval) && (first === undefined || second === undefined))
    return null
  if (topic === topics.transfer && first !== undefined && second !== undefined) {
    const parties = { from: addressIn(first), to: addressIn(second) }
    if (third !== undefined) return [{ ...parties, amount: item(BigInt(third), 1n) }]
    const raw = `${BigInt(data === '0x' ? '0x0' : data.slice(0, 66))}`
    return [{ ...parties, amount: isSameAddress(token, nativeLogger) ? { raw, ...native } : { raw, token } }]
  }
  if (topic !== topics.transferSingle && topic !== topics.transferBatch) return []
  if (second === undefined || third === undefined) return null
  const parties = { from: addressIn(second), to: addressIn(third) }
  const words = wordsOf(data)
  if (topic === topics.transferSingle) {
    const [id, raw] = words
    return id === undefined || raw === undefined ? null : [{ ...parties, amount: item(id, raw) }]
  }
  const [ids, amounts] = [listIn(words, words[0]), listIn(words, words[1])]
  if (ids === null || amounts === null || ids.length !== amounts.length) return null
  return ids.map((id, at) => ({ ...parties, amount: item(id, amounts[at] ?? 0n) }))
}

function changesOf(own: string, moves: readonly Move[]): readonly BalanceChange[] {
  const sums = new Map<string, { readonly amount: Amount; net: bigint }>()
  for (const { from, to, amount } of moves) {
    const key = `${amount.token?.toLowerCase() ?? ''}/${amount.tokenId ?? ''}`
    const sum = sums.get(key) ?? { amount, net: 0n }
    if (isSameAddress(from, own)) sum.net -= BigInt(amount.raw)
    if (isSameAddress(to, own)) sum.net += BigInt(amount.raw)
    sums.set(key, sum)
  }
  return [...sums.values()]
    .filter(({ net }) => net !== 0n)
    .map(({ amount, net }) => ({
      direction: net > 0n ? 'in' : 'out',
      amount: { ...amount, raw: `${net > 0n ? net : -net}` },
    }))
}

/** The last one per spender and token. */
function approvalsOf(own: string, logs: readonly Log[]): readonly SimulatedApproval[] {
  const last = new Map<string, SimulatedApproval & { readonly isGiven: boolean }>()
  for (const {
    address: token,
    topics: [topic, owner, operator, id],
    data,
  } of logs) {
    if (owner === undefined || operator === undefined || !isSameAddress(addressIn(owner), own)) continue
    const spender = addressIn(operator)
    const [value = 0n] = wordsOf(data)
    if (topic === topics.approvalForAll) last.set(`${token}/${spender}/all`, { spender, token, isGiven: value !== 0n })
    if (topic !== topics.approval) continue
    const amount = id === undefined ? value : BigInt(spender) === 0n ? 0n : 1n
    last.set(`${token}/${id === undefined ? spender : id}`, {
      spender,
      token,
      amount,
      ...(id !== undefined && { tokenId: BigInt(id) }),
      isGiven: amount > 0n,
    })
  }
  return [...last.values()].flatMap(({ isGiven, ...approval }) => (isGiven ? [approval] : []))
}

const wordsOf = (data: string): readonly bigint[] =>
  (data.slice(2).match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`))

function listIn(words: readonly bigint[], offset: bigint | undefined): readonly bigint[] | null {
  if (offset === undefined || offset % 32n !== 0n || offset / 32n >= BigInt(words.length)) return null
  const start = Number(offset / 32n)
  const length = words[start]
  if (length === undefined || length > BigInt(words.length)) return null
  const list = words.slice(start + 1, start + 1 + Number(length))
  return list.length === Number(length) ? list : null
}

function addressIn(topic: string): string {
  return `0x${topic.slice(-40)}`
}
