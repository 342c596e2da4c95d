import { standardChains as chains } from '@postern/protocol/namespaces/standard-chains'
import type { CaipNetworkId } from '../types/index'

export function fromStandardChain(chain: unknown): CaipNetworkId | undefined {
  return typeof chain === 'string' && Object.hasOwn(chains, chain) ? chains[chain] : undefined
}

export function toStandardChain(id: unknown): string | undefined {
  return Object.keys(chains).find((chain) => chains[chain] === id)
}
