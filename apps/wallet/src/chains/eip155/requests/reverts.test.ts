/** The errors of calls that revert, as viem reads them. */
import { type Devnet, devnetContracts, freePorts, startDevnet } from '@postern/chains/eip155/testing/evm-devnet'
import { Failure } from '@postern/protocol/failure'
import {
  type Abi,
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  createTestClient,
  encodeFunctionData,
  getContractError,
  http,
  parseAbi,
  parseEther,
} from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ChainContext } from '../../../contract'
import { encodeCalls, safeAddress } from '../account/safe'
import { createEip155Chain } from '../chain'
import { devnetGateway, testWallet } from '../testing/wallet'

const ports = await freePorts('evm', 'evmTwo', 'bundler')
const tests = createTestClient({ mode: 'anvil', transport: http(`http://127.0.0.1:${ports.evm}`) })
const friend: Address = '0x00000000000000000000000000000000000F4153'
const abi: Abi = parseAbi([
  'function transfer(address, uint256) returns (bool)',
  'error InsufficientBalance(address sender, uint256 balance, uint256 needed)',
])
const data = encodeFunctionData({ abi, functionName: 'transfer', args: [friend, 7n] })
const call = { to: devnetContracts.dollar, data }

let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet({ ports })
})
afterAll(() => devnet.stop())

async function failureOf(
  accountType: ChainContext['accountType'],
  ask: (from: Address) => { readonly method: string; readonly params: readonly unknown[] },
): Promise<Failure> {
  const { context } = await testWallet(`reverts ${accountType}`, devnetGateway(ports), { accountType })
  const owner: Address = `0x${context.addresses.eip155.slice(2)}`
  const from = accountType === 'eoa' ? owner : safeAddress(owner)
  await tests.setBalance({ address: from, value: parseEther('1') })
  const { method, params } = ask(from)
  const thrown: unknown = await createEip155Chain()
    .prepare(method, params, context)
    .catch((error: unknown) => error)
  if (!(thrown instanceof Failure)) throw new Error(`Not a failure: ${thrown}`)
  return thrown
}

const transaction = (from: Address) => ({ method: 'eth_sendTransaction', params: [{ from, ...call }] })
const calls = (from: Address) => ({
  method: 'wallet_sendCalls',
  params: [{ version: '2.0.0', from, chainId: '0x7a69', atomicRequired: false, calls: [call] }],
})

it.each([
  ['eth_sendTransaction', 'eoa', transaction],
  ['eth_sendTransaction', 'smartAccount', transaction],
  ['wallet_sendCalls', 'eoa', calls],
  ['wallet_sendCalls', 'smartAccount', calls],
] as const)('%s of the account %s has the reason', async (_, type, ask) => {
  const { rpc: code, message, data } = await failureOf(type, ask)
  const cause = Object.assign(new BaseError(message), { code, data })
  const error = getContractError(cause, { abi, address: call.to, args: [friend, 7n], functionName: 'transfer' })
  const reverted = error.walk((each) => each instanceof ContractFunctionRevertedError)
  expect(reverted).toMatchObject({ data: { errorName: 'InsufficientBalance' } })
})

it('eth_sendUserOperation has ERC-7769’s code', async () => {
  const failure = await failureOf('smartAccount', (sender) => ({
    method: 'eth_sendUserOperation',
    params: [{ sender, callData: encodeCalls([{ ...call, value: 0n }]) }],
  }))
  expect(failure).toMatchObject({ rpc: -32_521 })
})
