/** Fees of the devnet's second chain besides gas × price, as on a rollup. */
import type { Locator } from '@playwright/test'
import { devnetGasPriceOracle, gasPriceOracleAddress } from '@postern/devnet'
import { type Hex, parseEther } from 'viem'
import { secondEvm } from './money'

/** In wei, for these bytes and the operator's gas. */
export async function rollupFee(unsigned: Hex, gas: bigint): Promise<bigint> {
  const oracle = { address: gasPriceOracleAddress, abi: devnetGasPriceOracle.abi } as const
  const [data, operator] = await Promise.all([
    secondEvm.readContract({ ...oracle, functionName: 'getL1Fee', args: [unsigned] }),
    secondEvm.readContract({ ...oracle, functionName: 'getOperatorFee', args: [gas] }),
  ])
  return data + operator
}

export async function feeOnShow(shown: Locator, name: string): Promise<bigint> {
  const text = (await shown.locator(`dt:text-is("${name}") + dd`).textContent()) ?? ''
  return parseEther(text.replaceAll(/[^\d.]/g, ''))
}
