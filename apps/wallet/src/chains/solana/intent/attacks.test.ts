/** Solana requests that hide what they do: an approval must show every effect. */

import { accountBytes, littleEndian, mintBytes } from '@postern/chains/solana/testing/token-2022'
import { token2022Program, tokenProgram } from '@postern/chains/solana/token-account'
import { approvalRequest } from '@postern/protocol/testing/approval-request'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { warningsOf } from '../../../intent/warnings'
import {
  type Accounts,
  type Attack,
  described,
  givesControl,
  nonce,
  simulated,
  tokens,
  unknown,
  wallet,
} from './testing/attacks'
import {
  bytesOf,
  creationOf,
  keyOf,
  mint,
  type Order,
  ofSystem,
  openingOf,
  owner,
  payer,
  programIds,
  stranger,
  thief,
  tokenAccount,
  transactionOf,
  transferOf,
  unread,
} from './testing/transactions'
import { readSolanaTransaction } from './transaction'

const system = programIds.system

describe('an unknown instruction', () => {
  it.each<[string, Attack]>([
    ['and another account pays', { orders: [unread(owner)] }],
    [
      'and nothing but the fee leaves',
      { orders: [unread(owner)], signers: [owner], after: { [owner]: wallet(995_000) } },
    ],
  ])('with no visible change, %s: what changes is not known', async (_, attack) => {
    const { changes, warnings } = await described(attack)
    expect(changes).toEqual(unknown)
    expect(warnings).toContainEqual({ kind: 'notDecoded' })
  })

  it('with visible changes is marked as partial', async () => {
    const { changes } = await described({
      orders: [unread(owner, tokenAccount)],
      after: { [tokenAccount]: tokens({ amount: 4n }) },
    })
    expect(changes).toEqual({
      kind: 'known',
      partial: true,
      changes: [{ direction: 'out', amount: { raw: '5', token: mint, decimals: 6 } }],
    })
  })
})

