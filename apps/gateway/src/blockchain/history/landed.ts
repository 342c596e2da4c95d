/**
 * Transactions of any chain as the history tells them (`TransactionItem` of interop §3).
 *
 * 1. What a transaction was is told by what it moved for the account: `receive` or `mint` (from nobody), `send` or `burn` (to nobody), `trade` where
 *    something came and something went. Where nothing moved it is `approve`, `deploy` or `execute`.
 * 2. Of one that moved something to or from the account in one way, `sentFrom` and `sentTo` are whom it went between, not the contract.
 * 3. A collectible is `is_spam` where its name or symbol holds an address of the web, or calls to claim, visit or redeem.
 * 4. Texts of contracts are one harmless line.
 */
import type { CaipNetworkId, TransactionItem } from '@postern/protocol'
import { formatUnits } from 'viem'
import { iconOf } from '../accounts/balances'
import { plainText } from '../plain-text'
import type { TokenList } from '../tokens'

export type Move = {
  readonly from: string
  readonly to: string
  /** Whole smallest units. */
  readonly amount: bigint
  readonly decimals: number
  readonly name: string
  readonly symbol: string
  /** Null for the network's own currency. */
  readonly contract: string | null
  /** Of a collectible: its number in the contract. */
  readonly tokenId?: string
}

export type Landed = {
  readonly chainId: CaipNetworkId
  readonly hash: string
  readonly status: 'confirmed' | 'failed' | 'pending'
  /** Epoch milliseconds. */
  readonly at: number
  readonly from: string
  readonly to: string
  readonly nonce?: number
  readonly moves: readonly Move[]
  /** What it was where it moved nothing. */
  readonly otherwise: 'approve' | 'deploy' | 'execute'
}

export type Page = {
  /** The newest first. */
  readonly landed: readonly Landed[]
  /** Of the page after this one; null where there is none. */
  readonly next: string | null
}

/** EVM's zero address, and Solana's system program. */
const nobody = /^(?:0x0{40}|1{32})$/
const lure =
  /https?:|www\.|\.(?:com|io|org|net|xyz|app|site|top|gift|claim|finance|live|fun|vip)\b|\b(?:claim|visit|redeem|airdrop|reward)/i

export type Describing = {
  readonly tokens: TokenList
  readonly hasTokenImage: (symbol: string) => boolean
}

/** @param account as the moves write it. */
export function describe(landed: Landed, account: string, describing: Describing): TransactionItem {
  const { chainId, hash, status, at, nonce } = landed
  const moves = landed.moves.filter(({ from, to }) => from === account || to === account)
  const [only] = moves
  const ends = only !== undefined && !isTrade(moves, account) ? only : landed
  return {
    id: `${chainId}:${hash}`,
    metadata: {
      operationType: operationOf(landed, moves, account),
      hash,
      status,
      sentFrom: ends.from,
      sentTo: ends.to,
      minedAt: new Date(at).toISOString(),
      chain: chainId,
      ...(nonce !== undefined && { nonce }),
    },
    transfers: moves.length === 0 ? null : moves.map((move) => transferOf(chainId, move, account, describing)),
  }
}

function isTrade(moves: readonly Move[], account: string): boolean {
  return (
    moves.some(({ from, to }) => from === account && to !== account) &&
    moves.some(({ from, to }) => to === account && from !== account)
  )
}

function operationOf({ otherwise }: Landed, moves: readonly Move[], account: string): string {
  const [move] = moves
  if (move === undefined) return otherwise
  if (isTrade(moves, account)) return 'trade'
  if (move.from === account) return nobody.test(move.to) ? 'burn' : 'send'
  return nobody.test(move.from) ? 'mint' : 'receive'
}

type Transfer = NonNullable<TransactionItem['transfers']>[number]

function transferOf(
  chainId: CaipNetworkId,
  move: Move,
  account: string,
  { tokens, hasTokenImage }: Describing,
): Transfer {
  const { from, to, amount, decimals, contract, tokenId } = move
  const direction = from !== account ? 'in' : to === account ? 'self' : 'out'
  const quantity = { numeric: formatUnits(amount, decimals) }
  const name = plainText(move.name, 64)
  const symbol = plainText(move.symbol, 32)
  if (tokenId !== undefined) {
    const flags = { is_spam: lure.test(move.name) || lure.test(move.symbol) }
    return { nft_info: { name: `${name} #${tokenId}`.trim(), flags }, direction, quantity }
  }
  const isListed = contract === null || tokens.find(chainId, contract) !== undefined
  const icon = isListed ? iconOf(symbol, hasTokenImage) : ''
  return { fungible_info: { name, symbol, ...(icon !== '' && { icon: { url: icon } }) }, direction, quantity }
}
