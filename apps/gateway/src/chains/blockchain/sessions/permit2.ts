/**
 * Token allowances that an account granted through Permit2, such as the wallet's permissions (ERC-7715). The chain is
 * their only reliable list. Source: https://github.com/Uniswap/permit2, IAllowanceTransfer.
 *
 * 1. Grants come from Permit2's logs: of all blocks if the node returns them within 3 s, otherwise of the newest. If
 *    the node refuses both, that is an error.
 * 2. Allowances of one transaction, spender and expiry are one permission. A replaced permission is left out.
 * 3. The remaining amount and the expiry are what Permit2 returns now.
 * 4. It is revoked if a lockdown followed it and nothing remains.
 */

import { limits } from '@postern/protocol'
import {
  type Address,
  concat,
  decodeEventLog,
  decodeFunctionResult,
  encodeEventTopics,
  encodeFunctionData,
  getAddress,
  type Hex,
  hexToBigInt,
  isAddress,
  numberToHex,
  parseAbi,
  size,
  slice,
} from 'viem'
import * as z from 'zod/mini'
import { askAll, BlockTime, type Chain, ChainError, HexText, Quantity, readContracts } from '../chain'
import { inTime } from '../in-time'
import { newestBlocks } from '../transfer-logs'

/** The same on every chain. */
export const permit2: Address = '0x000000000022D473030F116dDEE9F6B43aC78BA3'

const abi = parseAbi([
  'event Approval(address indexed owner, address indexed token, address indexed spender, uint160 amount, uint48 expiration)',
  'event Permit(address indexed owner, address indexed token, address indexed spender, uint160 amount, uint48 expiration, uint48 nonce)',
  'event Lockdown(address indexed owner, address token, address spender)',
  'function allowance(address owner, address token, address spender) view returns (uint160 amount, uint48 expiration, uint48 nonce)',
])
const Log = z.object({
  address: z.string().check(z.refine((text) => isAddress(text, { strict: false }))),
  topics: z.array(HexText).check(z.minLength(1)),
  data: HexText,
  blockNumber: Quantity,
  logIndex: Quantity,
  transactionHash: HexText,
})
type Log = z.infer<typeof Log>

export type Permission = {
  readonly token: Address
  /** In smallest units. */
  readonly allowance: bigint
  readonly remaining: bigint
}
export type Granted = {
  readonly spender: Address
  readonly permissions: readonly Permission[]
  /** Epoch seconds. */
  readonly createdAt: bigint
  readonly expiration: bigint
  /** Null: not revoked. */
  readonly revokedAt: bigint | null
}

type Moment = Pick<Log, 'blockNumber' | 'logIndex' | 'transactionHash'>
type Grant = Moment & {
  readonly kind: 'grant'
  readonly token: Address
  readonly spender: Address
  readonly amount: bigint
  readonly expiration: bigint
}
type Member = { readonly grant: Grant; readonly remaining: bigint }
type Lockdown = Moment & { readonly kind: 'lockdown'; readonly token: Address; readonly spender: Address }

/** Also of the tokens of a permission: each has an event. */
const maxEvents = 500
/** In ms. */
const patience = 3_000

/**
 * Newest first.
 * @param blocks newest blocks to read if the node limits the range.
 * @throws {ChainError | UpstreamsFailedError}
 */
export async function readGranted(chain: Chain, owner: Address, blocks: number): Promise<Granted[]> {
  const events = await readEvents(chain, owner, blocks)
  const locked = new Map<string, Lockdown>()
  const last = new Map<string, Grant>()
  for (const event of events) {
    if (event.kind === 'lockdown') locked.set(keyOf(event), event)
    else last.set(keyOf(event), event)
  }
  const grants = [...last.values()]
  const [allowances, times] = await Promise.all([
    readAllowances(chain, owner, grants),
    readTimes(chain, [...grants, ...locked.values()]),
  ])
  const groups = new Map<string, Member[]>()
  for (const [index, grant] of grants.entries()) {
    const key = `${grant.transactionHash} ${grant.spender} ${grant.expiration}`
    const member = { grant, remaining: allowances[index]?.amount ?? 0n }
    groups.set(key, [...(groups.get(key) ?? []), member])
  }
  const granted = [...groups.values()].flatMap((members): Granted[] => {
    const [first] = members
    if (first === undefined) return []
    const { spender, blockNumber, expiration } = first.grant
    const createdAt = times.get(blockNumber) ?? 0n
    const ends = members.map(({ grant, remaining }) => {
      const end = locked.get(keyOf(grant))
      return end !== undefined && remaining === 0n && isAfter(end, grant) ? (times.get(end.blockNumber) ?? 0n) : null
    })
    return [
      {
        spender,
        permissions: members.map(({ grant, remaining }) => ({
          token: grant.token,
          allowance: grant.amount,
          remaining,
        })),
        createdAt,
        // Permit2 treats 0 as the current block.
        expiration: expiration === 0n ? createdAt : expiration,
        revokedAt: ends.some((end) => end === null) ? null : (ends.flatMap((end) => end ?? [])[0] ?? null),
      },
    ]
  })
  return granted.sort((a, b) => (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : 0))
}

