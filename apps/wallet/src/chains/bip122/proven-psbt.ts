import { readRawTransaction } from '@postern/chains/bip122/esplora'
import { type Outpoint, outpointOf } from '@postern/chains/bip122/transfer'
import { hexOf } from '@postern/chains/hex'
import { isUnreachable } from '@postern/chains/nodes/unreachable'
import { Failure } from '@postern/protocol/failure'
import { Psbt, Transaction } from 'bitcoinjs-lib'
import type { ChainContext } from '../../contract'
import { gatewayClient } from '../endpoint'

const maxLookups = 64

/**
 * Adds the transactions that made the coins, those of inputs to sign first. A taproot script proves nothing: signatures
 * of P2WPKH inputs do not cover its value.
 * @throws {Failure} INVALID_PARAMS if a coin to sign is not proven, NETWORK_UNREACHABLE if no endpoint responds
 */
export async function withPreviousTransactions(
  base64: string,
  signed: readonly { readonly index: number }[],
  context: ChainContext,
): Promise<string> {
  const psbt = parsePsbt(base64)
  const toSign = new Set(signed.map(({ index }) => index))
  const missing = [...psbt.data.inputs.entries()]
    .flatMap(([index, { nonWitnessUtxo }]) => (nonWitnessUtxo === undefined ? [index] : []))
    .sort((one, other) => Number(toSign.has(other)) - Number(toSign.has(one)))
  const { esplora } = gatewayClient(context)
  const found = await Promise.all(
    missing.slice(0, maxLookups).map(async (index) => {
      const { hash } = psbt.txInputs[index] ?? { hash: new Uint8Array() }
      try {
        const hex = await readRawTransaction(esplora, hexOf(Uint8Array.from(hash).reverse()), context.signal)
        const transaction = readHex(hex)
        return isSame(transaction.getHash(), hash) ? { index, nonWitnessUtxo: transaction.toBuffer() } : null
      } catch (error) {
        if (context.signal.aborted || (toSign.has(index) && isUnreachable(error))) throw error
        return null
      }
    }),
  )
  const proofs = found.filter((one) => one !== null)
  for (const { index, nonWitnessUtxo } of proofs) psbt.updateInput(index, { nonWitnessUtxo })
  const unproven = signed.find(({ index }) => missing.includes(index) && !proofs.some((proof) => proof.index === index))
  if (unproven !== undefined)
    throw new Failure('INVALID_PARAMS', {
      message: `The value of input ${unproven.index} is not proven: add the transaction that it spends (nonWitnessUtxo)`,
    })
  for (const { index } of signed) {
    const claimed = psbt.data.inputs[index]?.witnessUtxo
    if (claimed === undefined) continue
    if (previousOutput(psbt, index)?.value !== claimed.value)
      throw new Failure('INVALID_PARAMS', { message: `Input ${index} claims another value than its coin has` })
  }
  return psbt.toBase64()
}

function readHex(hex: string): Transaction {
  try {
    return Transaction.fromHex(hex)
  } catch (cause) {
    throw new Failure('NETWORK_UNREACHABLE', { message: 'The answer can’t be read', cause })
  }
}

export function coinsOf(psbt: string): Outpoint[] {
  return parsePsbt(psbt).txInputs.map(({ hash, index }) =>
    outpointOf({ txid: hexOf(Uint8Array.from(hash).reverse()), vout: index }),
  )
}

export function parsePsbt(base64: string): Psbt {
  try {
    return Psbt.fromBase64(base64)
  } catch (cause) {
    throw new Failure('INVALID_PARAMS', { message: 'The PSBT cannot be read', cause })
  }
}

export function previousOutput(
  psbt: Psbt,
  index: number,
): { readonly script: Uint8Array; readonly value: bigint } | undefined {
  const whole = psbt.data.inputs[index]?.nonWitnessUtxo
  const point = psbt.txInputs[index]
  if (whole === undefined || point === undefined) return undefined
  try {
    const transaction = Transaction.fromBuffer(whole)
    return isSame(transaction.getHash(), point.hash) ? transaction.outs[point.index] : undefined
  } catch {
    return undefined
  }
}

export function isSame(left: Uint8Array, right: Uint8Array | undefined): boolean {
  return right !== undefined && left.length === right.length && left.every((byte, at) => byte === right[at])
}
