/** Bitcoin requests that once read milder than they are, and others of their kind, with what each must show. */

import { testKey } from '@postern/chains/bip122/testing/test-chain'
import type { ApprovalSubject } from '@postern/protocol'
import { Psbt, Transaction } from 'bitcoinjs-lib'
import type { Warning } from '../intent'

type Coin = { readonly script: Uint8Array; readonly value: bigint }

export type BitcoinRow = {
  readonly name: string
  readonly inputs: readonly (Coin & { readonly sequence?: number })[]
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

/** The coins are proven by the transactions that made them. */
export function psbtOf({
  inputs,
  outputs,
  locktime = 0,
  sighashes,
}: Pick<BitcoinRow, 'inputs' | 'outputs' | 'locktime' | 'sighashes'>): ApprovalSubject {
  const psbt = new Psbt()
  psbt.setLocktime(locktime)
  for (const [at, { script, value, sequence }] of inputs.entries()) {
    const made = new Transaction()
    made.addInput(new Uint8Array(32).fill(at + 1), 0)
    made.addOutput(script, value)
    psbt.addInput({
      ...{ hash: made.getId(), index: 0, witnessUtxo: { script, value }, nonWitnessUtxo: made.toBuffer() },
      ...(sequence !== undefined && { sequence }),
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
    shows: ['+\u202F0.49999454 BTC', '0.00050546 BTC'],
    warnings: ['firstTimeRecipient'],
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
    ],
    warnings: ['unknownFee', 'unusualSighash'] as const,
  })),
  {
    name: 'a payment to which others can add coins',
    inputs: [mine(5n * coin)],
    outputs: [theirs(coin), mine(4n * coin - 1_000n)],
    sighashes: [0x81],
    shows: ['−\u202F5 BTC', 'You give', 'This can still change after you sign.'],
    warnings: ['unusualSighash', 'firstTimeRecipient'],
  },
]
