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

const maxUnlisted = 100

type EvmReading = {
  readonly chain: Chain
  readonly tokens: TokenList
  /** Newest blocks to scan for unlisted tokens. */
  readonly scanBlocks: number
}

/**
 * 1. The native currency is always included, tokens only with a balance.
 * 2. Tokens are the listed ones, and those of Transfer logs to the account in the last `scanBlocks` blocks. If an
 *    upstream refuses logs, only the latter are missing.
 * 3. An unlisted token with an oversized response is left out alone.
 * 4. An unreadable listed token is an error, never a zero balance.
 * @throws {ChainError | UpstreamsFailedError}
 */
export async function readEvmBalances(
  network: KnownNetwork,
  account: string,
  { chain, tokens, scanBlocks }: EvmReading,
): Promise<Holding[]> {
  const chainId = network.id
  const address = getAddress(account)
  const [amount, listed, recent] = await Promise.all([
    ask(chain, { method: 'eth_getBalance', params: [address, 'latest'] }, Quantity),
    readListed(network, address, chain, tokens),
    scanBlocks === 0 ? [] : findTokens(chain, address, scanBlocks).catch(() => []),
  ])
  const unlisted = recent.filter((token) => tokens.find(chainId, token) === undefined)
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
  const holdings = addresses.flatMap((address, index) => {
    const amount = amounts[index] ?? 0n
    return amount === 0n ? [] : [{ address, amount }]
  })
  const facts = await readTokenFacts(
    chain,
    holdings.map(({ address }) => address),
  )
  return holdings.flatMap(({ address, amount }, index): Holding[] => {
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
  // Newest first.
  return [...new Set(addresses.reverse())].slice(0, maxUnlisted)
}
