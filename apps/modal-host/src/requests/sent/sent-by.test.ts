import { unconfirmed } from '@postern/chains/outcomes/unconfirmed'
import type { ApprovalRequest, ApprovalSubject } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { describe, expect, it } from 'vitest'
import { possiblySentBy, sentBy } from './sent-by'

const hash = `0x${'12'.repeat(32)}`
const signature = '5'.repeat(88)
const txid = 'ab'.repeat(32)
const from = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

const transaction: ApprovalSubject = {
  kind: 'eip155.transaction',
  from,
  nonce: '0',
  call: { value: '0', data: '0x' },
  fees: { gas: '21000' },
  unsigned: '0x02',
}
const operation: ApprovalSubject = {
  kind: 'eip155.userOperation',
  from,
  calls: [{ value: '0', data: '0x' }],
  fees: { gas: '1' },
  sponsored: true,
  deploys: false,
  operation: {},
  hash,
}
const solana = (sends: boolean): ApprovalSubject => ({
  kind: 'solana.transactions',
  address: 'ada',
  transactions: ['AAAA'],
  sends,
})
const psbt = (sends: boolean): ApprovalSubject => ({
  kind: 'bip122.psbt',
  address: 'bc1q',
  psbt: 'cHNidP8=',
  inputs: [{ index: 0 }],
  sends,
})

const first = 'cd'.repeat(32)
const replacement: ApprovalSubject = {
  ...{ kind: 'bip122.psbt', address: 'bc1q', psbt: 'cHNidP8=', inputs: [{ index: 0 }], sends: true },
  replaces: { kind: 'speedUp', hash: first, newest: first, psbt: 'Zmlyc3Q=' },
}

const replacedHash = `0x${'cd'.repeat(32)}`
const cancellation: ApprovalSubject = {
  ...transaction,
  call: { value: '0', data: '0x' },
  replaces: {
    ...{ kind: 'cancel', hash: replacedHash, newest: replacedHash, isFollowed: true },
    ...{ call: { to: from, value: '7', data: '0x' }, fees: { gas: '21000' } },
  },
}
const operationReplacement: ApprovalSubject = {
  ...operation,
  replaces: {
    kind: 'cancel',
    hash: replacedHash,
    newest: replacedHash,
    isFollowed: true,
    calls: [],
    fees: { gas: '1' },
  },
}

function request(subject: ApprovalSubject, method = 'eth_sendTransaction'): ApprovalRequest {
  return { id: '1', method, networkId: 'eip155:1', origin: '', digest: 'ab'.repeat(32), subject }
}

describe('sentBy', () => {
  it.each([
    [
      request(transaction),
      hash,
      { kind: 'transaction', hash, sent: { namespace: 'eip155', transaction: { from, nonce: 0 } } },
    ],
    [
      request(cancellation),
      hash,
      { kind: 'transaction', hash: replacedHash, sent: { hash: replacedHash, transaction: { to: from, value: 7n } } },
    ],
    [request(operation), hash, { kind: 'included', hash }],
    [request(operation, 'eth_sendUserOperation'), hash, { kind: 'operation', hash: null, id: hash }],
    [request(operationReplacement, 'eth_sendUserOperation'), hash, { kind: 'operation', hash: null, id: replacedHash }],
    [request(operation, 'wallet_sendCalls'), { id: '0x01' }, { kind: 'calls', hash: null, id: '0x01' }],
    [
      request(solana(true)),
      { signature },
      { kind: 'transaction', hash: signature, sent: { namespace: 'solana', transaction: 'AAAA' } },
    ],
    [
      request(psbt(true)),
      { txid },
      { kind: 'transaction', hash: txid, sent: { namespace: 'bip122', address: 'bc1q' } },
    ],
    [
      request(psbt(true)),
      { psbt: 'cHNidP8=', txid },
      { kind: 'transaction', hash: txid, sent: { namespace: 'bip122', address: 'bc1q' } },
    ],
    [request(replacement), txid, { kind: 'transaction', hash: first, sent: { hash: first, psbt: 'Zmlyc3Q=' } }],
  ] as const)('%#: returns what the result identifies', (asked, result, sent) =>
    expect(sentBy(asked, result)).toMatchObject(sent),
  )

  it.each([
    [request(operation), { sentHash: hash, callsId: '0x01' }, { kind: 'calls', hash: null, id: '0x01' }],
    [
      request(operationReplacement, 'eth_sendUserOperation'),
      { sentHash: hash, callsId: '0x01' },
      { kind: 'operation', hash: null, id: replacedHash },
    ],
    [request(transaction), { sentHash: hash }, { kind: 'transaction', hash }],
    [
      request(solana(true)),
      { sentHash: signature },
      { kind: 'transaction', hash: signature, sent: { namespace: 'solana', transaction: 'AAAA' } },
    ],
    [
      request(psbt(true)),
      { sentHash: txid },
      { kind: 'transaction', hash: txid, sent: { namespace: 'bip122', address: 'bc1q' } },
    ],
    [
      request(replacement),
      { sentHash: txid },
      { kind: 'transaction', hash: first, sent: { hash: first, psbt: 'Zmlyc3Q=' } },
    ],
  ] as const)('%#: returns what an unconfirmed failure may have sent', (asked, data, sent) =>
    expect(possiblySentBy(asked, unconfirmed(data))).toMatchObject(sent),
  )

  it.each([
    [request(transaction), unconfirmed({ sentHash: '0x12' })],
    [request(operation), new Failure('BUNDLER_UNAVAILABLE', { data: { sentHash: hash, callsId: '0x01' } })],
    [request(solana(false)), unconfirmed({ sentHash: signature })],
  ] as const)('%#: ignores other failures', (asked, failure) => expect(possiblySentBy(asked, failure)).toBeNull())

  it.each([
    ['a signature', request({ kind: 'eip155.message', address: from, account: 'eoa', message: '0x' }), hash],
    ['a signed transaction that was not sent', request(solana(false)), { transaction: 'AAAA', signature }],
    ['a signed PSBT that was not sent', request(psbt(false)), { psbt: 'cHNidP8=', txid }],
    ['an invalid hash', request(transaction), '0x12'],
    ['an invalid transaction id', request(psbt(true)), { txid: '../../address' }],
    ['an answer of another shape', request(operation, 'wallet_sendCalls'), hash],
    ['no answer', request(solana(true)), null],
  ] as const)('returns null for %s', (_what, asked, result) => expect(sentBy(asked, result)).toBeNull())
})
