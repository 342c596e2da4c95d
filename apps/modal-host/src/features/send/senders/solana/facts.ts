import { loadAdapter } from '@postern/chains/adapters'
import type { ChainClient } from '@postern/chains/chain-client'
import { askNode } from '@postern/chains/nodes/ask-node'
import type { JsonRpcClient } from '@postern/chains/nodes/json-rpc'
import { AccountData } from '@postern/chains/solana/account-data'
import { programs } from '@postern/chains/solana/programs'
import {
  feeAt,
  feesDiffer,
  type Mint,
  readMint,
  readTokenAccount,
  type TokenAccount,
  type TransferFee,
} from '@postern/chains/solana/token-account'
import { base64 } from '@scure/base'
import * as z from 'zod/mini'
import type { Draft, Quote } from '../sender'
import { type ComputeOffer, offerOf, recentPrice } from './compute'

export type SolanaFacts = {
  readonly native: bigint
  /** Min balance of an account without data. */
  readonly emptyRent: bigint
  readonly recipient: 'unknown' | 'new' | 'account' | 'program' | 'tokenAccount'
  readonly tokens: SolanaTokenFacts | null
  readonly compute: ComputeOffer
}

export type SolanaTokenFacts = {
  readonly program: string
  /** The sender's fullest token account. */
  readonly source: string
  readonly balance: bigint
  /** Null without a recipient. */
  readonly destination: string | null
  /** 0 if the account exists. */
  readonly rent: bigint
  /** Null if the mint never charges one. */
  readonly fee: TransferFee | null
  readonly obstacle: NonNullable<Quote['obstacle']> | null
  readonly refusal: Quote['refusal']
  readonly canBeTakenBack: boolean
}

export const confirmed = { commitment: 'confirmed' }

export async function readSolanaFacts(
  { account, token, to, network }: Draft,
  client: ChainClient,
  signal: AbortSignal,
): Promise<SolanaFacts> {
  const { rpc } = client
  const adapter = await loadAdapter(network.chainNamespace)
  const [native, emptyRent, own, [mint = null], [found = null], price] = await Promise.all([
    adapter.nativeBalance(client, account.address, signal),
    rentOf(rpc, 0, signal),
    token.address === null ? null : fullestAccount(rpc, account.address, token.address, signal),
    token.address === null ? [] : readAccounts(rpc, [token.address], signal),
    to === null ? [] : readAccounts(rpc, [to], signal),
    recentPrice(rpc, to === null ? [account.address] : [account.address, to], signal),
  ])
  const recipient = to === null ? 'unknown' : kindOf(found)
  if (token.address === null) return { native, emptyRent, recipient, tokens: null, compute: offerOf('lamports', price) }
  const compute = offerOf('tokens', price)
  if (own === null) return { native, emptyRent, recipient, tokens: { ...nothing, source: account.address }, compute }
  const { program, address: source, amount: balance } = own
  const rules = mint === null || mint.owner !== program ? null : readMint(program, mint.data)
  const known = {
    ...nothing,
    program,
    source,
    balance,
    obstacle: obstacleOf(program, rules, own),
    fee: await feeNow(rpc, rules, signal),
    canBeTakenBack: rules?.canBeTakenBack === true,
  }
  if (to === null) return { native, emptyRent, recipient, tokens: known, compute }
  const { associatedAccount } = await import('@postern/chains/solana/program-address')
  const destination = associatedAccount(to, token.address, program)
  const [there = null] = await readAccounts(rpc, [destination], signal)
  const isNew = there === null || there.owner === programs.system
  const recipientAccount = isNew || there.owner !== program ? null : readTokenAccount(program, there.data)
  const rent = isNew ? await rentOf(rpc, rules?.accountSize ?? plainSize, signal) : 0n
  return {
    native,
    emptyRent,
    recipient: isNew || recipientAccount?.owner === to ? recipient : 'tokenAccount',
    tokens: {
      ...known,
      destination,
      rent,
      refusal: recipientAccount === null ? refusalOfNew(rules) : refusalOf(recipientAccount),
    },
    compute: isNew ? offerOf('opening', price) : compute,
  }
}

