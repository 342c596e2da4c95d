/** The dollar tokens and those of `data/tokens.json`, overridden by `POSTERN_TOKENS`. */
import { readFile } from 'node:fs/promises'
import { CaipNetworkId, namespaceOf } from '@postern/protocol'
import { addressKey } from '@postern/protocol/namespaces/facts'
import { dollarTokens } from '@postern/protocol/networks/dollar-tokens'
import { getAddress, isAddress } from 'viem'
import * as z from 'zod/mini'

/** `address` is EIP-55 or base58. */
export const KnownToken = z.object({
  chainId: CaipNetworkId,
  address: z.string().check(z.maxLength(128)),
  name: z.string().check(z.maxLength(64)),
  symbol: z.string().check(z.maxLength(32)),
  decimals: z.int().check(z.gte(0), z.lte(255)),
})
export type KnownToken = z.infer<typeof KnownToken>

export type TokenList = {
  all(): readonly KnownToken[]
  of(chainId: CaipNetworkId): readonly KnownToken[]
  /** EVM addresses in any case. */
  find(chainId: CaipNetworkId, address: string): KnownToken | undefined
}

const File = z.record(CaipNetworkId, z.array(z.omit(KnownToken, { chainId: true })))

/** Dollar tokens first. @throws if the file is invalid. */
export async function loadTokens(file: string): Promise<KnownToken[]> {
  const lists = File.parse(JSON.parse(await readFile(file, 'utf8')))
  return [dollarTokens, lists].flatMap((byNetwork) =>
    Object.entries(byNetwork).flatMap(([id, tokens]) => {
      const chainId = CaipNetworkId.parse(id)
      return tokens.map((token) => ({ chainId, ...token }))
    }),
  )
}

/** The last of equal addresses wins. */
export function createTokenList(tokens: readonly KnownToken[]): TokenList {
  const byNetwork = new Map<CaipNetworkId, Map<string, KnownToken>>()
  for (const token of tokens) {
    const network = byNetwork.get(token.chainId) ?? new Map<string, KnownToken>()
    byNetwork.set(token.chainId, network)
    network.set(plain(token.chainId, token.address), { ...token, address: normalized(token.chainId, token.address) })
  }
  return {
    all: () => [...byNetwork.values()].flatMap((network) => [...network.values()]),
    of: (chainId) => [...(byNetwork.get(chainId)?.values() ?? [])],
    find: (chainId, address) => byNetwork.get(chainId)?.get(plain(chainId, address)),
  }
}

function plain(chainId: CaipNetworkId, address: string): string {
  return addressKey(namespaceOf(chainId), address)
}

function normalized(chainId: CaipNetworkId, address: string): string {
  return chainId.startsWith('eip155:') && isAddress(address, { strict: false }) ? getAddress(address) : address
}
