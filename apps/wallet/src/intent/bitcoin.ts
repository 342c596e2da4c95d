/** A PSBT's payments and fee, from its bytes alone. */

import { addressOfScript } from '@postern/chains/bip122/script-address'
import { hexOf } from '@postern/chains/hex'
import type { ApprovalSubject, CaipNetworkId } from '@postern/protocol'
import { Psbt, Transaction } from 'bitcoinjs-lib'
import type { BalanceChange, IntentStep, Warning } from './intent'

const native = { symbol: 'BTC', decimals: 8 }

type Outputs = Extract<IntentStep, { kind: 'outputs' }>

export type ReadPsbt = {
  readonly step: IntentStep
  /** In satoshis; null if an input lacks the output that it spends. */
  readonly fee: bigint | null
  readonly changes: readonly BalanceChange[] | null
  readonly warnings: readonly Warning[]
}

/**
 * Null for other bytes. A replacement is a cancellation if it pays only the owner.
 * @param own the wallet's address.
 */
export function readPsbt(
  { psbt: base64, inputs, replaces }: Extract<ApprovalSubject, { kind: 'bip122.psbt' }>,
  networkId: CaipNetworkId,
  own: string,
): ReadPsbt | null {
  const psbt = parse(base64)
  if (psbt === null) return null
  const nameOf = (script: Uint8Array) => addressOfScript(script, networkId)
  const { outputs } = outputsOf(psbt, networkId, own)
  const spent = psbt.txInputs.map((_, index) => spentOutput(psbt, index))
  const isKnown = spent.every((output) => output !== null)
  const total = spent.reduce((sum, output) => sum + (output?.value ?? 0n), 0n)
  const paid = sumOf(outputs)
  const fee = isKnown && total >= paid ? total - paid : null
  const ownIn = spent.reduce((sum, output) => (output && nameOf(output.script) === own ? sum + output.value : sum), 0n)
  const ownOut = sumOf(outputs.filter((output) => output.own))
  const leaves = ownIn - ownOut
  const isUnusual = inputs.some(({ sighash }) => sighash !== undefined && sighash !== Transaction.SIGHASH_ALL)
  const isProven = isKnown && psbt.data.inputs.every(({ nonWitnessUtxo }) => nonWitnessUtxo !== undefined)
  const replaced = replaces?.kind === 'cancel' ? parse(replaces.psbt) : null
  const isCancel = replaced !== null && outputs.every((output) => output.own)
  const cancelled = isCancel ? withoutChange(outputsOf(replaced, networkId, own)) : null
  const moved = cancelled === null ? paid - ownOut : sumOf(cancelled.outputs)
  const isDear = fee !== null && fee > 10_000n && fee * 10n > moved
  const feeOfStep = fee !== null && { fee: { raw: `${fee}`, ...native } }
  return {
    step: cancelled === null ? { kind: 'outputs', outputs, ...feeOfStep } : { kind: 'cancel', cancelled: [cancelled] },
    fee,
    // An unproven coin may be the owner's; other sighash types let others change the payments.
    changes: !isProven || isUnusual ? null : changesOf(cancelled === null ? leaves : leaves - (fee ?? 0n)),
    warnings: [
      ...(!isProven ? [{ kind: 'unprovenInput' } as const] : []),
      ...(isUnusual ? [{ kind: 'unusualSighash' } as const] : []),
      ...(isDear ? [{ kind: 'highFee' } as const] : []),
      ...(replaces === undefined ? [] : [{ kind: replaces.kind }]),
    ],
  }
}

function outputsOf(psbt: Psbt, networkId: CaipNetworkId, own: string): Outputs {
  return {
    kind: 'outputs',
    outputs: psbt.txOutputs.map(({ script, value }) => {
      const to = addressOfScript(script, networkId)
      return { to: to ?? `script ${hexOf(script)}`, amount: { raw: `${value}`, ...native }, own: to === own }
    }),
  }
}

function withoutChange(step: Outputs): Outputs {
  const paid = step.outputs.filter(({ own }) => !own)
  return paid.length === 0 ? step : { ...step, outputs: paid }
}

function sumOf(outputs: Outputs['outputs']): bigint {
  return outputs.reduce((sum, { amount }) => sum + BigInt(amount.raw), 0n)
}

function changesOf(leaves: bigint): readonly BalanceChange[] {
  if (leaves === 0n) return []
  const amount = { raw: `${leaves < 0n ? -leaves : leaves}`, ...native }
  return [{ direction: leaves > 0n ? 'out' : 'in', amount }]
}

function spentOutput(psbt: Psbt, index: number): { readonly script: Uint8Array; readonly value: bigint } | null {
  const input = psbt.data.inputs[index]
  const point = psbt.txInputs[index]
  if (input === undefined || point === undefined) return null
  if (input.nonWitnessUtxo === undefined) return input.witnessUtxo ?? null
  try {
    const previous = Transaction.fromBuffer(input.nonWitnessUtxo)
    const isIt = hexOf(previous.getHash()) === hexOf(point.hash)
    return isIt ? (previous.outs[point.index] ?? null) : null
  } catch {
    return null
  }
}

function parse(base64: string): Psbt | null {
  try {
    return Psbt.fromBase64(base64)
  } catch {
    return null
  }
}
