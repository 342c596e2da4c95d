/** Solana requests with what an endpoint says before and after them, and what the approval then says. */

import type { ChainClient } from '@postern/chains/chain-client'
import { accountBytes, littleEndian, mintBytes } from '@postern/chains/solana/testing/token-2022'
import { tokenProgram } from '@postern/chains/solana/token-account'
import { base58, base64 } from '@scure/base'
import type { Intent } from '../../../../intent/intent'
import { solanaIntents } from './intents'
import {
  bytesOf,
  keyOf,
  mint,
  type Order,
  owner,
  payer,
  programIds,
  stranger,
  thief,
  tokenAccount,
  transactionOf,
} from './transactions'

const { system, stake: stakeProgram } = programIds
const maxU64 = 2n ** 64n - 1n

export type Told = { readonly lamports: number; readonly data: readonly string[]; readonly owner: string } | null
export const simulated = (program: string, bytes: Uint8Array, lamports = 2_039_280): Told => ({
  lamports,
  data: [base64.encode(bytes), 'base64'],
  owner: program,
})
export const wallet = (lamports = 1_000_000, program = system, size = 0) =>
  simulated(program, new Uint8Array(size), lamports)

type Rights = {
  readonly owner?: string
  readonly amount?: bigint
  readonly delegate?: string
  readonly delegated?: bigint
  readonly closer?: string
}

export function tokens({ owner: of = owner, amount = 9n, delegate, delegated = maxU64, closer }: Rights = {}): Told {
  const bytes = accountBytes({ mint, owner: of, amount })
  if (delegate !== undefined) {
    bytes.set([1, 0, 0, 0, ...base58.decode(delegate)], 72)
    bytes.set(littleEndian(delegated, 8), 121)
  }
  if (closer !== undefined) bytes.set([1, 0, 0, 0, ...base58.decode(closer)], 129)
  return simulated(tokenProgram, bytes)
}

export function stake(staker: string, withdrawer = staker, lamports = 5_000_000, custodian = keyOf(0)): Told {
  const bytes = new Uint8Array(200)
  bytes.set([2, 0, 0, 0, ...new Uint8Array(8), ...[staker, withdrawer].flatMap(bytesOf), ...new Uint8Array(16)])
  bytes.set(bytesOf(custodian), 92)
  return simulated(stakeProgram, bytes, lamports)
}

export function minted(issuer?: string, freezer?: string): Told {
  const bytes = mintBytes()
  bytes.set(issuer === undefined ? new Uint8Array(36) : [1, 0, 0, 0, ...bytesOf(issuer)], 0)
  bytes.set(freezer === undefined ? new Uint8Array(36) : [1, 0, 0, 0, ...bytesOf(freezer)], 46)
  return simulated(tokenProgram, bytes)
}

export function voting(withdrawer: string, node = stranger): Told {
  const bytes = new Uint8Array(3_762)
  bytes.set([2, 0, 0, 0, ...bytesOf(node), ...bytesOf(withdrawer)])
  return simulated('Vote111111111111111111111111111111111111111', bytes, 27_074_400)
}

export function nonce(authority: string): Told {
  const bytes = new Uint8Array(80)
  bytes.set([1, 0, 0, 0, 1, 0, 0, 0, ...base58.decode(authority)])
  return simulated(system, bytes, 1_447_680)
}

export type Accounts = Readonly<Record<string, Told>>

function nodeOf(before: Accounts, after: Accounts): ChainClient['rpc'] {
  const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
  const requests = (config: unknown) => list(Object(Object(config).accounts).addresses)
  const now: Accounts = { ...before, ...after }
  return {
    async request({ method, params }) {
      const [first, second] = list(params)
      if (method === 'getMultipleAccounts') return { value: list(first).map((key) => before[String(key)] ?? null) }
      return { value: { err: null, accounts: requests(second).map((key) => now[String(key)] ?? null) } }
    },
  }
}

export type Attack = {
  readonly orders: readonly Order[]
  /** The first one pays. */
  readonly signers?: readonly string[]
  readonly before?: Accounts
  readonly after?: Accounts
  /** Of further transactions. */
  readonly more?: readonly (readonly Order[])[]
  /** Earlier ones. */
  readonly recipients?: readonly string[]
}

const usual: Accounts = {
  [owner]: wallet(),
  [payer]: wallet(),
  [tokenAccount]: tokens(),
  [mint]: simulated(tokenProgram, mintBytes()),
}

export async function described({
  orders,
  signers = [payer, owner],
  before = {},
  after = {},
  more = [],
  recipients = [],
}: Attack): Promise<Intent> {
  const transactions = [orders, ...more].map((one) => transactionOf(signers, one))
  return (await solanaIntents(transactions, nodeOf({ ...usual, ...before }, after), recipients)).last
}

export const givesControl = { kind: 'givesControl', to: thief }
export const unknown = { kind: 'unknown' }
export const solOut = (raw: string) => ({ direction: 'out', amount: { raw, symbol: 'SOL', decimals: 9 } })
