/** A verifying paymaster with its signing service (ERC-7677). */
import {
  type Address,
  concat,
  decodeFunctionResult,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  parseAbi,
} from 'viem'
import { toPackedUserOperation } from 'viem/account-abstraction'
import { type Ask, resultOf } from './node'
import { Bytes, type Operation } from './user-operation'

export type Sponsorship = {
  readonly paymaster: Address
  readonly paymasterData: Hex
  readonly paymasterVerificationGasLimit: bigint
  readonly paymasterPostOpGasLimit: bigint
}

export type Paymaster = {
  /** Invalid data that costs the same gas, for estimates. */
  stub(): Promise<Sponsorship>
  /** Signs for exactly this operation, whose gas is final. */
  sponsor(operation: Operation): Promise<Pick<Sponsorship, 'paymaster' | 'paymasterData'>>
}

/** In seconds: time for the user to read and approve. */
const sponsorshipLifetimeSeconds = 600
const verificationGas = 60_000n

/** Source: VerifyingPaymaster.sol of @account-abstraction/contracts 0.7.0. */
const paymasterAbi = parseAbi([
  'struct PackedUserOperation { address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 accountGasLimits; uint256 preVerificationGas; bytes32 gasFees; bytes paymasterAndData; bytes signature; }',
  'function getHash(PackedUserOperation userOp, uint48 validUntil, uint48 validAfter) view returns (bytes32)',
])

export function createPaymaster({
  ask,
  address,
  signer,
  now = () => Math.floor(Date.now() / 1_000),
}: {
  readonly ask: Ask
  readonly address: Address
  readonly signer: { signMessage(parameters: { message: { raw: Hex } }): Promise<Hex> }
  /** In epoch seconds. */
  readonly now?: () => number
}): Paymaster {
  const signed = async (hash: Hex, validUntil: number) =>
    concat([
      encodeAbiParameters([{ type: 'uint48' }, { type: 'uint48' }], [validUntil, 0]),
      await signer.signMessage({ message: { raw: hash } }),
    ])
  return {
    async stub() {
      return {
        paymaster: address,
        // The signature is of no operation, but the contract recovers a key from it too.
        paymasterData: await signed(`0x${'00'.repeat(32)}`, now() + sponsorshipLifetimeSeconds),
        paymasterVerificationGasLimit: verificationGas,
        paymasterPostOpGasLimit: 0n,
      }
    },
    async sponsor(operation) {
      const validUntil = now() + sponsorshipLifetimeSeconds
      const priced: Operation = {
        ...operation,
        paymaster: address,
        paymasterVerificationGasLimit: operation.paymasterVerificationGasLimit ?? verificationGas,
        paymasterPostOpGasLimit: operation.paymasterPostOpGasLimit ?? 0n,
      }
      const data = encodeFunctionData({
        abi: paymasterAbi,
        functionName: 'getHash',
        args: [toPackedUserOperation(priced), validUntil, 0],
      })
      const answer = await resultOf(ask('eth_call', [{ to: address, data }, 'latest']))
      const hash = decodeFunctionResult({ abi: paymasterAbi, functionName: 'getHash', data: Bytes.parse(answer) })
      return { paymaster: address, paymasterData: await signed(hash, validUntil) }
    },
  }
}
