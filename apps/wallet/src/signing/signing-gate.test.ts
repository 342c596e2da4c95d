import type { ApprovalSubject } from '@postern/protocol'
import { describe, expect, it } from 'vitest'
import type { SignJob } from '../contract'
import { noSigning, signingGate } from './signing-gate'

const networkId = 'bip122:000000000019d6689c085ae165831e93'
const fees = { gas: '21000' }
const operation = {}
const call = { to: '0x00', value: '1', data: '0x' }

const pairs: readonly (readonly [ApprovalSubject, SignJob, SignJob])[] = [
  [
    { kind: 'eip155.message', address: 'a', account: 'eoa', message: '0x01' },
    { kind: 'eip155.message', message: '0x01' },
    { kind: 'eip155.message', message: '0x02' },
  ],
  [
    { kind: 'eip155.typedData', address: 'a', account: 'eoa', json: '{"a":1}' },
    { kind: 'eip155.typedData', json: '{"a":1}' },
    { kind: 'eip155.typedData', json: '{"a": 1}' },
  ],
  [
    { kind: 'eip155.transaction', from: 'a', nonce: '1', call, fees, unsigned: '0x02aa' },
    { kind: 'eip155.transaction', unsigned: '0x02aa' },
    { kind: 'eip155.transaction', unsigned: '0x02ab' },
  ],
  [
    { kind: 'eip155.transactions', from: 'a', transactions: [{ nonce: '1', call, fees, unsigned: '0x02aa' }] },
    { kind: 'eip155.transaction', unsigned: '0x02aa' },
    { kind: 'eip155.transaction', unsigned: '0x02ab' },
  ],
  [
    { kind: 'solana.message', address: 'a', message: 'AQ==' },
    { kind: 'solana.message', message: 'AQ==' },
    { kind: 'solana.message', message: 'Ag==' },
  ],
  [
    { kind: 'solana.transactions', address: 'a', transactions: ['AQ==', 'Ag=='], sends: true },
    { kind: 'solana.transactions', transactions: ['AQ==', 'Ag=='] },
    { kind: 'solana.transactions', transactions: ['AQ==', 'Aw=='] },
  ],
  [
    { kind: 'bip122.message', address: 'a', message: 'x', protocol: 'bip322' },
    { kind: 'bip122.message', networkId, message: 'x', protocol: 'bip322' },
    { kind: 'bip122.message', networkId, message: 'x', protocol: 'ecdsa' },
  ],
  [
    { kind: 'bip122.psbt', address: 'a', psbt: 'AQ==', inputs: [{ index: 0 }], sends: false },
    { kind: 'bip122.psbt', networkId, psbt: 'AQ==', inputs: [{ index: 0 }] },
    { kind: 'bip122.psbt', networkId, psbt: 'AQ==', inputs: [{ index: 0, sighash: 2 }] },
  ],
]

describe('the signing gate', () => {
  const sign = async (job: SignJob) => job.kind

  it.each(pairs)('1. signs what was approved once, and nothing else: $kind', async (subject, own, other) => {
    const gate = signingGate(subject, sign)
    await expect(gate(other)).rejects.toMatchObject({ code: 'TRANSACTION_MISMATCH' })
    expect(await gate(own)).toBe(own.kind)
    await expect(gate(own)).rejects.toMatchObject({ code: 'TRANSACTION_MISMATCH' })
  })

  it('1. signs only the subject’s kind', async () => {
    for (const [subject] of pairs)
      for (const [, job] of pairs) {
        if (job.kind.split('.')[0] === subject.kind.split('.')[0]) continue
        await expect(signingGate(subject, sign)(job)).rejects.toMatchObject({ code: 'TRANSACTION_MISMATCH' })
      }
  })

  it.each<ApprovalSubject>([
    { kind: 'eip155.message', address: 'a', account: 'smartAccount', message: '0x01' },
    { kind: 'eip155.typedData', address: 'a', account: 'smartAccount', json: '{"a":1}' },
    {
      kind: 'eip155.userOperation',
      from: 'a',
      calls: [],
      fees,
      sponsored: false,
      deploys: false,
      operation,
      hash: '0x',
    },
    {
      kind: 'eip155.permissions',
      action: 'revoke',
      from: 'a',
      permissions: [],
      calls: [],
      fees,
      operation,
      hash: '0x',
    },
  ])('2. signs for a smart account only the text derived from the subject, once: $kind', async (subject) => {
    const gate = signingGate(subject, sign, '{"derived":1}')
    const others: readonly SignJob[] = [
      { kind: 'eip155.typedData', json: '{"derived":2}' },
      { kind: 'eip155.typedData', json: '{"a":1}' },
      { kind: 'eip155.message', message: '0x01' },
      { kind: 'eip155.transaction', unsigned: '0x02' },
    ]
    for (const other of others) await expect(gate(other)).rejects.toMatchObject({ code: 'TRANSACTION_MISMATCH' })
    expect(await gate({ kind: 'eip155.typedData', json: '{"derived":1}' })).toBe('eip155.typedData')
    await expect(gate({ kind: 'eip155.typedData', json: '{"derived":1}' })).rejects.toMatchObject({
      code: 'TRANSACTION_MISMATCH',
    })
    const none = signingGate(subject, sign)
    await expect(none({ kind: 'eip155.typedData', json: '{"derived":1}' })).rejects.toMatchObject({
      code: 'TRANSACTION_MISMATCH',
    })
  })

  it('is closed before an approval', async () => {
    await expect(noSigning({ kind: 'eip155.message', message: '0x01' })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  })
})