/** `expiration`: epoch seconds. @throws {UpstreamsFailedError} */
export async function readAllowances(
  chain: Chain,
  owner: Address,
  of: readonly { readonly token: Address; readonly spender: Address }[],
): Promise<({ readonly amount: bigint; readonly expiration: bigint } | null)[]> {
  const answers = await readContracts(
    chain,
    of.map(({ token, spender }) => ({
      to: permit2,
      data: encodeFunctionData({ abi, functionName: 'allowance', args: [owner, token, spender] }),
    })),
  )
  return answers.map((answer) => {
    if (answer === null) return null
    try {
      const [amount, expiration] = decodeFunctionResult({ abi, functionName: 'allowance', data: answer })
      return { amount, expiration: BigInt(expiration) }
    } catch {
      return null
    }
  })
}

async function readEvents(chain: Chain, owner: Address, blocks: number): Promise<(Grant | Lockdown)[]> {
  const { first: newest, last } = await newestBlocks(chain, blocks)
  const topics = [
    abi.flatMap((item) => (item.type === 'event' ? encodeEventTopics({ abi, eventName: item.name }).slice(0, 1) : [])),
    encodeEventTopics({ abi, eventName: 'Lockdown', args: { owner } })[1] ?? null,
  ]
  const method = 'eth_getLogs'
  const read = async (from: bigint): Promise<Log[] | null> => {
    const params = [{ address: permit2, fromBlock: numberToHex(from), toBlock: numberToHex(last), topics }]
    const [logs] = await askAll(chain, [{ method, params }], z.array(Log))
    return logs ?? null
  }
  const whole = read(0n).catch(() => null)
  const recent = newest === 0n ? null : await read(newest)
  const logs = (await inTime(whole, null, recent === null ? limits.rpcTimeout : patience)) ?? recent
  if (logs === null) throw new ChainError(method)
  const events = logs.flatMap(readEvent)
  events.sort((a, b) => (isAfter(a, b) ? 1 : -1))
  return events.slice(-maxEvents)
}

function readEvent({ address, topics, data, ...moment }: Log): (Grant | Lockdown)[] {
  if (getAddress(address) !== permit2) return []
  try {
    const [signature, ...rest] = topics
    if (signature === undefined) return []
    const event = decodeEventLog({ abi, topics: [signature, ...rest], data })
    const { token, spender } = event.args
    if (event.eventName === 'Lockdown') return [{ kind: 'lockdown', ...moment, token, spender }]
    const { amount, expiration } = event.args
    return [{ kind: 'grant', ...moment, token, spender, amount, expiration: BigInt(expiration) }]
  } catch {
    return []
  }
}

async function readTimes(chain: Chain, moments: readonly Moment[]): Promise<ReadonlyMap<bigint, bigint>> {
  const numbers = [...new Set(moments.map(({ blockNumber }) => blockNumber))]
  const blocks = await askAll(
    chain,
    numbers.map((number) => ({ method: 'eth_getBlockByNumber', params: [numberToHex(number), false] })),
    BlockTime,
  )
  return new Map(numbers.map((number, index) => [number, blocks[index]?.timestamp ?? 0n]))
}

function keyOf({ token, spender }: Pick<Grant, 'token' | 'spender'>): string {
  return `${token} ${spender}`
}

function isAfter(a: Moment, b: Moment): boolean {
  return a.blockNumber === b.blockNumber ? a.logIndex > b.logIndex : a.blockNumber > b.blockNumber
}

const contextHead: Hex = '0x70737037'

export type PermissionContext = {
  readonly chainId: bigint
  readonly spender: Address
  readonly tokens: readonly Address[]
}

/** For `wallet_revokePermissions`: `"psp7"`, chain id (8 bytes), spender, tokens. */
export function writeContext({ chainId, spender, tokens }: PermissionContext): Hex {
  return concat([contextHead, numberToHex(chainId, { size: 8 }), spender, ...tokens])
}

/** Null if invalid. */
export function readContext(context: Hex): PermissionContext | null {
  const count = (size(context) - 32) / 20
  if (!Number.isInteger(count) || count < 1 || count > maxEvents || slice(context, 0, 4) !== contextHead) return null
  const tokens = Array.from({ length: count }, (_, at) => getAddress(slice(context, 32 + at * 20, 52 + at * 20)))
  return { chainId: hexToBigInt(slice(context, 4, 12)), spender: getAddress(slice(context, 12, 32)), tokens }
}
