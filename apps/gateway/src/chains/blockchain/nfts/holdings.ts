/**
 * The NFTs of an EVM account (ERC-721 and ERC-1155).
 *
 * 1. Candidates come from transfer logs of the newest `blocks` blocks, newest first, at most 200. Contracts take turns:
 *    one with thousands hides no others.
 * 2. A candidate counts only if its contract confirms the owner now: `ownerOf`, or a `balanceOf` above zero.
 * 3. If the chain refuses logs, the list is empty.
 * 4. A contract with an oversized response does not confirm, and does not affect the others.
 * @throws {ChainError | UpstreamsFailedError}
 */
import type { CaipNetworkId } from '@postern/protocol'
import {
  type Address,
  decodeAbiParameters,
  encodeFunctionData,
  getAddress,
  type Hex,
  isAddress,
  numberToHex,
  padHex,
  parseAbi,
} from 'viem'
import * as z from 'zod/mini'
import { readNumber, readText, wordSize } from '../accounts/evm-tokens'
import { askAll, type Chain, HexText, Quantity, readUntrusted } from '../chain'
import { newestBlocks, transferBatchTopic, transferSingleTopic, transferTopic } from '../transfer-logs'

export type Collectible = { readonly kind: 'erc721' | 'erc1155'; readonly contract: Address; readonly tokenId: bigint }

const abi = parseAbi([
  'function ownerOf(uint256 tokenId) view returns (address)',
  'function balanceOf(address owner, uint256 id) view returns (uint256)',
  'function name() view returns (string)',
  'function tokenURI(uint256 tokenId) view returns (string)',
  'function uri(uint256 id) view returns (string)',
])

const Logs = z.array(
  z.object({
    address: z.string().check(z.refine((text) => isAddress(text, { strict: false }))),
    topics: z.array(HexText),
    data: HexText,
    blockNumber: Quantity,
  }),
)
type Log = z.infer<typeof Logs>[number]
const maxCollectibles = 200
/** In bytes; fits a megabyte of metadata in base64. */
const maxTextBytes = 1_500_000

export async function readCollectibles(chain: Chain, owner: Address, blocks: number): Promise<Collectible[]> {
  if (blocks === 0) return []
  const { first, last } = await newestBlocks(chain, blocks)
  const topic = padHex(owner, { size: 32 })
  const answers = await askAll(
    chain,
    [
      [transferTopic, null, topic],
      [[transferSingleTopic, transferBatchTopic], null, null, topic],
    ].map((topics) => ({
      method: 'eth_getLogs',
      params: [{ fromBlock: numberToHex(first), toBlock: numberToHex(last), topics }],
    })),
    Logs,
  )
  const logs = answers.flatMap((answer) => answer ?? [])
  logs.sort((a, b) => (a.blockNumber < b.blockNumber ? 1 : a.blockNumber > b.blockNumber ? -1 : 0))
  const byKey = new Map(logs.flatMap(collectiblesOf).map((each) => [keyOf(each), each]))
  return filterOwned(chain, owner, inTurns([...byKey.values()]))
}

function inTurns(all: readonly Collectible[]): Collectible[] {
  const counts = new Map<Address, number>()
  const turns = all.map((collectible) => {
    const turn = counts.get(collectible.contract) ?? 0
    counts.set(collectible.contract, turn + 1)
    return { collectible, turn }
  })
  const chosen = turns.sort((a, b) => a.turn - b.turn).slice(0, maxCollectibles)
  const chosenSet = new Set(chosen.map(({ collectible }) => collectible))
  return all.filter((collectible) => chosenSet.has(collectible))
}

/** @throws {UpstreamsFailedError} */
export async function filterOwned(
  chain: Chain,
  owner: Address,
  candidates: readonly Collectible[],
): Promise<Collectible[]> {
  const answers = await readUntrusted(
    chain,
    candidates.map(({ kind, contract, tokenId }) => ({
      to: contract,
      data:
        kind === 'erc721'
          ? encodeFunctionData({ abi, functionName: 'ownerOf', args: [tokenId] })
          : encodeFunctionData({ abi, functionName: 'balanceOf', args: [owner, tokenId] }),
    })),
    wordSize,
  )
  return candidates.filter(({ kind }, index) => {
    const said = readNumber(answers[index] ?? null)
    return said !== null && (kind === 'erc721' ? said === BigInt(owner) : said > 0n)
  })
}

/** Empty if missing. */
export async function readDescriptions(
  chain: Chain,
  collectibles: readonly Collectible[],
): Promise<{ readonly uri: string; readonly collection: string }[]> {
  const answers = await readUntrusted(
    chain,
    collectibles.flatMap(({ kind, contract, tokenId }) => [
      {
        to: contract,
        data:
          kind === 'erc721'
            ? encodeFunctionData({ abi, functionName: 'tokenURI', args: [tokenId] })
            : encodeFunctionData({ abi, functionName: 'uri', args: [tokenId] }),
      },
      { to: contract, data: encodeFunctionData({ abi, functionName: 'name' }) },
    ]),
    maxTextBytes,
  )
  return collectibles.map((_, index) => ({
    uri: readText(answers[index * 2] ?? null),
    collection: readText(answers[index * 2 + 1] ?? null),
  }))
}

function keyOf({ contract, tokenId }: Collectible): string {
  return `${contract} ${tokenId}`
}

function collectiblesOf({ address, topics, data }: Log): Collectible[] {
  const contract = getAddress(address)
  const [signature, , , last] = topics
  try {
    if (signature === transferTopic && topics.length === 4 && last !== undefined) {
      return [{ kind: 'erc721', contract, tokenId: BigInt(last) }]
    }
    return idsOf(signature, data).map((tokenId) => ({ kind: 'erc1155', contract, tokenId }))
  } catch {
    return []
  }
}

function idsOf(signature: Hex | undefined, data: Hex): readonly bigint[] {
  if (signature === transferSingleTopic)
    return [decodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }], data)[0]]
  return signature === transferBatchTopic ? firstNumbers(data) : []
}

/** The array at the first word. viem takes a second for several megabytes. */
function firstNumbers(data: Hex): bigint[] {
  const bytes = Buffer.from(data.slice(2), 'hex')
  const wordAt = (at: number) => {
    if (at + 32 > bytes.length) throw new RangeError('outside')
    return BigInt(`0x${bytes.toString('hex', at, at + 32)}`)
  }
  const lengthAt = (at: number) => {
    const word = wordAt(at)
    if (word > BigInt(bytes.length)) throw new RangeError('outside')
    return Number(word)
  }
  const start = lengthAt(0)
  const count = Math.min(lengthAt(start), maxCollectibles)
  return Array.from({ length: count }, (_, index) => wordAt(start + 32 * (index + 1)))
}

/**
 * @param contract in any case.
 * @param tokenId in decimal.
 */
export function pictureKey(
  chainId: CaipNetworkId,
  { contract, kind, tokenId }: { readonly contract: string; readonly kind: string; readonly tokenId: string | bigint },
): string {
  return `${chainId}:${getAddress(contract.toLowerCase())}:${kind}:${tokenId}`
}
