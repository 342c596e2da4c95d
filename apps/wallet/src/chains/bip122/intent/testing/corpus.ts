/** Bitcoin requests that once read milder than they are, and others of their kind, with what each must show. */

import { testKey } from '@postern/chains/bip122/testing/test-chain'
import type { ApprovalSubject } from '@postern/protocol'
import { Psbt, Transaction } from 'bitcoinjs-lib'
import type { Warning } from '../../../../intent/intent'

type Coin = { readonly script: Uint8Array; readonly value: bigint }

export type BitcoinRow = {
  readonly name: string
  /** Proven by the transactions that made them, by default; `other`: by that of another coin; `nothing`: not even named. */
  readonly inputs: readonly (Coin & {
    readonly sequence?: number
    readonly proof?: 'none' | 'other' | 'nothing'
  })[]
  readonly outputs: readonly Coin[]
  readonly locktime?: number
  /** Of each input to sign; that of the first one alone, without a type, by default. */
  readonly sighashes?: readonly number[]
  /** Answers of the chain; none by default. */
  readonly chain?: { readonly feeRate: number; readonly height: number }
  /** In the card's text. */
  readonly shows: readonly string[]
  readonly warnings: readonly Warning['kind'][]
}

export const bitcoinOwner = testKey('p2wpkh', 1)
const other = testKey('p2wpkh', 2)
const coin = 100_000_000n
const mine = (value: bigint) => ({ script: bitcoinOwner.script, value })
const theirs = (value: bigint) => ({ script: other.script, value })
const of = (value: bigint, ...script: readonly number[]) => ({ script: Uint8Array.from(script), value })

function madeBy(at: number, { script, value }: Coin): Transaction {
  const made = new Transaction()
  made.addInput(new Uint8Array(32).fill(at + 1), 0)
  made.addOutput(script, value)
  return made
}

export function psbtOf({
  inputs,
  outputs,
  locktime = 0,
  sighashes,
}: Pick<BitcoinRow, 'inputs' | 'outputs' | 'locktime' | 'sighashes'>): ApprovalSubject {
  const psbt = new Psbt()
  psbt.setLocktime(locktime)
  for (const [at, { script, value, sequence, proof }] of inputs.entries()) {
    const made = madeBy(at, { script, value })
    psbt.addInput({ hash: made.getId(), index: 0, ...(sequence !== undefined && { sequence }) })
    // `addInput` refuses the transaction of another coin; the bytes of a PSBT may have one.
    Object.assign(psbt.data.inputs[at] ?? {}, {
      ...((proof === undefined || proof === 'none') && { witnessUtxo: { script, value } }),
      ...(proof === undefined && { nonWitnessUtxo: made.toBuffer() }),
      ...(proof === 'other' && { nonWitnessUtxo: madeBy(at + 100, { script, value }).toBuffer() }),
    })
  }
  for (const output of outputs) psbt.addOutput(output)
  return {
    kind: 'bip122.psbt',
    address: bitcoinOwner.address,
    psbt: psbt.toBase64(),
    inputs: sighashes?.map((sighash, index) => ({ index, sighash })) ?? [{ index: 0 }],
    sends: true,
  }
}

const unread = 'We couldn’t fully read this request.'
const newRecipient = 'New recipient.'
const collectible = 'This spends coins that may carry a collectible.'
const highFee = 'High fee: up to '
const usual = { inputs: [mine(coin)], outputs: [theirs(coin - 1_000n)] }
const notFinal = 0xffff_fffe
const height = 900_000

