/** Fee beyond gas × price, as in the OP stack. */
import { type Address, createTestClient, http, publicActions } from 'viem'
import { devnetGasPriceOracle } from './contracts.gen'

/** Source: https://specs.optimism.io/protocol/predeploys.html */
export const gasPriceOracleAddress: Address = '0x420000000000000000000000000000000000000F'

/** The chain itself does not charge the reported fee. */
export async function deployGasPriceOracle({ rpcUrl }: { readonly rpcUrl: string }): Promise<void> {
  const node = createTestClient({ mode: 'anvil', transport: http(rpcUrl) }).extend(publicActions)
  // A call without a recipient returns the runtime code.
  const { data } = await node.call({ data: devnetGasPriceOracle.bytecode })
  if (data === undefined) throw new Error('The oracle gave no code.')
  await node.setCode({ address: gasPriceOracleAddress, bytecode: data })
}
