/**
 * Transactions of any chain as the history tells them (`TransactionItem` of interop §3).
 *
 * 1. What a transaction was is told by what it moved for the account: `receive` or `mint` (from nobody), `send` or `burn` (to nobody), `trade` where
 *    something came and something went. Where nothing moved it is `approve`, `deploy` or `execute`.
 * 2. Of one that moved something to or from the account in one way, `sentFrom` and `sentTo` are whom it went between, not the contract.
 * 3. A name or symbol lures where it holds an address of the web, or calls to claim, visit or redeem, however it is written. A collectible of such a name is `is_spam`; a
 *    token on no list that came under one unasked is left out, because the contract has no mark for it.
 * 4. Any contract can say that an account moved something. In a transaction that the account did not ask for, a token is left out that moved in an amount of 0, or out of the
 *    account while it is on no list; a collectible that went is `is_spam` where nothing known came for it. What has nothing left then is no item.
 * 5. A collectible has the picture that the gateway serves under its number; one that is spam has none. Whether there is one shows when it is asked for.
 * 6. Texts of contracts are one harmless line.
 */
import type { CaipNetworkId, TransactionItem } from '@postern/protocol'
import { formatUnits, isAddress } from 'viem'
import { iconOf } from '../accounts/balances'
import { lures } from '../lures'
import { pictureKey } from '../nfts/nfts'
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
  /** Of a collectible: its number in the contract, and what it is. */
  readonly tokenId?: string
  readonly kind?: 'erc721' | 'erc1155'
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
  /** Whether the account itself asked for it, as its sender or its signer; what others sent may say anything of it. */
  readonly isOwn: boolean
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
export type Describing = {
  /** The path of a collectible's picture, by its key. */
  readonly imageUrl: (key: string) => string
  readonly tokens: TokenList
  readonly hasTokenImage: (symbol: string) => boolean
}

/** Null for what only somebody else says of it. @param account as the moves write it. */
export function describe(landed: Landed, account: string, describing: Describing): TransactionItem | null {
  const { chainId, hash, status, at, nonce } = landed
  const told = landed.moves.filter(({ from, to }) => from === account || to === account)
  const moves = told.filter((move) => landed.isOwn || isBelieved(chainId, move, account, describing))
  if (moves.length < told.length && moves.length === 0) return null
  const isUnasked = !landed.isOwn && !moves.some((move) => move.to === account && isListed(chainId, move, describing))
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
    transfers:
      moves.length === 0 ? null : moves.map((move) => transferOf(chainId, move, { account, isUnasked }, describing)),
  }
}

function isBelieved(chainId: CaipNetworkId, move: Move, account: string, describing: Describing): boolean {
  if (move.amount === 0n) return move.contract === null
  if (move.tokenId !== undefined || isListed(chainId, move, describing)) return true
  return move.from !== account && !isLuring(move)
}

function isListed(chainId: CaipNetworkId, { contract, tokenId }: Move, { tokens }: Describing): boolean {
  return tokenId === undefined && (contract === null || tokens.find(chainId, contract) !== undefined)
}

function isLuring({ name, symbol }: Move): boolean {
  return lures(name) || lures(symbol)
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
  { account, isUnasked }: { readonly account: string; readonly isUnasked: boolean },
  describing: Describing,
): Transfer {
  const { from, to, amount, decimals, tokenId } = move
  const direction = from !== account ? 'in' : to === account ? 'self' : 'out'
  const quantity = { numeric: formatUnits(amount, decimals) }
  const name = plainText(move.name, 64)
  const symbol = plainText(move.symbol, 32)
  if (tokenId !== undefined) {
    const flags = { is_spam: isLuring(move) || (direction === 'out' && isUnasked) }
    const url = flags.is_spam ? null : pictureOf(chainId, move, describing)
    const content = url !== null && { content: { preview: { url }, detail: null } }
    return { nft_info: { name: `${name} #${tokenId}`.trim(), ...content, flags }, direction, quantity }
  }
  const icon = isListed(chainId, move, describing) ? iconOf(symbol, describing.hasTokenImage) : ''
  return { fungible_info: { name, symbol, ...(icon !== '' && { icon: { url: icon } }) }, direction, quantity }
}

function pictureOf(
  chainId: CaipNetworkId,
  { contract, tokenId = '', kind }: Move,
  { imageUrl }: Describing,
): string | null {
  if (contract === null || kind === undefined || !isAddress(contract, { strict: false })) return null
  return /^\d{1,78}$/.test(tokenId) ? imageUrl(pictureKey(chainId, { contract, kind, tokenId })) : null
}
