import type { CaipNetworkId } from '@postern/protocol'
import type { Address } from 'viem'
import type { KnownNetwork } from '../account'
import type { Chain } from '../chain'
import { findOwn } from './find-own'
import { readIndexed } from './indexer'
import type { Page } from './landed'
import { readLogHistory } from './log-history'

export async function readEvmHistory(
  network: KnownNetwork,
  address: string,
  cursor: string | null,
  {
    chain,
    indexers,
    fetch,
    logBlocks,
  }: {
    readonly chain: Chain
    readonly indexers: ReadonlyMap<CaipNetworkId, string>
    readonly fetch: typeof globalThis.fetch
    readonly logBlocks: number
  },
): Promise<Page> {
  const url = indexers.get(network.id)
  const owner: Address = `0x${address.slice(2)}`
  const page =
    url === undefined
      ? await readLogHistory(network, owner, cursor, { chain, blocks: logBlocks })
      : await readIndexed(network, owner, cursor, { url, fetch })
  return findOwn(chain, owner, page)
}
