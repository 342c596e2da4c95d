/**
 * Turns transactions of any chain into history entries (`TransactionItem` of interop §3).
 *
 * 1. The account's transfers make the type: `receive` or `mint`, `send` or `burn` (zero address), `trade` if assets
 *    went both ways. Without transfers: `approve`, `deploy` or `execute`.
 * 2. If transfers go one way, `sentFrom` and `sentTo` are their parties, not the contract.
 * 3. An NFT whose name is a lure (`phishing.ts`) is `is_spam`. An unrequested unlisted token with such a name is left
 *    out: the schema has no flag for it.
 * 4. Any contract can claim a transfer of an account. In a transaction that the account did not request, a token
 *    transfer of 0, or of an outgoing unlisted token, is left out; an outgoing NFT is `is_spam` unless a known token
 *    came in return. A transaction without transfers left is no entry.
 * 5. An NFT has the picture that the gateway serves for its id; spam has none.
 * 6. Text from contracts is one sanitised line.
 */
import type { CaipNetworkId, TransactionItem } from '@postern/protocol'
import { formatUnits, isAddress } from 'viem'
import { iconOf } from '../accounts/holding'
import { pictureKey } from '../nfts/holdings'
import { isLure } from '../phishing'
import { plainText } from '../plain-text'
import type { TokenList } from '../tokens'

export type Move = {
  readonly from: string
  readonly to: string
  /** In smallest units. */
  readonly amount: bigint
  readonly decimals: number
  readonly name: string
  readonly symbol: string
  /** Null for the native currency. */
  readonly contract: string | null
  /** For NFTs. */
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
  /** The account sent or signed it; others' transactions may claim anything. */
  readonly isOwn: boolean
  readonly moves: readonly Move[]
  /** Type without moves. */
  readonly otherwise: 'approve' | 'deploy' | 'execute'
}

export type Page = {
  /** Newest first. */
  readonly landed: readonly Landed[]
  /** Cursor; null on the last page. */
  readonly next: string | null
}

const emptyAddress = /^(?:0x0{40}|1{32})$/
export type Describing = {
  readonly imageUrl: (key: string) => string
  readonly tokens: TokenList
  readonly hasTokenImage: (symbol: string) => boolean
}

/** Null if only untrusted claims are left. @param account as in `moves`. */
export function describe(landed: Landed, account: string, describing: Describing): TransactionItem | null {
  const { chainId, hash, status, at, nonce } = landed
  const ownMoves = landed.moves.filter(({ from, to }) => from === account || to === account)
  const moves = ownMoves.filter((move) => landed.isOwn || isBelieved(chainId, move, account, describing))
  if (moves.length < ownMoves.length && moves.length === 0) return null
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
  return move.from !== account && !isLure(move)
}

function isListed(chainId: CaipNetworkId, { contract, tokenId }: Move, { tokens }: Describing): boolean {
  return tokenId === undefined && (contract === null || tokens.find(chainId, contract) !== undefined)
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
  if (move.from === account) return emptyAddress.test(move.to) ? 'burn' : 'send'
  return emptyAddress.test(move.from) ? 'mint' : 'receive'
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
    const flags = { is_spam: isLure(move) || (direction === 'out' && isUnasked) }
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
