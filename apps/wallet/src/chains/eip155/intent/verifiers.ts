/** Contracts that enforce an order's or a swap's promise. Any other contract takes all that it was allowed. */
import { safeContracts } from '@postern/chains/eip155/safe-contracts'
import { isSameAddress } from '@postern/chains/same-address'
import type { CaipNetworkId } from '@postern/protocol'
import { wrappedNatives } from '@postern/protocol/networks/wrapped-natives'

export type Exchange = 'seaport' | 'cow' | 'zeroEx' | 'uniswapX'

/** `*`: every network, because the address depends on the contract's code. */
const verifiers: Readonly<Record<Exchange, Readonly<Record<string, readonly string[]>>>> = {
  // https://github.com/ProjectOpenSea/seaport, deployments of 1.1, 1.4, 1.5 and 1.6
  seaport: {
    '*': [
      '0x00000000006c3852cbEf3e08E8dF289169EdE581',
      '0x00000000000001ad428e4906aE43D8F9852d0dD6',
      '0x00000000000000ADc04C56Bf30aC9d3c0aAF14dC',
      '0x0000000000000068F116a894984e2DB1123eB395',
    ],
  },
  // https://github.com/cowprotocol/contracts, GPv2Settlement
  cow: { '*': ['0x9008D19f58AAbD9eD0D60971565AA8510560ab41'] },
  // https://github.com/0xProject/protocol, addresses.json, exchangeProxy
  zeroEx: {
    ...Object.fromEntries(
      ['1', '56', '137', '8453', '42161', '42220', '43114'].map((chain) => [
        `eip155:${chain}`,
        ['0xDef1C0ded9bec7F1a1670819833240f027b25EfF'],
      ]),
    ),
    'eip155:10': ['0xDEF1ABE32c034e558Cdd535791643C58a13aCC10'],
  },
  // https://github.com/Uniswap/sdks, uniswapx-sdk, REACTOR_ADDRESS_MAPPING
  uniswapX: {
    'eip155:1': [
      '0x6000da47483062A0D734Ba3dc7576Ce6A0B645C4',
      '0x00000011F84B9aa48e5f8aA8B9897600006289Be',
      '0x0000000015757c461808EA25Eb309638B62681cf',
    ],
    'eip155:130': ['0x00000006021a6Bce796be7ba509BBBA71e956e37', '0x000000005aF66799D1a6317714D66800f9CA1406'],
    'eip155:137': ['0x6000da47483062A0D734Ba3dc7576Ce6A0B645C4'],
    'eip155:8453': ['0x000000001Ec5656dcdB24D90DFa42742738De729', '0x000000008a8330B5d1F43A62Bf4C673A49f27ba0'],
    'eip155:42161': ['0x1bd1aAdc9E230626C44a139d7E70d842749351eb', '0xB274d5F4b833b61B340b654d600A864fB604a87c'],
  },
}

/** V2, V3, and the second of V3, with another address on Base. */
const routerV2 = '0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D'
const swapRouter = '0xE592427A0AEce92De3Edee1F18E0157C05861564'
const swapRouter02 = '0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45'
const swapRouter02OnBase = '0x2626664c2603336E57B271c5C0b26F421741e481'

/** Source: https://docs.uniswap.org/contracts, deployments of V2 and V3. */
const uniswapRouters: Readonly<Record<string, readonly string[]>> = {
  'eip155:1': [routerV2, swapRouter, swapRouter02],
  'eip155:10': [swapRouter, swapRouter02],
  'eip155:137': [swapRouter, swapRouter02],
  'eip155:8453': [swapRouter02OnBase],
  'eip155:42161': [swapRouter, swapRouter02],
}

export function isSwapRouter02(contract: string): boolean {
  return [swapRouter02, swapRouter02OnBase].some((one) => isSameAddress(one, contract))
}

/**
 * Contracts that only make the calls inside of a call. Source: https://github.com/safe-global/safe-deployments,
 * MultiSend and MultiSendCallOnly of 1.3.0, 1.4.1 and 1.5.0
 */
const multiSends: readonly string[] = [
  '0xA238CBeb142c10Ef7Ad8442C6D1f9E89e07e7761',
  '0x998739BFdAAdde7C933B942a68053933098f9EDa',
  '0x40A2aCCbd92BCA938b02010E17A5b8929b49130D',
  '0xA1dabEF33b3B82c7814B6D82A79e50F4AC44102B',
  safeContracts.multiSend,
  safeContracts.multiSendCallOnly,
  '0x218543288004CD07832472D464648173c77D7eB7',
  '0xA83c336B20401Af773B6219BA5027174338D1836',
]

export function isMultiSend(contract: string): boolean {
  return multiSends.some((one) => isSameAddress(one, contract))
}

export function isVerifier(exchange: Exchange, networkId: CaipNetworkId, contract: string): boolean {
  const byNetwork = verifiers[exchange]
  return [...(byNetwork['*'] ?? []), ...(byNetwork[networkId] ?? [])].some((one) => isSameAddress(one, contract))
}

/** @param chosen by the operator */
export function routersOf(networkId: CaipNetworkId, chosen: readonly string[] = []): readonly string[] {
  return [...(uniswapRouters[networkId] ?? []), ...chosen]
}

export function exchangesOf(networkId: CaipNetworkId, chosen?: readonly string[]) {
  const wrapped = new Map<string, string>(Object.entries(wrappedNatives)).get(networkId)
  return { routers: routersOf(networkId, chosen), wrapped }
}