export const bitcoinCorpus: readonly BitcoinRow[] = [
  { name: 'a usual payment', ...usual, shows: ['New recipient.', '0.00001 BTC'], warnings: ['firstTimeRecipient'] },
  {
    name: 'a fee of 0.9 for 10',
    inputs: [mine(11n * coin)],
    outputs: [theirs(10n * coin), mine(coin / 10n)],
    shows: ['0.9 BTC', highFee],
    warnings: ['highFee', 'firstTimeRecipient'],
  },
  {
    name: 'a fee of 9, behind 100 that others put in and take out',
    inputs: [mine(10n * coin), theirs(100n * coin)],
    outputs: [theirs(100n * coin), mine(coin)],
    shows: ['9 BTC', highFee],
    warnings: ['highFee', 'firstTimeRecipient'],
  },
  {
    name: 'a fee of 50,546 satoshis that others pay for the owner’s sale',
    inputs: [mine(546n), theirs(coin)],
    outputs: [mine(coin / 2n), theirs(coin / 2n - 50_000n)],
    shows: ['+\u202F0.49999454 BTC', '0.00050546 BTC', collectible],
    warnings: ['mayCarryCollectible', 'firstTimeRecipient'],
  },
  {
    name: 'a fee of half a small coin',
    inputs: [mine(20_000n)],
    outputs: [theirs(10_000n)],
    shows: ['0.0001 BTC', highFee],
    warnings: ['highFee', 'firstTimeRecipient'],
  },
  {
    name: 'a fee above 500 satoshis per vbyte that is a small share',
    inputs: [mine(100n * coin)],
    outputs: [theirs(100n * coin - 60_000n)],
    shows: ['0.0006 BTC', highFee],
    warnings: ['highFee', 'firstTimeRecipient'],
  },
  {
    name: 'a fee of 400 satoshis per vbyte, without an answer of the chain',
    inputs: [mine(100n * coin)],
    outputs: [theirs(100n * coin - 40_000n)],
    shows: ['0.0004 BTC'],
    warnings: ['firstTimeRecipient'],
  },
  {
    name: 'a fee far above the chain’s',
    inputs: [mine(100n * coin)],
    outputs: [theirs(100n * coin - 40_000n)],
    chain: { feeRate: 30, height },
    shows: ['0.0004 BTC', highFee],
    warnings: ['highFee', 'firstTimeRecipient'],
  },
  {
    name: 'the same fee on a busy chain',
    inputs: [mine(100n * coin)],
    outputs: [theirs(100n * coin - 40_000n)],
    chain: { feeRate: 200, height },
    shows: ['0.0004 BTC'],
    warnings: ['firstTimeRecipient'],
  },
  {
    name: 'more out than in',
    inputs: [mine(coin)],
    outputs: [theirs(3n * coin)],
    shows: ['Network fee', 'Unknown', 'We don’t know the fee.'],
    warnings: ['unknownFee', 'firstTimeRecipient'],
  },
  ...[
    { name: 'witness version 2', output: of(coin - 1_000n, 0x52, 32, ...new Uint8Array(32).fill(7)) },
    { name: 'witness version 16', output: of(coin - 1_000n, 0x60, 2, 1, 2) },
  ].map(({ name, output }) => ({
    name,
    inputs: [mine(coin)],
    outputs: [output],
    shows: ['Anyone could take this.', 'bcrt1'],
    warnings: ['anyoneCanSpend', 'firstTimeRecipient'] as const,
  })),
  ...[
    { name: 'a script that anyone can spend', output: of(coin - 1_000n, 0x51), shows: 'script 51' },
    {
      name: 'version 1 with 2 bytes, which anyone spends (P2A)',
      output: of(coin - 1_000n, 0x51, 2, 0x4e, 0x73),
      shows: 'script 51024e73',
    },
    {
      name: 'version 1 with 33 bytes',
      output: of(coin - 1_000n, 0x51, 33, ...new Uint8Array(33).fill(7)),
      shows: 'script 5121',
    },
    { name: 'data with a value, which burns it', output: of(coin - 1_000n, 0x6a, 1, 65), shows: 'script 6a0141' },
    {
      name: 'a bare key',
      output: of(coin - 1_000n, 33, 2, ...new Uint8Array(32).fill(9), 0xac),
      shows: 'script 2102',
    },
  ].map(({ name, output, shows }) => ({
    name,
    inputs: [mine(coin)],
    outputs: [output],
    shows: [shows, 'Unknown address', 'We couldn’t fully read this request.'],
    warnings: ['notDecoded'] as const,
  })),
  {
    name: 'a time of the year 2096',
    inputs: [{ ...mine(coin), sequence: notFinal }],
    outputs: usual.outputs,
    locktime: 4_000_000_000,
    shows: ['This can’t go through yet.', '2096'],
    warnings: ['lockedUntil', 'firstTimeRecipient'],
  },
  {
    name: 'a time of the year 2096 that every input ignores',
    ...usual,
    locktime: 4_000_000_000,
    shows: [],
    warnings: ['firstTimeRecipient'],
  },
  {
    name: 'a block far ahead',
    inputs: [{ ...mine(coin), sequence: notFinal }],
    outputs: usual.outputs,
    locktime: height + 1_000,
    chain: { feeRate: 10, height },
    shows: ['This can’t go through yet.'],
    warnings: ['lockedUntil', 'firstTimeRecipient'],
  },
  {
    name: 'the next block, as wallets write it',
    inputs: [{ ...mine(coin), sequence: notFinal }],
    outputs: usual.outputs,
    locktime: height,
    chain: { feeRate: 10, height },
    shows: [],
    warnings: ['firstTimeRecipient'],
  },
  {
    name: 'a block, without an answer of the chain',
    inputs: [{ ...mine(coin), sequence: notFinal }],
    outputs: usual.outputs,
    locktime: height,
    shows: ['This can’t go through yet.'],
    warnings: ['lockedUntil', 'firstTimeRecipient'],
  },
  {
    name: 'a wait of 65,535 blocks for the coin',
    inputs: [{ ...mine(coin), sequence: 0xffff }],
    outputs: usual.outputs,
    shows: ['This can’t go through yet.'],
    warnings: ['lockedUntil', 'firstTimeRecipient'],
  },
  {
    name: 'a wait of 388 days for the coin',
    inputs: [{ ...mine(coin), sequence: 0x40_ffff }],
    outputs: usual.outputs,
    shows: ['This can’t go through yet.'],
    warnings: ['lockedUntil', 'firstTimeRecipient'],
  },
  ...[546n, 5n * coin].map((given) => ({
    name: `an offer of a coin of ${given} that others complete`,
    inputs: [mine(given)],
    outputs: [mine(10n * coin)],
    sighashes: [0x83],
    shows: [
      given === 546n ? '−\u202F0.00000546 BTC' : '−\u202F5 BTC',
      'You give',
      'This can still change after you sign.',
      'We don’t know the fee.',
      ...(given === 546n ? [collectible] : []),
    ],
    warnings: [
      ...(given === 546n ? (['mayCarryCollectible'] as const) : []),
      ...(['unknownFee', 'unusualSighash'] as const),
    ],
  })),
  {
    name: 'a payment to which others can add coins',
    inputs: [mine(5n * coin)],
    outputs: [theirs(coin), mine(4n * coin - 1_000n)],
    sighashes: [0x81],
    shows: ['−\u202F5 BTC', 'You give', 'This can still change after you sign.'],
    warnings: ['unusualSighash', 'firstTimeRecipient'],
  },
  ...[330n, 546n, 10_000n].map((value) => ({
    name: `a coin of ${value} in another’s place (first in, first out)`,
    inputs: [mine(value), mine(coin)],
    outputs: [theirs(value), mine(coin - 1_000n)],
    shows: [collectible, 'A small coin can carry an inscription or a rune that we can’t see.'],
    warnings: ['mayCarryCollectible', 'firstTimeRecipient'] as const,
  })),
  {
    name: 'a coin of 546 as a part of the fee',
    inputs: [mine(coin), mine(546n)],
    outputs: [theirs(coin)],
    shows: [collectible, '0.00000546 BTC'],
    warnings: ['mayCarryCollectible', 'firstTimeRecipient'],
  },
  {
    name: 'a coin of 546 that comes back to the owner, among others',
    inputs: [mine(546n), mine(coin)],
    outputs: [mine(coin)],
    shows: [collectible],
    warnings: ['mayCarryCollectible'],
  },
  {
    name: 'a coin of 546 that others put in, at a taproot address',
    inputs: [mine(coin), { script: testKey('p2tr', 2).script, value: 546n }],
    outputs: [mine(546n), theirs(coin - 1_000n)],
    shows: ['0.00001 BTC'],
    warnings: ['firstTimeRecipient'],
  },
  {
    name: 'a coin of 10,001',
    inputs: [mine(10_001n)],
    outputs: [theirs(9_501n)],
    shows: [],
    warnings: ['firstTimeRecipient'],
  },
  {
    name: 'a rune sent by a message of no value',
    inputs: [mine(546n), mine(coin)],
    outputs: [of(0n, 0x6a, 0x5d, 4, 0, 1, 2, 3), theirs(546n), mine(coin - 1_000n)],
    shows: [collectible, 'script 6a5d', unread],
    warnings: ['mayCarryCollectible', 'notDecoded', 'firstTimeRecipient'],
  },
  ...[0, 2, 3, 4, 0x80, 0x82, 0x83].map((sighash) => ({
    name: `a signature of the kind ${sighash}`,
    ...usual,
    sighashes: [sighash],
    shows: ['−\u202F1 BTC', 'You give', 'This can still change after you sign.'],
    warnings: ['unusualSighash', 'firstTimeRecipient'] as const,
  })),
  {
    name: 'a second input with another kind of signature than the first',
    inputs: [mine(coin), mine(coin)],
    outputs: [theirs(2n * coin - 1_000n)],
    sighashes: [1, 0x83],
    shows: ['−\u202F2 BTC', 'This can still change after you sign.'],
    warnings: ['unusualSighash', 'firstTimeRecipient'],
  },
  {
    name: 'change to a key next to the owner’s',
    inputs: [mine(coin)],
    outputs: [{ script: testKey('p2wpkh', 3).script, value: coin - 1_000n }],
    shows: ['−\u202F1 BTC', testKey('p2wpkh', 3).address],
    warnings: ['firstTimeRecipient'],
  },
  {
    name: 'change to a taproot output of the owner’s key',
    inputs: [mine(coin)],
    outputs: [{ script: testKey('p2tr', 1).script, value: coin - 1_000n }],
    shows: ['−\u202F1 BTC', testKey('p2tr', 1).address],
    warnings: ['firstTimeRecipient'],
  },
  {
    name: 'a payment that no one can replace',
    inputs: [{ ...mine(coin), sequence: 0xffff_ffff }],
    outputs: usual.outputs,
    shows: [newRecipient],
    warnings: ['firstTimeRecipient'],
  },
  {
    name: 'a hundred payments, the last of them large',
    inputs: [mine(coin)],
    outputs: [...Array.from({ length: 100 }, () => mine(1_000n)), theirs(coin - 110_000n)],
    shows: ['0.9989 BTC', other.address],
    warnings: ['firstTimeRecipient'],
  },
  {
    name: 'payments to thirty strangers',
    inputs: [mine(coin)],
    outputs: Array.from({ length: 30 }, (_, at) => ({ script: testKey('p2wpkh', at + 2).script, value: 3_333_333n })),
    shows: Array.from({ length: 30 }, (_, at) => testKey('p2wpkh', at + 2).address),
    warnings: ['tooLong', ...Array.from({ length: 24 }, () => 'firstTimeRecipient' as const)],
  },
  {
    name: 'a coin whose own value is only claimed',
    inputs: [{ ...mine(coin), proof: 'none' }],
    outputs: usual.outputs,
    shows: ['−\u202F1 BTC', 'You give'],
    warnings: ['unprovenInput', 'firstTimeRecipient'],
  },
  {
    name: 'a taproot coin of others that is only claimed',
    inputs: [mine(coin), { script: testKey('p2tr', 2).script, value: coin, proof: 'none' }],
    outputs: [mine(2n * coin - 1_000n)],
    shows: ['−\u202F1 BTC', 'You give'],
    warnings: ['unprovenInput'],
  },
  {
    name: 'a coin that is not given',
    inputs: [mine(coin), { ...mine(coin), proof: 'nothing' }],
    outputs: [mine(2n * coin - 1_000n)],
    shows: ['Unknown', 'We don’t know the fee.'],
    warnings: ['unknownFee', 'unprovenInput'],
  },
  {
    name: 'a coin with the transaction of another',
    inputs: [mine(coin), { ...mine(coin), proof: 'other' }],
    outputs: [mine(2n * coin - 1_000n)],
    shows: ['Unknown', 'We don’t know the fee.'],
    warnings: ['unknownFee', 'unprovenInput'],
  },
]
