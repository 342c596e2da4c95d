/** What says that a chain takes a fee beside gas × price, as rollups of the OP stack do. */
import { type Address, createTestClient, http, publicActions } from 'viem'
import { devnetGasPriceOracle } from './contracts.gen'

/** Source: https://specs.optimism.io/protocol/predeploys.html */
export const gasPriceOracleAddress: Address = '0x420000000000000000000000000000000000000F'

/** Puts the oracle where rollups are born with it. The chain itself charges none of what it says. */
export async function deployGasPriceOracle({ rpcUrl }: { readonly rpcUrl: string }): Promise<void> {
  const node = createTestClient({ mode: 'anvil', transport: http(rpcUrl) }).extend(publicActions)
  // Calling creation code as if to deploy it answers with the code that the contract would have.
  const { data } = await node.call({ data: devnetGasPriceOracle.bytecode })
  if (data === undefined) throw new Error('The oracle gave no code.')
  await node.setCode({ address: gasPriceOracleAddress, bytecode: data })
}
