import { standardChains } from '@postern/protocol/standard-chains'
import type { CaipNetworkId } from '../types'

export const bitcoinChains = {
  mainnet: standardChains['bitcoin:mainnet'],
  testnet: standardChains['bitcoin:testnet'],
  signet: standardChains['bitcoin:signet'],
  regtest: standardChains['bitcoin:regtest'],
}

const chains: Readonly<Record<string, CaipNetworkId>> = standardChains

export function fromStandardChain(chain: unknown): CaipNetworkId | undefined {
  return typeof chain === 'string' && Object.hasOwn(chains, chain) ? chains[chain] : undefined
}

export function toStandardChain(id: unknown): string | undefined {
  return Object.keys(chains).find((chain) => chains[chain] === id)
}
