import { type Address, encodeFunctionData, getAddress, isAddress, numberToHex, padHex, parseAbi } from 'viem'
import * as z from 'zod/mini'
import type { KnownNetwork } from '../account'
import { ask, askAll, type Chain, Quantity, readContracts, readUntrusted } from '../chain'
import type { TokenList } from '../tokens'
import { newestBlocks, transferTopic } from '../transfer-logs'
import { readNumber, readTokenFacts, wordSize } from './evm-tokens'
import type { Holding } from './holding'

const abi = parseAbi(['function balanceOf(address owner) view returns (uint256)'])
const Logs = z.array(z.object({ address: z.string(), topics: z.array(z.string()) }))

/** Tokens that an account was sent lately and no list knows. The rest of a flood of them is left out. */
const mostFound = 100

type EvmReading = {
  readonly chain: Chain
  readonly tokens: TokenList
  /** How many of the newest blocks are looked through for tokens that no list knows; 0: none. */
  readonly scanBlocks: number
}

/**
 * 1. The network's own currency is always told, tokens where there are any of them.
 * 2. Tokens are those of the lists and those whose Transfer logs of the last `scanBlocks` blocks lead to the account. An upstream that refuses
 *    logs costs the latter alone.
 * 3. Those that no list knows are strangers' contracts: one whose answer is more than can be taken is left out, and hides none of the others.
 * 4. What could not be read is never told as nothing: a listed token that could not be asked about is an error.
 * @throws {ChainError} and {UpstreamsFailedError}
 */
export async function readEvmBalances(
  network: KnownNetwork,
  address: Address,
  { chain, tokens, scanBlocks }: EvmReading,
): Promise<Holding[]> {
  const chainId = network.id
  const [amount, listed, found] = await Promise.all([
    ask(chain, { method: 'eth_getBalance', params: [address, 'latest'] }, Quantity),
    readListed(network, address, chain, tokens),
    scanBlocks === 0 ? [] : findTokens(chain, address, scanBlocks).catch(() => []),
  ])
  const unlisted = found.filter((token) => tokens.find(chainId, token) === undefined)
  const native = { chainId, address: null, ...network.definition.nativeCurrency, amount, isListed: true }
  return [native, ...listed, ...(await readUnlisted(network, address, chain, unlisted))]
}

async function readListed(network: KnownNetwork, owner: Address, chain: Chain, tokens: TokenList): Promise<Holding[]> {
  const known = tokens.of(network.id)
  const amounts = await readBalances(
    readContracts,
    chain,
    owner,
    known.map(({ address }) => getAddress(address)),
  )
  return known.flatMap((token, index): Holding[] => {
    const amount = amounts[index] ?? 0n
    return amount === 0n ? [] : [{ ...token, amount, isListed: true }]
  })
}

async function readUnlisted(
  network: KnownNetwork,
  owner: Address,
  chain: Chain,
  addresses: readonly Address[],
): Promise<Holding[]> {
  const amounts = await readBalances((of, calls) => readUntrusted(of, calls, wordSize), chain, owner, addresses)
  const held = addresses.flatMap((address, index) => {
    const amount = amounts[index] ?? 0n
    return amount === 0n ? [] : [{ address, amount }]
  })
  const facts = await readTokenFacts(
    chain,
    held.map(({ address }) => address),
  )
  return held.flatMap(({ address, amount }, index): Holding[] => {
    const token = facts[index]
    return token == null ? [] : [{ chainId: network.id, address, ...token, amount, isListed: false }]
  })
}

async function readBalances(
  read: typeof readContracts,
  chain: Chain,
  owner: Address,
  tokens: readonly Address[],
): Promise<(bigint | null)[]> {
  const data = encodeFunctionData({ abi, functionName: 'balanceOf', args: [owner] })
  const answers = await read(
    chain,
    tokens.map((to) => ({ to, data })),
  )
  return answers.map(readNumber)
}

async function findTokens(chain: Chain, owner: Address, blocks: number): Promise<Address[]> {
  const { first, last } = await newestBlocks(chain, blocks)
  const filter = {
    fromBlock: numberToHex(first),
    toBlock: numberToHex(last),
    topics: [transferTopic, null, padHex(owner, { size: 32 })],
  }
  const [logs] = await askAll(chain, [{ method: 'eth_getLogs', params: [filter] }], Logs)
  const addresses = (logs ?? []).flatMap(({ address, topics }) =>
    topics.length === 3 && isAddress(address, { strict: false }) ? [getAddress(address)] : [],
  )
  // The newest first.
  return [...new Set(addresses.reverse())].slice(0, mostFound)
}