describe('usual cases have complete changes and no such warnings', () => {
  it('a SOL transfer with a compute price, a memo and a nonce', async () => {
    const { changes, warnings } = await described({
      signers: [owner],
      orders: [
        ofSystem(4, [tokenAccount, stranger, owner], []),
        { program: 'ComputeBudget111111111111111111111111111111', accounts: [], data: [3, ...littleEndian(1n, 8)] },
        ofSystem(2, [owner, payer], littleEndian(5n, 8)),
        { program: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', accounts: [owner], data: [104, 105] },
      ],
      before: { [tokenAccount]: nonce(owner) },
      after: { [owner]: wallet(994_995) },
    })
    expect(changes).toEqual({
      kind: 'known',
      changes: [{ direction: 'out', amount: { raw: '5005', symbol: 'SOL', decimals: 9 } }],
    })
    expect(warnings).toEqual([{ kind: 'neverExpires' }, { kind: 'firstTimeRecipient', recipient: payer }])
  })

  it.each([tokenProgram, token2022Program])('a token of %s, with a new account for the recipient', async (program) => {
    const other = stranger
    const account = (of: string, amount: bigint) => simulated(program, accountBytes({ mint, owner: of, amount }))
    const { changes } = await described({
      signers: [owner],
      orders: [
        {
          program: 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
          accounts: [owner, other, payer, mint, system, program],
          data: [1],
        },
        { program, accounts: [tokenAccount, mint, other, owner], data: [12, ...littleEndian(4n, 8), 6] },
      ],
      before: { [tokenAccount]: account(owner, 9n), [mint]: simulated(program, mintBytes()) },
      after: { [tokenAccount]: account(owner, 5n), [other]: account(payer, 4n), [owner]: wallet(500_000) },
    })
    expect(changes).toEqual({
      kind: 'known',
      changes: [
        { direction: 'out', amount: { raw: '4', token: mint, decimals: 6 } },
        { direction: 'out', amount: { raw: '500000', symbol: 'SOL', decimals: 9 } },
      ],
    })
  })
})

describe('several transactions', () => {
  it('that give an account away have a warning, by an unknown program too', async () => {
    const { warnings, changes } = await described({
      orders: [unread(owner, tokenAccount)],
      more: [[transferOf(1n, thief)]],
      after: { [tokenAccount]: tokens({ owner: thief }) },
    })
    expect(warnings).toContainEqual(givesControl)
    expect(changes).toEqual(unknown)
  })
})

describe('an allowance', () => {
  const approve = (amount: bigint): Attack => ({
    orders: [{ program: tokenProgram, accounts: [tokenAccount, thief, owner], data: [4, ...littleEndian(amount, 8)] }],
    after: { [tokenAccount]: tokens({ amount: 100n, delegate: thief, delegated: amount }) },
  })
  const supplied = (supply: bigint) => {
    const bytes = mintBytes()
    bytes.set(littleEndian(supply, 8), 36)
    return simulated(tokenProgram, bytes)
  }
  const before = { [tokenAccount]: tokens({ amount: 100n }), [mint]: supplied(10_000n) }
  const unknownContract = { kind: 'unknownContract', contract: thief }

  it.each([
    [99n, [unknownContract]],
    [100n, [{ kind: 'coversBalance', spender: thief }, unknownContract]],
    [9_999n, [{ kind: 'coversBalance', spender: thief }, unknownContract]],
    [10_000n, [{ kind: 'unlimitedApproval', spender: thief }, unknownContract]],
    [2n ** 63n, [{ kind: 'unlimitedApproval', spender: thief }, unknownContract]],
    [0n, []],
  ])('of %s, with a balance of 100 of 10,000', async (amount, expected) => {
    const { steps, warnings } = await described({ ...approve(amount), before })
    expect(steps).toMatchObject([{ kind: 'approve', amount: { raw: `${amount}` } }])
    expect(warnings).toEqual(expected)
  })

  it('of an empty account, or of a mint without supply, counts by its number', async () => {
    const empty = { [tokenAccount]: tokens({ amount: 0n }), [mint]: supplied(0n) }
    expect((await described({ ...approve(5n), before: empty })).warnings).toEqual([unknownContract])
  })

  it('belongs to its own account if there are several', async () => {
    const other = stranger
    const { steps } = await described({
      orders: [
        { program: tokenProgram, accounts: [other, thief, owner], data: [4, ...littleEndian(5n, 8)] },
        {
          program: tokenProgram,
          accounts: [tokenAccount, mint, thief, owner],
          data: [13, ...littleEndian(100n, 8), 6],
        },
      ],
      before: { ...before, [other]: tokens({ amount: 100n }) },
    })
    expect(steps.map((step) => step.kind === 'approve' && step.amount.coversBalance)).toEqual([undefined, true])
  })
})

describe('the deposit of a token account', () => {
  const account = keyOf(100)
  const deposit = { kind: 'transfer', to: thief, amount: { raw: '2039280', symbol: 'SOL', decimals: 9 } }
  const opened = (before: Accounts, more: readonly Order[] = []) =>
    described({ orders: [...more, openingOf(account, thief)], signers: [owner], before })
  const exists = { [account]: tokens({ owner: thief }) }

  it('is paid for a new one, and not for one that exists', async () => {
    expect((await opened({})).steps).toMatchObject([deposit, { name: 'Token account' }])
    const { steps, warnings } = await opened(exists)
    expect(steps).toMatchObject([{ name: 'Token account' }])
    expect(warnings).toEqual([])
  })

  it.each<[string, Accounts, readonly Order[]]>([
    ['that is closed first', exists, [{ program: tokenProgram, accounts: [account, owner, owner], data: [9] }]],
    ['at whose address is something else', { [account]: wallet() }, []],
  ])('is paid for one %s', async (_, before, more) => {
    expect((await opened(before, more)).steps).toContainEqual(deposit)
  })
})

describe('what reaches another address by another instruction', () => {
  const friend = keyOf(90)
  // As long as the friend's, with the same ends.
  const lookalike = `${friend.slice(0, 6)}${thief.slice(6, -6)}${friend.slice(-6)}`
  const warned = (order: Order, known: readonly string[]) =>
    warningsOf(
      approvalRequest(
        { kind: 'solana.transactions', address: owner, transactions: [], sends: false },
        { method: 'solana_signTransaction', networkId: 'solana:PosternDevnet1111111111111111111' },
      ),
      readSolanaTransaction(transactionOf([owner], [order]), owner),
      { own: [owner], known: { recipients: known, contracts: [] } },
    )

  it('is never quieter than the equal transfer', () => {
    const addresses = fc.constantFrom(friend, lookalike, thief, owner)
    fc.assert(
      fc.property(addresses, fc.subarray([friend, thief]), fc.bigInt(0n, 2n ** 63n), (to, known, amount) => {
        const plain = warned(transferOf(amount, to), known)
        const others: readonly Order[] = [
          creationOf(amount, to),
          creationOf(amount, to, stranger, 5n),
          ofSystem(
            3,
            [owner, to, owner],
            [
              ...bytesOf(owner),
              ...[...littleEndian(1n, 8), 97, ...littleEndian(amount, 8), ...littleEndian(0n, 8)],
              ...bytesOf(system),
            ],
          ),
          openingOf(keyOf(91), to),
          { program: tokenProgram, accounts: [tokenAccount, to, owner], data: [9] },
          { program: tokenProgram, accounts: [tokenAccount, to, owner], data: [3, ...littleEndian(amount, 8), 1] },
        ]
        for (const order of others) expect(warned(order, known)).toEqual(expect.arrayContaining([...plain]))
      }),
      { numRuns: 30 },
    )
    expect(warned(transferOf(1n, lookalike), [friend])).toMatchObject([
      { kind: 'lookalikeRecipient' },
      { kind: 'firstTimeRecipient' },
    ])
  })
})
