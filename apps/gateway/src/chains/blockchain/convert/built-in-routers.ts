/**
 * Official Uniswap V2 deployments. Sources:
 * https://docs.uniswap.org/contracts/v2/reference/smart-contracts/v2-deployments,
 * and `@uniswap/sdk-core` 7.19.4 (MIT); dollars from `data/tokens.json`.
 */
import { CaipNetworkId } from '@postern/protocol'
import { wrappedNatives } from '@postern/protocol/networks/wrapped-natives'
import type { Address } from 'viem'

type BuiltIn = {
  readonly router: Address
  readonly factory: Address
  readonly wrapped: Address
  readonly dollar: Address
}

const table = {
  'eip155:1': {
    router: '0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D',
    factory: '0x5C69bEe701ef814a2B6a3EDD4B1652CB9cc5aA6f',
    wrapped: wrappedNatives['eip155:1'],
    dollar: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  },
  'eip155:10': {
    router: '0x4A7b5Da61326A6379179b40d00F57E5bbDC962c2',
    factory: '0x0c3c1c532F1e39EdF36BE9Fe0bE1410313E074Bf',
    wrapped: wrappedNatives['eip155:10'],
    dollar: '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85',
  },
  'eip155:56': {
    router: '0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24',
    factory: '0x8909Dc15e40173Ff4699343b6eB8132c65e18eC6',
    wrapped: wrappedNatives['eip155:56'],
    dollar: '0x55d398326f99059fF775485246999027B3197955',
  },
  'eip155:137': {
    router: '0xedf6066a2b290C185783862C7F4776A2C8077AD1',
    factory: '0x9e5A52f57b3038F1B8EeE45F28b3C1967e22799C',
    wrapped: wrappedNatives['eip155:137'],
    dollar: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
  },
  'eip155:8453': {
    router: '0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24',
    factory: '0x8909Dc15e40173Ff4699343b6eB8132c65e18eC6',
    wrapped: wrappedNatives['eip155:8453'],
    dollar: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  },
  'eip155:42161': {
    router: '0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24',
    factory: '0xf1D7CC64Fb4452F05c498126312eBE29f30Fbcf9',
    wrapped: wrappedNatives['eip155:42161'],
    dollar: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
  },
  'eip155:43114': {
    router: '0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24',
    factory: '0x9e5A52f57b3038F1B8EeE45F28b3C1967e22799C',
    wrapped: wrappedNatives['eip155:43114'],
    dollar: '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E',
  },
} as const satisfies Readonly<Record<string, BuiltIn>>

export const builtInRouters: ReadonlyMap<CaipNetworkId, BuiltIn> = new Map<CaipNetworkId, BuiltIn>(
  Object.entries(table).map(([id, router]) => [CaipNetworkId.parse(id), router]),
)
