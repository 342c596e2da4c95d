/** Giving an account away without moving funds: an approval must show who gets control. */

import { littleEndian } from '@postern/chains/solana/testing/token-2022'
import { tokenProgram } from '@postern/chains/solana/token-account'
import { describe, expect, it } from 'vitest'
import {
  type Accounts,
  type Attack,
  described,
  givesControl,
  minted,
  nonce,
  solOut,
  stake,
  type Told,
  tokens,
  unknown,
  voting,
  wallet,
} from './testing/attacks'
import {
  bytesOf,
  keyOf,
  type Order,
  ofSystem,
  owner,
  payer,
  programIds,
  stranger,
  thief,
  tokenAccount,
  u32,
  unread,
} from './testing/transactions'

const system = programIds.system
const stakeProgram = programIds.stake

const assign = ofSystem(1, [owner], bytesOf(thief))
const assignWithSeed = ofSystem(
  10,
  [stranger, owner],
  [...bytesOf(owner), ...littleEndian(3n, 8), 97, 98, 99, ...bytesOf(thief)],
)
const leaves = (raw: string) => ({ kind: 'known', changes: [solOut(raw)], partial: true })

describe('an account given away', () => {
  it.each<[string, Attack]>([
    ['paid by another account', { orders: [assign], after: { [owner]: wallet(1_000_000, thief) } }],
    ['paid by its owner', { orders: [assign], signers: [owner], after: { [owner]: wallet(995_000, thief) } }],
    [
      'with extra bytes after the parsed data',
      { orders: [{ ...assign, data: [...assign.data, 0] }], after: { [owner]: wallet(1_000_000, thief) } },
    ],
    ['by an unknown program', { orders: [unread(owner)], after: { [owner]: wallet(1_000_000, thief) } }],
    [
      'with something that comes in',
      { orders: [assign], after: { [owner]: wallet(9_000_000, thief), [tokenAccount]: tokens({ amount: 10n }) } },
    ],
  ])('by Assign, %s: what changes is not known, and who decides is', async (_, attack) => {
    const { changes, warnings } = await described(attack)
    expect(changes).toEqual(unknown)
    expect(warnings).toContainEqual(givesControl)
  })

  it('names Assign, AssignWithSeed and AuthorizeNonce, and warns before any chain is asked', async () => {
    const authorizeNonce = ofSystem(7, [stranger, owner], bytesOf(thief))
    for (const [order, name] of [
      [assign, 'Assign'],
      [assignWithSeed, 'Assign'],
      [authorizeNonce, 'nonce'],
    ] as const) {
      const { steps, warnings, changes } = await described({ orders: [order] })
      expect(steps).toMatchObject([
        {
          kind: 'instruction',
          program: system,
          name: expect.stringContaining(name),
          fields: [{ value: thief }, {}, ...(order === assign ? [] : [{}])],
        },
      ])
      expect(warnings).toEqual([givesControl])
      expect(changes).toEqual(unknown)
    }
  })

  it('gives no control if another payer’s new account is assigned, but is not harmless', async () => {
    const { warnings } = await described({ orders: [ofSystem(1, [payer], bytesOf(thief))] })
    expect(warnings).toEqual([{ kind: 'notDecoded' }])
  })

  it('warns for a nonce account too, even through an unknown program', async () => {
    const attack = {
      orders: [unread(owner, tokenAccount)],
      before: { [tokenAccount]: nonce(owner) },
      after: { [tokenAccount]: nonce(thief) },
    }
    const { changes, warnings } = await described(attack)
    expect(changes).toEqual(leaves('1447680'))
    expect(warnings).toContainEqual(givesControl)
  })

  it.each<[string, Order, Told]>([
    [
      'the program itself',
      { program: stakeProgram, accounts: [tokenAccount, owner], data: [...u32(1), ...bytesOf(thief), ...u32(1)] },
      stake(owner, thief),
    ],
    ['an unknown program', unread(owner, tokenAccount), stake(thief)],
  ])('warns of a stake account’s authority, moved by %s', async (_, order, moved) => {
    const { changes, warnings } = await described({
      orders: [order],
      before: { [tokenAccount]: stake(owner) },
      after: { [tokenAccount]: moved },
    })
    expect(changes).toEqual(leaves('5000000'))
    expect(warnings).toContainEqual(givesControl)
  })

  it('has unknown changes if the account gets data, after which it cannot send', async () => {
    const allocated = {
      orders: [ofSystem(8, [owner], littleEndian(8n, 8))],
      after: { [owner]: wallet(1_000_000, system, 8) },
    }
    expect((await described(allocated)).changes).toEqual(unknown)
  })
})

