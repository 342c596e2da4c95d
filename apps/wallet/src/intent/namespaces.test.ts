/** Decoding of Solana and Bitcoin transactions. */

import { regtest, testKey } from '@postern/chains/bip122/testing/test-chain'
import { testSigner } from '@postern/chains/solana/testing/test-transaction'
import { base58 } from '@scure/base'
import {
  AccountRole,
  address,
  appendTransactionMessageInstruction,
  blockhash,
  compileTransaction,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit'
import { Psbt, Transaction } from 'bitcoinjs-lib'
import * as fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { readPsbt } from '../chains/bip122/intent/psbt'
import { bitcoinOwner, psbtOf as psbtOfRow } from '../chains/bip122/intent/testing/corpus'
import { readSolanaFee } from '../chains/solana/intent/budget'
import { readSolanaTransaction } from '../chains/solana/intent/transaction'

const owner = await testSigner(1)
const other = await testSigner(2)
const mint = await testSigner(3)

function transactionOf(programAddress: string, accounts: readonly string[], data: readonly number[]): string {
  return pipe(
    createTransactionMessage({ version: 0 }),
    (m) => setTransactionMessageFeePayer(address(owner.address), m),
    (m) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: blockhash(base58.encode(new Uint8Array(32).fill(9))), lastValidBlockHeight: 1n },
        m,
      ),
    (m) =>
      appendTransactionMessageInstruction(
        {
          programAddress: address(programAddress),
          accounts: accounts.map((account) => ({
            address: address(account),
            role: account === owner.address ? AccountRole.WRITABLE_SIGNER : AccountRole.WRITABLE,
          })),
          data: Uint8Array.from(data),
        },
        m,
      ),
    (m) => getBase64EncodedWireTransaction(compileTransaction(m)),
  )
}

const system = '11111111111111111111111111111111'
const token = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const u64 = (value: bigint) => [...new Uint8Array(BigUint64Array.of(value).buffer)]

describe('readSolanaTransaction', () => {
  it('decodes a SOL transfer', () => {
    const transaction = transactionOf(system, [owner.address, other.address], [2, 0, 0, 0, ...u64(5n)])
    expect(readSolanaTransaction(transaction, owner.address)).toEqual([
      { kind: 'transfer', to: other.address, amount: { raw: '5', symbol: 'SOL', decimals: 9 } },
    ])
  })

  it('decodes token transfers and approvals', () => {
    const accounts = [other.address, mint.address, mint.address, owner.address]
    const checked = transactionOf(token, accounts, [12, ...u64(7n), 6])
    expect(readSolanaTransaction(checked, owner.address)).toEqual([
      { kind: 'transfer', to: mint.address, amount: { raw: '7', token: mint.address, decimals: 6 } },
    ])
    const approval = transactionOf(token, [mint.address, other.address, owner.address], [4, ...u64(2n ** 64n - 1n)])
    expect(readSolanaTransaction(approval, owner.address)).toMatchObject([
      { kind: 'approve', spender: other.address, amount: { unlimited: true } },
    ])
  })

  it('decodes a transfer with a withheld fee', () => {
    const token2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'
    const accounts = [other.address, mint.address, mint.address, owner.address]
    const withFee = [26, 1, ...u64(7n), 6, ...u64(2n)]
    const amount = (raw: string) => ({ raw, token: mint.address, decimals: 6 })
    expect(readSolanaTransaction(transactionOf(token2022, accounts, withFee), owner.address)).toEqual([
      { kind: 'transfer', to: mint.address, amount: amount('7'), withheld: amount('2') },
    ])
    // Unknown to the original program, and a fee above the amount: bytes with a warning.
    for (const unread of [
      transactionOf(token, accounts, withFee),
      transactionOf(token2022, accounts, [26, 1, ...u64(7n), 6, ...u64(8n)]),
      transactionOf(token2022, accounts, [26, 2, ...u64(7n), 6, ...u64(2n)]),
    ])
      expect(readSolanaTransaction(unread, owner.address)).toMatchObject([
        { kind: 'instruction', fields: [{}, {}, {}, {}, {}] },
      ])
  })

  it('names the instruction that gives a token account to another owner', () => {
    const transaction = transactionOf(token, [mint.address, owner.address], [6, 2, 1, ...new Array(32).fill(3)])
    expect(readSolanaTransaction(transaction, owner.address)).toMatchObject([
      {
        kind: 'instruction',
        program: token,
        name: 'Give the account to another owner',
        fields: [{ name: 'new owner', value: base58.encode(new Uint8Array(32).fill(3)) }, {}, {}],
      },
    ])
  })

  it('returns the maximum fee, including the price of compute units', () => {
    const plain = transactionOf(system, [owner.address, other.address], [2, 0, 0, 0, ...u64(5n)])
    expect(readSolanaFee(plain, owner.address)).toBe(5_000n)
    expect(readSolanaFee(plain, other.address)).toBe(null)
    const priced = transactionOf('ComputeBudget111111111111111111111111111111', [], [3, ...u64(1_000_000n)])
    // Setting the budget takes units itself.
    expect(readSolanaFee(priced, owner.address)).toBe(5_000n + 3_000n)
  })

  it('shows the limit and the price of compute units as numbers', () => {
    const budget = 'ComputeBudget111111111111111111111111111111'
    const fieldsOf = (data: readonly number[]) => readSolanaTransaction(transactionOf(budget, [], data), owner.address)
    expect(fieldsOf([2, 28, 2, 0, 0])).toMatchObject([
      { name: 'Compute budget', fields: [{ name: 'compute unit limit', value: '540' }] },
    ])
    expect(fieldsOf([3, ...u64(7n)])).toMatchObject([
      { name: 'Compute budget', fields: [{ name: 'price per unit (micro-lamports)', value: '7' }] },
    ])
    expect(fieldsOf([2, 28])).toMatchObject([{ name: 'Compute budget', fields: [{ name: 'data', value: '021c' }] }])
  })

  it('shows everything else as bytes', () => {
    const transaction = transactionOf(mint.address, [owner.address], [1, 2, 255])
    const [step] = readSolanaTransaction(transaction, owner.address)
    expect(step).toMatchObject({
      kind: 'instruction',
      program: mint.address,
      fields: [{ name: 'data', value: '0102ff' }, {}],
    })
    expect(step).not.toHaveProperty('name')
  })
})

