/** Endpoints that make up accounts or a simulation, to make a Solana request read milder than it is. */

import { associatedAccount } from '@postern/chains/solana/program-address'
import { accountBytes, mintBytes } from '@postern/chains/solana/testing/token-2022'
import { token2022Program, tokenProgram } from '@postern/chains/solana/token-account'
import { nativeAddressOf } from '@postern/protocol'
import { dollarTokens } from '@postern/protocol/networks/dollar-tokens'
import { describe, expect, it } from 'vitest'
import { lossOf } from '../../../approval/place/worth'
import { type Accounts, described, simulated, solOut, tokens, unknown, wallet } from './testing/attacks'
import {
  keyOf,
  mint,
  type Order,
  ofSystem,
  ofToken,
  openingOf,
  owner,
  payer,
  programIds,
  stranger,
  thief,
  tokenAccount,
  transferOf,
  u64,
  unread,
} from './testing/transactions'

const mainNetwork = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const [dollars = ''] = (dollarTokens[mainNetwork] ?? []).map(({ address }) => address)
const wrappedSol = nativeAddressOf(mainNetwork)
const held = (of: string, amount: bigint, program = tokenProgram) =>
  simulated(program, accountBytes({ mint: of, owner, amount }))

describe('a gain that an endpoint makes up, beside a payment', () => {
  const other = keyOf(33)
  const before = { [owner]: wallet(9_000_000), [other]: tokens({ amount: 0n }), [tokenAccount]: held(dollars, 9n) }
  const after = { [owner]: wallet(1_995_000), [tokenAccount]: held(dollars, 1_000_009n) }
  const openedBy = (one: string) => [one, ...openingOf(keyOf(100), thief).accounts.slice(1)]
  const paying = (...orders: readonly Order[]) =>
    described({ orders: [...orders, transferOf(7_000_000n, thief)], signers: [owner], before, after })

  it.each<[string, Order]>([
    ['an approval taken back', ofToken([tokenAccount, owner], 5)],
    ['wrapped SOL counted', ofToken([tokenAccount], 17)],
    ['an account closed for the owner', ofToken([other, owner, owner], 9)],
    ['an account closed for another', ofToken([other, thief, owner], 9)],
    ['a memo', { program: programIds.memo, accounts: [tokenAccount], data: [65] }],
    ['a nonce', ofSystem(4, [stranger, tokenAccount, owner], [])],
    ['SOL for the owner', transferOf(1n, owner)],
  ])('is not believed with %s', async (_, order) => {
    const { changes, steps } = await paying(order, ofToken([tokenAccount], 17))
    expect(changes).toEqual(unknown)
    expect(steps).toContainEqual(expect.objectContaining({ kind: 'transfer', to: thief }))
  })

  it.each<[string, Order]>([
    ['that another account pays', { ...openingOf(keyOf(100), thief), accounts: openedBy(payer) }],
    ['that exists', openingOf(keyOf(100), thief)],
  ])('is no deposit: SOL sent before a token account %s leaves in full', async (_, opening) => {
    const { changes } = await described({
      orders: [transferOf(7_000_000n, thief), opening],
      signers: [owner, payer],
      before: { ...before, [keyOf(100)]: tokens({ owner: thief }) },
    })
    expect(changes).toEqual(unknown)
  })

  it('stays partial with a program that is not read, which has a warning', async () => {
    const { changes, warnings } = await paying(unread(tokenAccount))
    expect(changes).toMatchObject({ partial: true })
    expect(changes.kind === 'known' && changes.changes).toContainEqual(solOut('7005000'))
    expect(warnings).toContainEqual({ kind: 'notDecoded' })
  })

  it.each<[string, readonly Order[], Accounts, Accounts]>([
    [
      'SOL out of a closed account of wrapped SOL',
      [ofToken([other, owner, owner], 9)],
      { [owner]: wallet(9_000_000), [other]: held(wrappedSol, 5_000_000n) },
      { [owner]: wallet(16_000_000), [other]: null },
    ],
    [
      'wrapped SOL',
      [transferOf(5_000_000n, other), ofToken([other], 17)],
      { [owner]: wallet(9_000_000), [other]: held(wrappedSol, 0n) },
      { [owner]: wallet(3_995_000), [other]: held(wrappedSol, 5_000_000n) },
    ],
  ])('is believed of %s', async (_, orders, was, now) => {
    const { changes } = await described({ orders, signers: [owner], before: was, after: now })
    expect(changes.kind === 'known' && changes.changes.map(({ direction }) => direction)).toContain('in')
  })
})

describe('an account of the owner’s that an endpoint calls one of a listed token', () => {
  const order = ofToken([tokenAccount, keyOf(9), owner], 3, ...u64(20_000_000n))
  const named = (account: string, program = tokenProgram) => ({
    orders: [{ ...order, program, accounts: [account, keyOf(9), owner] }],
    signers: [owner],
    before: { [account]: held(dollars, 10n ** 12n, program), [dollars]: simulated(program, mintBytes()) },
  })

  it('keeps its own address in a transfer, which is of unknown worth', async () => {
    const intent = await described(named(tokenAccount))
    expect(intent.steps).toMatchObject([{ kind: 'transfer', amount: { raw: '20000000', token: tokenAccount } }])
    const subject = { kind: 'solana.transactions' as const, address: owner, transactions: [], sends: true }
    expect(lossOf({ subject, networkId: mainNetwork }, intent)).toBeNull()
  })

  it('keeps its own address in an allowance', async () => {
    const approve = ofToken([tokenAccount, thief, owner], 4, ...u64(20_000_000n))
    const { steps } = await described({ ...named(tokenAccount), orders: [approve] })
    expect(steps).toMatchObject([{ kind: 'approve', amount: { token: tokenAccount } }])
  })

  it('keeps the mint that the instruction names, which the program checks', async () => {
    const { steps } = await described({
      orders: [ofToken([tokenAccount, mint, keyOf(9), owner], 12, ...u64(20_000_000n), 6)],
      signers: [owner],
      before: { [mint]: held(dollars, 10n ** 12n) },
    })
    expect(steps).toMatchObject([{ kind: 'transfer', amount: { token: mint } }])
  })

  it.each([tokenProgram, token2022Program])('is one if its address proves it, by %s', async (program) => {
    const account = associatedAccount(owner, dollars, program)
    const { steps } = await described(named(account, program))
    expect(steps).toMatchObject([{ kind: 'transfer', amount: { raw: '20000000', token: dollars } }])
  })

  it('may be one of any other token, whose amount has no decimals', async () => {
    const { steps } = await described({ orders: [order], signers: [owner], before: { [tokenAccount]: held(mint, 9n) } })
    expect(steps).toMatchObject([{ kind: 'transfer', amount: { raw: '20000000', token: mint } }])
    expect(steps[0]).not.toHaveProperty('amount.decimals')
  })
})