describe('rights over a token account, given by an unknown program', () => {
  it.each<[string, Told, Told?]>([
    ['an allowance', tokens({ delegate: thief })],
    ['a larger allowance', tokens({ delegate: thief, delegated: 6n }), tokens({ delegate: thief, delegated: 5n })],
    ['another owner', tokens({ owner: thief })],
    ['another owner of an empty one', tokens({ owner: thief, amount: 0n }), tokens({ amount: 0n })],
    ['the right to close it', tokens({ closer: thief })],
    ['an allowance of one that is new', tokens({ delegate: thief }), null],
  ])('%s', async (_, after, before = tokens()) => {
    const { changes, warnings } = await described({
      orders: [unread(owner, tokenAccount)],
      before: { [tokenAccount]: before },
      after: { [tokenAccount]: after },
    })
    expect(warnings).toContainEqual(givesControl)
    if (changes.kind === 'known') expect(changes).toMatchObject({ partial: true, changes: [{}] })
  })

  it('warns of an allowance larger than the step’s', async () => {
    const approve: Order = {
      program: tokenProgram,
      accounts: [tokenAccount, thief, owner],
      data: [4, ...littleEndian(5n, 8)],
    }
    const said = await described({
      orders: [approve],
      after: { [tokenAccount]: tokens({ delegate: thief, delegated: 5n }) },
    })
    expect(said.warnings).toEqual([{ kind: 'unknownContract', contract: thief }])
    expect(said.changes).toEqual({ kind: 'known', changes: [] })
    const more = await described({
      orders: [approve, unread(owner, tokenAccount)],
      after: { [tokenAccount]: tokens({ delegate: thief }) },
    })
    expect(more.warnings).toContainEqual(givesControl)
    expect(more.changes).toEqual(unknown)
  })

  it('does not warn of rights given earlier', async () => {
    const before = tokens({ delegate: thief, delegated: 5n, closer: thief })
    const { warnings } = await described({ orders: [unread(owner, tokenAccount)], before: { [tokenAccount]: before } })
    expect(warnings).not.toContainEqual(givesControl)
  })
})

describe('rights given by a step', () => {
  const setAuthority = (type: number, rest: readonly number[]): Order => ({
    program: tokenProgram,
    accounts: [tokenAccount, owner],
    data: [6, type, ...rest],
  })

  it.each([2, 3])('SetAuthority of type %i warns, and its changes are unknown', async (type) => {
    const { changes, warnings } = await described({ orders: [setAuthority(type, [1, ...bytesOf(thief)])] })
    expect(warnings).toEqual([givesControl])
    expect(changes).toEqual(unknown)
  })

  it('SetAuthority to the owner or to no account gives no control, but is not harmless', async () => {
    for (const rest of [[1, ...bytesOf(owner)], [0]])
      expect((await described({ orders: [setAuthority(3, rest)] })).warnings).toEqual([{ kind: 'notDecoded' }])
  })

  it('SetAuthority with extra bytes, which the program accepts, warns too', async () => {
    const { warnings } = await described({ orders: [setAuthority(2, [1, ...bytesOf(thief), 0])] })
    expect(warnings).toContainEqual(givesControl)
  })

  it('an account closed in favour of another has unknown changes', async () => {
    const close = (to: string): Order => ({ program: tokenProgram, accounts: [tokenAccount, to, owner], data: [9] })
    const before = { [tokenAccount]: tokens({ amount: 0n }) }
    const after = { [tokenAccount]: null }
    expect((await described({ orders: [close(thief)], before, after })).changes).toEqual(unknown)
    const own = { before, after: { ...after, [owner]: wallet(3_039_280) } }
    expect(await described({ orders: [close(owner)], ...own })).toMatchObject({
      changes: { kind: 'known', changes: [{ direction: 'in', amount: { raw: '2039280' } }] },
      warnings: [],
    })
  })

  it('creating the owner’s own account for another program warns', async () => {
    const create = ofSystem(0, [payer, owner], [...littleEndian(1n, 8), ...littleEndian(0n, 8), ...bytesOf(thief)])
    expect((await described({ orders: [create] })).warnings).toEqual([givesControl])
  })
})

describe('behind something that comes in, an unknown program', () => {
  const other = keyOf(7)
  const bait = { [tokenAccount]: tokens({ amount: 10n }) }
  const taking = (was: Told, now: Told, more: Accounts = {}) =>
    described({
      orders: [unread(owner, tokenAccount, other)],
      before: { [other]: was },
      after: { ...bait, ...more, [other]: now },
    })

  it.each<[string, Told, Told, string]>([
    ['a stake', stake(owner), null, '5000000'],
    ['a part of a stake', stake(owner), stake(owner, owner, 1_000_000), '4000000'],
    ['a stake that its staker’s withdrawer gave away', stake(thief, owner), stake(thief), '5000000'],
    ['what a nonce account holds', nonce(owner), null, '1447680'],
  ])('takes %s: SOL that leaves', async (_, was, now, raw) => {
    const { changes, warnings } = await taking(was, now)
    expect(changes).toMatchObject({ kind: 'known', partial: true })
    expect(changes.kind === 'known' && changes.changes).toContainEqual(solOut(raw))
    expect(warnings).toContainEqual({ kind: 'notDecoded' })
  })

  it('takes a part of what the owner withdraws from a stake', async () => {
    const { changes } = await taking(stake(owner), null, { [owner]: wallet(3_000_000) })
    expect(changes.kind === 'known' && changes.changes).toContainEqual(solOut('3000000'))
  })

  it('pays out a stake to the owner', async () => {
    const { changes } = await taking(stake(owner), null, { [owner]: wallet(6_000_000) })
    expect(changes.kind === 'known' && changes.changes).toContainEqual({ ...solOut('5000000'), direction: 'in' })
  })

  it.each<[string, Told, Told]>([
    ['the right to issue a token', minted(owner), minted(thief)],
    ['the right to freeze a token', minted(undefined, owner), minted(undefined, thief)],
    ['a vote account', voting(owner), voting(thief)],
    ['a vote account’s node', voting(stranger, owner), voting(stranger, thief)],
    ['the lock of a stake', stake(owner, owner, 5_000_000, owner), stake(owner, owner, 5_000_000, thief)],
  ])('gives away %s', async (_, was, now) => {
    expect((await taking(was, now)).warnings).toContainEqual(givesControl)
  })
})
