import { concat, type Hex, hexToBigInt, hexToNumber, isHex, numberToHex, size, slice } from 'viem'

/**
 * The id of wallet_sendCalls (EIP-5792), with all that a reloaded frame needs for the status.
 *
 * The hashes, then one word: `"pstn" · kind · number of calls · 2 zeros · deadline or first nonce (8) · 8 zeros · chain
 * id (8)`.
 */
export type CallsId =
  /** `validUntil`: epoch seconds of the chain's clock. */
  | { readonly kind: 'operation'; readonly chainId: number; readonly hash: Hex; readonly validUntil: bigint }
  /** One transaction per call. `planned` is higher if sending stopped early. */
  | {
      readonly kind: 'transactions'
      readonly chainId: number
      readonly hashes: readonly Hex[]
      readonly planned: number
      readonly firstNonce: bigint
    }

const magic = '0x7073746e'
const kinds = { operation: 1, transactions: 2 } as const
/** EIP-5792 limits ids to 4096 bytes. */
const maxHashes = 32

export function writeCallsId(id: CallsId): Hex {
  const isOperation = id.kind === 'operation'
  return concat([
    ...(isOperation ? [id.hash] : id.hashes),
    magic,
    numberToHex(kinds[id.kind], { size: 1 }),
    numberToHex(isOperation ? 1 : id.planned, { size: 1 }),
    numberToHex(0, { size: 2 }),
    numberToHex(isOperation ? id.validUntil : id.firstNonce, { size: 8 }),
    numberToHex(0, { size: 8 }),
    numberToHex(id.chainId, { size: 8 }),
  ])
}

export function readCallsId(text: string): CallsId | null {
  if (!isHex(text) || size(text) % 32 !== 0 || size(text) < 32 || size(text) > (maxHashes + 1) * 32) return null
  const count = size(text) / 32 - 1
  const hashes = Array.from({ length: count }, (_, index) => slice(text, index * 32, index * 32 + 32))
  const id = fromParts(slice(text, -32), hashes)
  return id !== null && writeCallsId(id) === text.toLowerCase() ? id : null
}

function fromParts(word: Hex, hashes: readonly Hex[]): CallsId | null {
  const kind = hexToNumber(slice(word, 4, 5))
  const planned = hexToNumber(slice(word, 5, 6))
  const value = hexToBigInt(slice(word, 8, 16))
  const chain = hexToBigInt(slice(word, 24, 32))
  if (chain === 0n || chain > BigInt(Number.MAX_SAFE_INTEGER)) return null
  const chainId = Number(chain)
  const [hash] = hashes
  if (kind === kinds.operation && hash !== undefined && hashes.length === 1)
    return { kind: 'operation', chainId, hash, validUntil: value }
  if (kind === kinds.transactions && planned > 0 && planned <= maxHashes && hashes.length <= planned)
    return { kind: 'transactions', chainId, hashes, planned, firstNonce: value }
  return null
}
