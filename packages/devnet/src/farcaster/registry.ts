/** The registry that maps custody addresses to users, at its real address. */
import { createTestClient, createWalletClient, http, keccak256, parseEther, publicActions, stringToHex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { devnetChain } from '../account-abstraction/deploy'
import { devnetIdRegistry } from '../evm/contracts.gen'
import { idRegistryAddress } from '../networks'

export type IdRegistry = {
  /** A user's id, assigned on first use. */
  fidOf(custody: PrivateKeyAccount): Promise<bigint>
}

/** The same name is the same user; anyone may use any name. */
export const custodyOf = (username: string): PrivateKeyAccount =>
  privateKeyToAccount(keccak256(stringToHex(`Postern devnet: custody of ${username}`)))

export async function deployIdRegistry({
  rpcUrl,
  chainId,
}: {
  readonly rpcUrl: string
  readonly chainId: number
}): Promise<IdRegistry> {
  const chain = devnetChain(rpcUrl, chainId)
  const transport = http(rpcUrl)
  const node = createTestClient({ mode: 'anvil', chain, transport, pollingInterval: 20 }).extend(publicActions)
  const registrar = custodyOf('the registrar of all other users')
  const wallet = createWalletClient({ account: registrar, chain, transport })
  const registry = { abi: devnetIdRegistry.abi, address: idRegistryAddress } as const
  // A call without a recipient returns the runtime code.
  const { data } = await node.call({ data: devnetIdRegistry.bytecode })
  if (data === undefined) throw new Error('The IdRegistry gave no code.')
  await Promise.all([
    node.setCode({ address: idRegistryAddress, bytecode: data }),
    node.setBalance({ address: registrar.address, value: parseEther('100') }),
  ])

  const read = (address: PrivateKeyAccount['address']) =>
    node.readContract({ ...registry, functionName: 'idOf', args: [address] })
  // One at a time: they spend from one account.
  let last: Promise<unknown> = Promise.resolve()
  return {
    fidOf({ address }) {
      const next = last.then(async () => {
        const known = await read(address)
        if (known !== 0n) return known
        const hash = await wallet.writeContract({ ...registry, functionName: 'register', args: [address] })
        await node.waitForTransactionReceipt({ hash })
        return read(address)
      })
      last = next.catch(() => undefined)
      return next
    },
  }
}
