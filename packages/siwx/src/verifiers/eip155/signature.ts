import {
  encodeDeployData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  type Hex,
  hashMessage,
  isErc6492Signature,
  parseErc6492Signature,
  recoverMessageAddress,
} from 'viem'

export type SignedByAddress = { readonly message: string; readonly signature: Hex; readonly address: Hex }

/** Half the order of secp256k1 (EIP-2). */
const highestS = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/** Recovers a key's lowercase address (EIP-191, version 0x45); null if not a key's signature. */
export async function keyOf({
  message,
  signature,
}: Pick<SignedByAddress, 'message' | 'signature'>): Promise<{ address: string; isCanonical: boolean } | null> {
  const whole = signature.length === 130 ? expanded(signature) : signature
  if (whole.length !== 132) return null
  try {
    const address = (await recoverMessageAddress({ message, signature: whole })).toLowerCase()
    return { address, isCanonical: BigInt(`0x${whole.slice(66, 130)}`) <= highestS }
  } catch {
    // Not a point of the curve.
    return null
  }
}

/** r, then s with the parity in its highest bit (EIP-2098). */
function expanded(compact: Hex): Hex {
  const yParityAndS = BigInt(`0x${compact.slice(66)}`)
  const s = BigInt.asUintN(255, yParityAndS).toString(16).padStart(64, '0')
  return `0x${compact.slice(2, 66)}${s}${yParityAndS >> 255n === 1n ? '1c' : '1b'}`
}

/** The signature inside EIP-6492's wrapper. Null if unreadable or nested. */
export function unwrapped(signature: Hex): Hex | null {
  if (!isErc6492Signature(signature)) return signature
  try {
    const { signature: inner } = parseErc6492Signature(signature)
    return isErc6492Signature(inner) ? null : inner
  } catch {
    return null
  }
}

/** PUSH20 address, EXTCODESIZE, PUSH1 0, MSTORE, PUSH1 32, PUSH1 0, RETURN. */
export const codeSizeQuestion = (address: Hex): Hex => `0x73${address.slice(2)}3b60005260206000f3`

/** EIP-6492's validator creates an undeployed account, asks it by EIP-1271, and leaves no trace. */
export function contractQuestion({ message, signature, address }: SignedByAddress): Hex {
  return encodeDeployData({
    abi: erc6492SignatureValidatorAbi,
    bytecode: erc6492SignatureValidatorByteCode,
    args: [address, hashMessage(message), signature],
  })
}