describe('readPsbt', () => {
  const mine = testKey('p2wpkh', 1)
  const stranger = testKey('p2wpkh', 2)

  /** Without a value, the input does not say what it spends. */
  function psbtOf(value: bigint | null, sighash?: number, isProven = true) {
    const psbt = new Psbt()
    const previous = new Transaction()
    previous.addInput(new Uint8Array(32).fill(1), 0)
    if (value !== null) previous.addOutput(mine.script, value)
    psbt.addInput({
      hash: previous.getId(),
      index: 0,
      ...(value !== null && { witnessUtxo: { script: mine.script, value } }),
      ...(value !== null && isProven && { nonWitnessUtxo: previous.toBuffer() }),
    })
    psbt.addOutput({ script: stranger.script, value: 30_000n })
    psbt.addOutput({ script: mine.script, value: 19_000n })
    return {
      kind: 'bip122.psbt' as const,
      address: mine.address,
      psbt: psbt.toBase64(),
      inputs: [{ index: 0, ...(sighash !== undefined && { sighash }) }],
      sends: false,
    }
  }

  it('returns payments, change and fee', () => {
    expect(readPsbt(psbtOf(50_000n), regtest, mine.address)).toMatchObject({
      step: {
        outputs: [
          { to: stranger.address, amount: { raw: '30000' }, own: false },
          { to: mine.address, amount: { raw: '19000' }, own: true },
        ],
        fee: { raw: '1000' },
      },
      changes: [{ direction: 'out', amount: { raw: '31000' } }],
      warnings: [],
    })
  })

  it('has no fee if an input does not contain its spent output', () => {
    expect(readPsbt(psbtOf(null), regtest, mine.address)).toMatchObject({ fee: null, changes: null })
  })

  it('warns of signatures that let others change the transaction, and of a very high fee', () => {
    expect(readPsbt(psbtOf(50_000n, undefined, false), regtest, mine.address)?.warnings).toEqual([
      { kind: 'unprovenInput' },
    ])
    const unusual = readPsbt(psbtOf(50_000n, 0x82), regtest, mine.address)
    expect(unusual).toMatchObject({ changes: null, warnings: [{ kind: 'unusualSighash' }] })
    expect(readPsbt(psbtOf(90_000n), regtest, mine.address)?.warnings).toEqual([{ kind: 'highFee' }])
  })

  it('takes a block of the main network for a time, without an answer of the chain', () => {
    const mainnet = 'bip122:000000000019d6689c085ae165831e93'
    vi.useFakeTimers({ now: (1_713_571_767 + 570 * 1_000) * 1_000 })
    onTestFinished(() => void vi.useRealTimers())
    const warnings = (locktime: number, sequence = 0xffff_fffd) => {
      const psbt = Psbt.fromBase64(psbtOf(50_000n).psbt)
      psbt.setLocktime(locktime)
      psbt.setInputSequence(0, sequence)
      return readPsbt({ ...psbtOf(50_000n), psbt: psbt.toBase64() }, mainnet, mine.address)?.warnings ?? []
    }
    const now = 841_000
    expect(warnings(now)).not.toContainEqual(expect.objectContaining({ kind: 'lockedUntil' }))
    expect(warnings(now + 100)).not.toContainEqual(expect.objectContaining({ kind: 'lockedUntil' }))
    const time = 1_713_571_767 + 570 * 1_000 + 200 * 600
    expect(warnings(now + 200)).toContainEqual({ kind: 'lockedUntil', time })
    expect(warnings(499_999_999)).toContainEqual(expect.objectContaining({ kind: 'lockedUntil' }))
    expect(warnings(now + 200, 0xffff_ffff)).not.toContainEqual(expect.objectContaining({ kind: 'lockedUntil' }))
  })

  it.each([880_000, 3_000_000, null])(
    'that is locked until block 2,000,000 waits, also if an endpoint says that the last one is %s',
    (height) => {
      const { script } = bitcoinOwner
      const inputs = [{ script, value: 100_000n, sequence: 0xffff_fffe }]
      const subject = psbtOfRow({ inputs, outputs: [{ script, value: 99_000n }], locktime: 2_000_000 })
      if (subject.kind !== 'bip122.psbt') throw new Error()
      const main = 'bip122:000000000019d6689c085ae165831e93'
      const read = readPsbt(subject, main, bitcoinOwner.address, { feeRate: null, height })
      expect(read?.warnings.map(({ kind }) => kind)).toContain('lockedUntil')
    },
  )

  it('calls a fee high by its share of what leaves the owner, whatever others put in and take out', () => {
    const amount = fc.bigInt(1_000n, 10n ** 10n)
    fc.assert(
      fc.property(amount, amount, amount, fc.array(amount, { maxLength: 3 }), (fee, back, pays, foreign) => {
        const coins = [
          { script: mine.script, value: fee + back + pays },
          ...foreign.map((value) => ({ script: stranger.script, value })),
        ]
        const psbt = new Psbt()
        for (const [at, { script, value }] of coins.entries()) {
          const previous = new Transaction()
          previous.addInput(new Uint8Array(32).fill(at + 1), 0)
          previous.addOutput(script, value)
          psbt.addInput({ hash: previous.getId(), index: 0, nonWitnessUtxo: previous.toBuffer() })
        }
        psbt.addOutput({ script: mine.script, value: back })
        for (const value of [pays, ...foreign]) psbt.addOutput({ script: stranger.script, value })
        const read = readPsbt({ ...psbtOf(50_000n), psbt: psbt.toBase64() }, regtest, mine.address)
        expect(read?.fee).toBe(fee)
        const isLarge = (fee > 10_000n && fee * 9n > pays) || (fee > 1_000n && fee * 2n > pays)
        const isHigh = read?.warnings.some(({ kind }) => kind === 'highFee') === true
        // The rate alone makes it high too.
        expect(isHigh).toBe(isLarge || (isHigh && fee > 50_000n))
      }),
      { numRuns: 50 },
    )
  })

  describe('a replacement', () => {
    const earlier = psbtOf(50_000n).psbt
    const replaces = (kind: 'speedUp' | 'cancel') => {
      return { kind, hash: '11'.repeat(32), newest: '11'.repeat(32), psbt: earlier }
    }
    /** Returns everything minus 2,000 satoshis. */
    function cancellation(): string {
      const psbt = Psbt.fromBase64(earlier)
      const returned = new Psbt()
      for (const [at, { hash, index }] of psbt.txInputs.entries())
        returned.addInput({ hash, index, ...psbt.data.inputs[at] })
      returned.addOutput({ script: mine.script, value: 48_000n })
      return returned.toBase64()
    }

    it('shows what it cancels, without the change', () => {
      const subject = { ...psbtOf(50_000n), psbt: cancellation(), replaces: replaces('cancel') }
      expect(readPsbt(subject, regtest, mine.address)).toEqual({
        step: {
          kind: 'cancel',
          cancelled: [
            {
              kind: 'outputs',
              outputs: [{ to: stranger.address, amount: { raw: '30000', symbol: 'BTC', decimals: 8 }, own: false }],
            },
          ],
        },
        fee: 2_000n,
        changes: [],
        warnings: [{ kind: 'cancel' }],
      })
    })

    it('shows the payments of a speed-up, and those of bytes that are only called a cancellation', () => {
      for (const kind of ['speedUp', 'cancel'] as const) {
        const read = readPsbt({ ...psbtOf(50_000n), replaces: replaces(kind) }, regtest, mine.address)
        expect(read?.step).toMatchObject({ kind: 'outputs', outputs: [{ to: stranger.address }, { own: true }] })
        expect(read?.warnings).toEqual([{ kind }])
      }
    })
  })
})
