/** Tokens that return 0.6 MB per call, sent to a victim. */
import { type Address, concat, createTestClient, getAddress, type Hex, numberToHex, size } from 'viem'
import { transferTopic } from '../chains/blockchain/transfer-logs'
import { accountAt, nodeAt } from './devnet'

/** Together above an upstream's limit: 12 MB in hex. */
const floods = 10

/** @returns their addresses. */
export async function sendFloods(port: number, victim: Address): Promise<Address[]> {
  const node = nodeAt(port)
  const client = createTestClient({ mode: 'anvil', transport: node.transport })
  const addresses = Array.from({ length: floods }, (_, index) =>
    getAddress(numberToHex(0xf100d00 + index, { size: 20 })),
  )
  for (const address of addresses) {
    await client.setCode({ address, bytecode: floodCode(victim) })
    await node.send(accountAt(9), { to: address })
  }
  return addresses
}

function floodCode(victim: Address): Hex {
  // `Transfer` to the victim without call data: log3(0, 0, Transfer, 0, victim), stop.
  const send = concat(['0x73', victim, '0x60007f', transferTopic, '0x60006000a300'])
  // With call data: return(0, 600000).
  return concat(['0x3660', numberToHex(4 + size(send), { size: 1 }), '0x57', send, '0x5b620927c06000f3'])
}
