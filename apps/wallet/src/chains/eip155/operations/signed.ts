/** A signed user operation as notes store it: EntryPoint 0.7's `PackedUserOperation`. */
import { isSameAddress } from '@postern/chains/same-address'
import {
  type Address,
  concat,
  decodeAbiParameters,
  encodeAbiParameters,
  type Hex,
  numberToHex,
  parseAbiParameters,
  recoverAddress,
  size,
  slice,
} from 'viem'
import { toPackedUserOperation } from 'viem/account-abstraction'
import { typedDataDigest } from '../keys/typed-data'
import { Operation, operationHash, safeOperationJson, toRecord, withTimes } from './form'

const packed = parseAbiParameters([
  '(address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData, bytes signature)',
])

export function packSigned({ validUntil, ...operation }: Operation, signature: Hex): Hex {
  const signed = { ...operation, signature: withTimes(validUntil, signature) }
  return encodeAbiParameters(packed, [toPackedUserOperation(signed)])
}

export type SignedOperation = { readonly operation: Operation; readonly signature: Hex }

/** Null unless `owner` signed it and it has this hash. */
export async function readSigned(
  bytes: Hex,
  { chainId, hash, owner }: { readonly chainId: number; readonly hash: Hex; readonly owner: Address },
): Promise<SignedOperation | null> {
  try {
    const [{ signature, ...form }] = decodeAbiParameters(packed, bytes)
    const operation = Operation.parse(toRecord({ ...unpack(form), validUntil: BigInt(slice(signature, 6, 12)) }))
    const [first, times] = [slice(signature, 12), slice(signature, 0, 12)]
    // This wallet signs 65 bytes, valid at once.
    if (size(first) !== 65 || times !== concat([numberToHex(0, { size: 6 }), slice(signature, 6, 12)])) return null
    if (operationHash(operation, chainId) !== hash.toLowerCase()) return null
    const digest = typedDataDigest(safeOperationJson(operation, chainId))
    const signer = await recoverAddress({ hash: digest, signature: first })
    return isSameAddress(signer, owner) ? { operation, signature: first } : null
  } catch {
    return null
  }
}

type Form = Omit<ReturnType<typeof toPackedUserOperation>, 'signature' | 'sender'> & { readonly sender: Address }

function unpack(form: Form): Omit<Operation, 'validUntil'> {
  const { sender, nonce, initCode, callData, accountGasLimits, preVerificationGas, gasFees, paymasterAndData } = form
  const half = (word: Hex, from: 0 | 16) => BigInt(slice(word, from, from + 16))
  return {
    sender,
    nonce,
    ...(initCode !== '0x' && { factory: slice(initCode, 0, 20), factoryData: rest(initCode, 20) }),
    callData,
    verificationGasLimit: half(accountGasLimits, 0),
    callGasLimit: half(accountGasLimits, 16),
    preVerificationGas,
    maxPriorityFeePerGas: half(gasFees, 0),
    maxFeePerGas: half(gasFees, 16),
    ...(paymasterAndData !== '0x' && {
      paymaster: slice(paymasterAndData, 0, 20),
      paymasterVerificationGasLimit: BigInt(slice(paymasterAndData, 20, 36)),
      paymasterPostOpGasLimit: BigInt(slice(paymasterAndData, 36, 52)),
      paymasterData: rest(paymasterAndData, 52),
    }),
  }
}

function rest(bytes: Hex, from: number): Hex {
  return size(bytes) === from ? '0x' : slice(bytes, from)
}