/** In bytes. Source: spl-token's state.rs. */
const plainSize = 165

const nothing: SolanaTokenFacts = {
  program: programs.token,
  source: '',
  balance: 0n,
  destination: null,
  rent: 0n,
  fee: null,
  obstacle: null,
  refusal: null,
  canBeTakenBack: false,
}

/** Mints of the original program have no extensions. */
function obstacleOf(program: string, mint: Mint | null, own: TokenAccount): SolanaTokenFacts['obstacle'] {
  if (mint === null && program !== programs.token) return 'unreadable'
  return mint?.obstacle ?? (own.isFrozen ? 'frozen' : null)
}

function refusalOfNew(mint: Mint | null): Quote['refusal'] {
  return mint?.isFrozenAtFirst ? 'newFrozen' : null
}

function refusalOf({ isFrozen, needsMemo, isConfidentialOnly }: TokenAccount): Quote['refusal'] {
  if (isFrozen) return 'theirFrozen'
  if (needsMemo) return 'memo'
  return isConfidentialOnly ? 'confidential' : null
}

const Epoch = z.object({ epoch: z.int().check(z.gte(0)) })

/** The current epoch's fee: an announced fee applies two epochs later. */
async function feeNow(rpc: JsonRpcClient, mint: Mint | null, signal: AbortSignal): Promise<TransferFee | null> {
  const fees = mint?.fees ?? null
  if (fees === null || !feesDiffer(fees)) return fees?.newer ?? null
  const { epoch } = await askNode(rpc, Epoch, 'getEpochInfo', [confirmed], signal)
  return feeAt(fees, BigInt(epoch))
}

type ChainAccount = { readonly owner: string; readonly executable: boolean; readonly data: Uint8Array }

const AccountInfo = z.pipe(
  z.object({
    owner: z.string(),
    executable: z.boolean(),
    data: AccountData.check(z.refine(([text]) => text.length <= 1_000_000)),
  }),
  z.transform(({ owner, executable, data }): ChainAccount => ({ owner, executable, data: base64.decode(data[0]) })),
)
const Accounts = z.object({ value: z.array(z.nullable(AccountInfo)) })
const TokenAccounts = z.object({ value: z.array(z.object({ pubkey: z.string(), account: AccountInfo })) })
const Lamports = z.pipe(
  z.int().check(z.gte(0)),
  z.transform((value) => BigInt(value)),
)

async function readAccounts(
  rpc: JsonRpcClient,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<readonly (ChainAccount | null)[]> {
  const options = { ...confirmed, encoding: 'base64' }
  return (await askNode(rpc, Accounts, 'getMultipleAccounts', [addresses, options], signal)).value
}

function kindOf(account: ChainAccount | null): SolanaFacts['recipient'] {
  if (account === null) return 'new'
  if (account.executable) return 'program'
  return account.owner === programs.token || account.owner === programs.token2022 ? 'tokenAccount' : 'account'
}

type HeldAccount = TokenAccount & { readonly address: string; readonly program: string }

async function fullestAccount(
  rpc: JsonRpcClient,
  owner: string,
  mint: string,
  signal: AbortSignal,
): Promise<HeldAccount | null> {
  const options = { ...confirmed, encoding: 'base64' }
  const { value } = await askNode(rpc, TokenAccounts, 'getTokenAccountsByOwner', [owner, { mint }, options], signal)
  const accounts = value.flatMap(({ pubkey, account }): HeldAccount[] => {
    const read = readTokenAccount(account.owner, account.data)
    return read === null ? [] : [{ ...read, address: pubkey, program: account.owner }]
  })
  const open = accounts.filter(({ isFrozen }) => !isFrozen)
  return (open.length > 0 ? open : accounts).reduce<HeldAccount | null>(
    (fullest, one) => (fullest === null || one.amount > fullest.amount ? one : fullest),
    null,
  )
}

/** Min balance in lamports for an account of `size` bytes. */
function rentOf(rpc: JsonRpcClient, size: number, signal: AbortSignal): Promise<bigint> {
  return askNode(rpc, Lamports, 'getMinimumBalanceForRentExemption', [size], signal)
}
