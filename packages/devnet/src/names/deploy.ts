import { type Address, createPublicClient, encodeFunctionData, http, toCoinType, zeroAddress } from 'viem'
import { devnetNames } from '../evm/contracts.gen'
import { endow, sendAll } from '../evm/send-all'
import { devnetAccounts, ensContracts, nameRegistrar } from '../networks'
import { offchainCalls } from './offchain'

/** White disc on green. */
export const aliceAvatar =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAMAAABEpIrGAAAABlBMVEUNdWX///8kjeSNAAAAOUlEQVR42mNgGAVYACMQEJDGp4SREb8KRkb8KhgZCaggpICRkYAKOiig3BeEA4pwUBOOLMLRPYIBAIfvAL3YBeHDAAAAAElFTkSuQmCC'

export type NameRegistration = {
  /** Without `.eth`. */
  readonly label: string
  readonly owner: Address
  /** Absent: no avatar. */
  readonly avatar?: string
  /** Full primary name; absent: unchanged. A name that does not resolve back tests verification. */
  readonly primary?: string
  /** The only chain where address and primary name are valid (ENSIP-11, ENSIP-19). Default: Ethereum. */
  readonly onChain?: number
}

/**
 * Deploys names. Requires a registrar without transactions.
 * @param serverPort port of the server for names below `offchain.eth`; absent: no such names.
 */
export async function deployNames({
  rpcUrl,
  chainId,
  serverPort,
}: {
  readonly rpcUrl: string
  readonly chainId: number
  readonly serverPort?: number | undefined
}) {
  await endow(rpcUrl, nameRegistrar.address, 100n)
  await sendAll({
    rpcUrl,
    chainId,
    account: nameRegistrar,
    calls: [
      // Creates three more contracts.
      { data: devnetNames.bytecode, gas: 10_000_000n },
      ...(serverPort === undefined ? [] : offchainCalls(serverPort, delegated)),
      ...firstNames().flatMap(calls),
    ],
  })
}

/** Any owner may have any name. */
export async function registerName(rpcUrl: string, registration: NameRegistration): Promise<void> {
  const chainId = await createPublicClient({ transport: http(rpcUrl) }).getChainId()
  await sendAll({ rpcUrl, chainId, account: nameRegistrar, calls: calls(registration) })
}

function firstNames(): NameRegistration[] {
  const [alice, bob] = devnetAccounts
  if (alice === undefined || bob === undefined) throw new Error('The devnet has no accounts.')
  return [
    { label: 'alice', owner: alice.address, avatar: aliceAvatar, primary: 'alice.eth' },
    { label: 'bob', owner: bob.address, primary: 'bob.eth' },
  ]
}

function delegated(label: string) {
  const args = [label, ensContracts.offchainResolver] as const
  return { to: ensContracts.names, data: encodeFunctionData({ abi: devnetNames.abi, functionName: 'delegate', args }) }
}

function calls({ label, owner, avatar = '', primary, onChain }: NameRegistration) {
  const to = ensContracts.names
  const { abi } = devnetNames
  const coinType = toCoinType(onChain ?? 1)
  const holder = onChain === undefined ? owner : zeroAddress
  return [
    { to, data: encodeFunctionData({ abi, functionName: 'register', args: [label, holder, avatar] }) },
    ...(onChain === undefined
      ? []
      : [{ to, data: encodeFunctionData({ abi, functionName: 'setAddress', args: [label, coinType, owner] }) }]),
    ...(primary === undefined
      ? []
      : [{ to, data: encodeFunctionData({ abi, functionName: 'claim', args: [owner, coinType, primary] }) }]),
  ]
}
