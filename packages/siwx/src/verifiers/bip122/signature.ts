/** Loaded with the first signature. */
import { base64 } from '@scure/base'
import { outputOf } from './address'
import { isBip137 } from './bip137'
import { isBip322 } from './bip322'
import type { ProofForm } from './spend'

/** @param reference of the network's CAIP-2 id */
export function isSignedBy({
  message,
  signature,
  address,
  reference,
}: {
  readonly message: string
  readonly signature: string
  readonly address: string
  readonly reference: string
}): boolean {
  const output = outputOf(address, reference)
  const { form, text } = proofIn(signature)
  const bytes = bytesOf(text)
  if (output === undefined || bytes === undefined) return false
  // Shorter than any supported witness or transaction.
  if (form === undefined && bytes.length === 65) return isBip137(message, bytes, output)
  return isBip322(message, { form, bytes }, output)
}

/** Splits off BIP-322's prefix. A proof of funds (`pof`) keeps it, and so is not base64. */
function proofIn(signature: string): { readonly form: ProofForm | undefined; readonly text: string } {
  const rest = signature.slice(3)
  if (signature.startsWith('smp')) return { form: 'simple', text: rest }
  if (signature.startsWith('ful')) return { form: 'full', text: rest }
  return { form: undefined, text: signature }
}

function bytesOf(text: string): Uint8Array | undefined {
  try {
    return base64.decode(text)
  } catch {
    return undefined
  }
}
