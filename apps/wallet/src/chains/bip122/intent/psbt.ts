/** Reads a PSBT's payments and fee from its bytes alone. */

import { parseBitcoinAddress } from '@postern/chains/bip122/address'
import { mayCarryCollectible } from '@postern/chains/bip122/coins'
import { familyOf } from '@postern/chains/bip122/family'
import { addressOfScript } from '@postern/chains/bip122/script-address'
import { hexOf } from '@postern/chains/hex'
import type { ApprovalSubject, CaipNetworkId } from '@postern/protocol'
import { Psbt, Transaction } from 'bitcoinjs-lib'
import type { BalanceChange, IntentStep, Warning } from '../../../intent/intent'

const native = { symbol: 'BTC', decimals: 8 }

type Outputs = Extract<IntentStep, { kind: 'outputs' }>

/** The highest fee estimate (satoshis per vbyte) and the number of blocks. */
export type BitcoinChain = { readonly feeRate: number | null; readonly height: number | null }

const silent: BitcoinChain = { feeRate: null, height: null }

export type ReadPsbt = {
  readonly step: IntentStep
  /** In satoshis; null if an input lacks its output, or the outputs exceed the inputs. */
  readonly fee: bigint | null
  readonly changes: readonly BalanceChange[] | null
  readonly warnings: readonly Warning[]
}

/** Null for other bytes. A replacement that pays only the owner is a cancellation. */
export function readPsbt(
  { psbt: base64, inputs, replaces }: Extract<ApprovalSubject, { kind: 'bip122.psbt' }>,
  networkId: CaipNetworkId,
  own: string,
  chain: BitcoinChain = silent,
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
  const worth = cancelled === null ? leaves : sumOf(cancelled.outputs) + leaves
  const isSmall = spent.some((coin) => coin !== null && nameOf(coin.script) === own && mayCarryCollectible(coin))
  const isDear = fee !== null && (isLargeShare(fee, worth) || isHighRate(fee, psbt, chain.feeRate))
  const time = lockedUntil(psbt, networkId, chain.height)
  const feeOfStep = fee !== null && { fee: { raw: `${fee}`, ...native } }
  // An unproven coin may be the owner's; other sighash types let others change the payments.
  const isOpen = !isProven || isUnusual
  const gives = isOpen && { gives: { raw: `${ownIn}`, ...native } }
  return {
    step:
      cancelled === null
        ? { kind: 'outputs', outputs, ...gives, ...feeOfStep }
        : { kind: 'cancel', cancelled: [cancelled] },
    fee,
    changes: isOpen ? null : changesOf(cancelled === null ? leaves : leaves - (fee ?? 0n)),
    warnings: [
      ...(!isProven ? [{ kind: 'unprovenInput' } as const] : []),
      ...(isUnusual ? [{ kind: 'unusualSighash' } as const] : []),
      ...(isSmall ? [{ kind: 'mayCarryCollectible' } as const] : []),
      ...(isDear ? [{ kind: 'highFee' } as const] : []),
      ...(fee === null ? [{ kind: 'unknownFee' } as const] : []),
      ...(time === null ? [] : [{ kind: 'lockedUntil', time } as const]),
      ...outputs.flatMap(({ to }) =>
        isScript(to) || parseBitcoinAddress(to) !== undefined
          ? []
          : [{ kind: 'anyoneCanSpend', recipient: to } as const],
      ),
      ...(replaces === undefined ? [] : [{ kind: replaces.kind }]),
    ],
  }
}

function outputsOf(psbt: Psbt, networkId: CaipNetworkId, own: string): Outputs {
  return {
    kind: 'outputs',
    outputs: psbt.txOutputs.map(({ script, value }) => {
      const to = addressOfScript(script, networkId)
      return { to: to ?? `${scriptStart}${hexOf(script)}`, amount: { raw: `${value}`, ...native }, own: to === own }
    }),
  }
}

const scriptStart = 'script '
const isScript = (to: string) => to.startsWith(scriptStart)

/**
 * A tenth of all that leaves the owner, or a third of a small payment. Others' coins do not count, nor does a fee that
 * brings the owner something.
 */
function isLargeShare(fee: bigint, leaves: bigint): boolean {
  return leaves > 0n && ((fee > 10_000n && fee * 10n > leaves) || (fee > 1_000n && fee * 3n > leaves))
}

/** In satoshis per vbyte. Few blocks ever took more. */
const highRate = 500
const highRateFactor = 10

/** Above {@link highRate}, or above 10,000 satoshis and ten times the chain's estimate. */
function isHighRate(fee: bigint, psbt: Psbt, estimate: number | null): boolean {
  const rate = Number(fee) / Number(leastSize(psbt))
  return rate > highRate || (estimate !== null && fee > 10_000n && rate > estimate * highRateFactor)
}

/** In vbytes, with the smallest signatures: 67 weight units of a taproot input. */
function leastSize(psbt: Psbt): bigint {
  const unsigned = psbt.data.globalMap.unsignedTx.toBuffer().length
  return BigInt(Math.ceil((4 * unsigned + 67 * psbt.inputCount) / 4))
}

const day = 24 * 60 * 60
const blockTime = 600
/** Lower lock times are heights, others epoch seconds. Source: Bitcoin Core's LOCKTIME_THRESHOLD. */
const firstTime = 500_000_000

/** A block of the main network, and a spacing below the average since. Other networks have no such estimate. */
const known = { height: 840_000, time: 1_713_571_767, spacing: 570 }

/**
 * Epoch seconds from which the chain takes the transaction, if more than a day away.
 *
 * 1. The lock time counts unless every input is final.
 * 2. An input's relative lock (BIP-68) counts as if its coin had just been confirmed.
 * 3. On the main network, {@link known} limits the height, whatever an endpoint says. Without a response the height is
 *    that limit, and 0 on other networks.
 */
function lockedUntil(psbt: Psbt, networkId: CaipNetworkId, height: number | null): number | null {
  const now = Math.floor(Date.now() / 1_000)
  const sequences = psbt.txInputs.map(({ sequence = finalSequence }) => sequence)
  const { locktime } = psbt
  const absolute =
    locktime === 0 || sequences.every((sequence) => sequence === finalSequence)
      ? 0
      : locktime >= firstTime
        ? locktime
        : now + (locktime - heightOf(networkId, height, now)) * blockTime
  const until = Math.max(absolute, ...sequences.map((sequence) => now + waitOf(sequence, psbt.version)))
  return until > now + day ? until : null
}

const finalSequence = 0xffff_ffff

function heightOf(networkId: CaipNetworkId, height: number | null, now: number): number {
  if (familyOf.get(networkId) !== 'main') return height ?? 0
  return Math.min(height ?? Number.POSITIVE_INFINITY, known.height + (now - known.time) / known.spacing)
}

/** BIP-68, in seconds: bit 31 turns it off, bit 22 counts units of 512 seconds instead of blocks. */
function waitOf(sequence: number, version: number): number {
  // A negative version counts as a high one.
  if (version >>> 0 < 2 || (sequence & 0x8000_0000) !== 0) return 0
  return (sequence & 0xffff) * ((sequence & 0x40_0000) === 0 ? blockTime : 512)
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
