/** Giving an account away without moving funds: an approval must show every effect. */

import type { ChainClient } from '@postern/chains/chain-client'
import { accountBytes, littleEndian, mintBytes } from '@postern/chains/solana/testing/token-2022'
import { token2022Program, tokenProgram } from '@postern/chains/solana/token-account'
import { base58, base64 } from '@scure/base'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Intent } from '../intent'
import { solanaIntents } from '../testing/solana-intents'
import {
  bytesOf,
  creationOf,
  keyOf,
  lookedUp,
  lookupTable,
  mint,
  type Order,
  ofSystem,
  openingOf,
  owner,
  payer,
  programIds,
  secondTable,
  stranger,
  tableBytes,
  tableProgram,
  thief,
  tokenAccount,
  transactionOf,
  transferOf,
  u32,
  unread,
} from '../testing/solana-transactions'
import { warningsOf } from '../warnings'
import { readSolanaTransaction } from './transaction'

const system = programIds.system
const stakeProgram = programIds.stake
const maxU64 = 2n ** 64n - 1n

type Told = { readonly lamports: number; readonly data: readonly string[]; readonly owner: string } | null
const simulated = (program: string, bytes: Uint8Array, lamports = 2_039_280): Told => ({
  lamports,
  data: [base64.encode(bytes), 'base64'],
  owner: program,
})
const wallet = (lamports = 1_000_000, program = system, size = 0) => simulated(program, new Uint8Array(size), lamports)

type Rights = {
  readonly owner?: string
  readonly amount?: bigint
  readonly delegate?: string
  readonly delegated?: bigint
  readonly closer?: string
}

function tokens({ owner: of = owner, amount = 9n, delegate, delegated = maxU64, closer }: Rights = {}): Told {
  const bytes = accountBytes({ mint, owner: of, amount })
  if (delegate !== undefined) {
    bytes.set([1, 0, 0, 0, ...base58.decode(delegate)], 72)
    bytes.set(littleEndian(delegated, 8), 121)
  }
  if (closer !== undefined) bytes.set([1, 0, 0, 0, ...base58.decode(closer)], 129)
  return simulated(tokenProgram, bytes)
}

function stake(staker: string, withdrawer = staker, lamports = 5_000_000, custodian = keyOf(0)): Told {
  const bytes = new Uint8Array(200)
  bytes.set([2, 0, 0, 0, ...new Uint8Array(8), ...[staker, withdrawer].flatMap(bytesOf), ...new Uint8Array(16)])
  bytes.set(bytesOf(custodian), 92)
  return simulated(stakeProgram, bytes, lamports)
}

function minted(issuer?: string, freezer?: string): Told {
  const bytes = mintBytes()
  bytes.set(issuer === undefined ? new Uint8Array(36) : [1, 0, 0, 0, ...bytesOf(issuer)], 0)
  bytes.set(freezer === undefined ? new Uint8Array(36) : [1, 0, 0, 0, ...bytesOf(freezer)], 46)
  return simulated(tokenProgram, bytes)
}

function voting(withdrawer: string, node = stranger): Told {
  const bytes = new Uint8Array(3_762)
  bytes.set([2, 0, 0, 0, ...bytesOf(node), ...bytesOf(withdrawer)])
  return simulated('Vote111111111111111111111111111111111111111', bytes, 27_074_400)
}

function nonce(authority: string): Told {
  const bytes = new Uint8Array(80)
  bytes.set([1, 0, 0, 0, 1, 0, 0, 0, ...base58.decode(authority)])
  return simulated(system, bytes, 1_447_680)
}

type Accounts = Readonly<Record<string, Told>>

function nodeOf(before: Accounts, after: Accounts): ChainClient['rpc'] {
  const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
  const requests = (config: unknown) => list(Object(Object(config).accounts).addresses)
  const now: Accounts = { ...before, ...after }
  return {
    async request({ method, params }) {
      const [first, second] = list(params)
      if (method === 'getMultipleAccounts') return { value: list(first).map((key) => before[String(key)] ?? null) }
      return { value: { err: null, accounts: requests(second).map((key) => now[String(key)] ?? null) } }
    },
  }
}

type Attack = {
  readonly orders: readonly Order[]
  /** The first one pays. */
  readonly signers?: readonly string[]
  readonly before?: Accounts
  readonly after?: Accounts
  /** Of further transactions. */
  readonly more?: readonly (readonly Order[])[]
  /** Earlier ones. */
  readonly recipients?: readonly string[]
}

const usual: Accounts = {
  [owner]: wallet(),
  [payer]: wallet(),
  [tokenAccount]: tokens(),
  [mint]: simulated(tokenProgram, mintBytes()),
}

async function described({
  orders,
  signers = [payer, owner],
  before = {},
  after = {},
  more = [],
  recipients = [],
}: Attack): Promise<Intent> {
  const transactions = [orders, ...more].map((one) => transactionOf(signers, one))
  return (await solanaIntents(transactions, nodeOf({ ...usual, ...before }, after), recipients)).last
}

const assign = ofSystem(1, [owner], bytesOf(thief))
const assignWithSeed = ofSystem(
  10,
  [stranger, owner],
  [...bytesOf(owner), ...littleEndian(3n, 8), 97, 98, 99, ...bytesOf(thief)],
)
const givesControl = { kind: 'givesControl', to: thief }
const unknown = { kind: 'unknown' }
const solOut = (raw: string) => ({ direction: 'out', amount: { raw, symbol: 'SOL', decimals: 9 } })
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

describe('an address in a lookup table', () => {
  const table = (entries: readonly string[], program = tableProgram) => simulated(program, tableBytes(entries))
  const send = (before: Accounts) =>
    described({ orders: [transferOf(5n, lookedUp(1))], signers: [owner], before, after: {} })
  const label = (entry: number, of = lookupTable) => `entry ${entry} of lookup table ${of}`
  const unknownRecipient = (entry: number) => ({ kind: 'unknownRecipient', recipient: label(entry) })

  it('is named as the endpoint says, with all checks of a recipient, and stays unproven', async () => {
    const { steps, warnings } = await send({ [lookupTable]: table([stranger, thief]) })
    expect(steps).toMatchObject([{ kind: 'transfer', to: thief, amount: { raw: '5' } }])
    expect(warnings).toEqual([unknownRecipient(1), { kind: 'firstTimeRecipient', recipient: thief }])
  })

  it.each([
    ['an earlier recipient', keyOf(90)],
    ['the owner', owner],
  ])('is not known, whatever endpoint says that it is %s', async (_, said) => {
    const { warnings } = await described({
      orders: [transferOf(5n, lookedUp(1))],
      signers: [owner],
      before: { [lookupTable]: table([stranger, said]) },
      recipients: [keyOf(90)],
    })
    expect(warnings).toEqual([unknownRecipient(1)])
  })

  it.each<[string, Told]>([
    ['that does not exist', null],
    ['of another program', table([stranger, thief], stranger)],
    ['that is shorter', table([stranger])],
    ['that is cut', simulated(tableProgram, new Uint8Array(100))],
    ['that names an account twice', table([thief, owner])],
  ])('stays unknown in a table %s', async (_, found) => {
    const { steps, warnings } = await send({ [lookupTable]: found })
    expect(steps).toMatchObject([{ kind: 'transfer', to: label(1) }])
    expect(warnings).toEqual([unknownRecipient(1)])
  })

  it('is read by instructions of tokens too, and names the owner of the account', async () => {
    const order: Order = { program: tokenProgram, accounts: [tokenAccount, lookedUp(0), owner], data: [9] }
    const before = { [lookupTable]: table([thief]), [tokenAccount]: tokens({ amount: 0n }) }
    const { steps, warnings } = await described({ orders: [order], before, after: { [tokenAccount]: null } })
    expect(steps).toMatchObject([
      { kind: 'transfer', to: thief, amount: { raw: '2039280', symbol: 'SOL', everything: true } },
      { kind: 'instruction', name: 'Close token account' },
    ])
    expect(warnings).toEqual([unknownRecipient(0), { kind: 'firstTimeRecipient', recipient: thief }])
  })

  it('makes no program of an associated account one that is known', async () => {
    const opening = openingOf(keyOf(100), owner, lookedUp(0))
    const { warnings } = await described({
      orders: [opening],
      signers: [owner],
      before: { [lookupTable]: table([token2022Program]) },
    })
    expect(warnings).toContainEqual({ kind: 'notDecoded' })
  })

  const first = { [lookupTable]: table([thief, tokenAccount]) }
  const second = { [secondTable]: table([tokenAccount]) }

  it.each<[string, string, Accounts]>([
    ['a table', lookedUp(1), first],
    ['a second table', lookedUp(0, secondTable), { ...first, ...second }],
  ])('is simulated: what leaves from an account of the owner in %s', async (_, account, before) => {
    const orders = [unread(owner, lookedUp(0), account)]
    const taken = await described({ orders, before, after: { [tokenAccount]: tokens({ amount: 4n }) } })
    expect(taken.changes).toEqual({
      kind: 'known',
      partial: true,
      changes: [{ direction: 'out', amount: { raw: '5', token: mint, decimals: 6 } }],
    })
    const closed = await described({ orders, before, after: { [tokenAccount]: null } })
    expect(closed.changes).toMatchObject({ partial: true, changes: [{ direction: 'out', amount: { raw: '9' } }] })
    const given = await described({ orders, before, after: { [tokenAccount]: tokens({ owner: thief }) } })
    expect(given.warnings).toContainEqual(givesControl)
    const allowed = await described({ orders, before, after: { [tokenAccount]: tokens({ delegate: thief }) } })
    expect(allowed.warnings).toContainEqual(givesControl)
    for (const { warnings } of [taken, closed, given, allowed]) expect(warnings).toContainEqual({ kind: 'notDecoded' })
  })

  it.each<[string, Accounts]>([
    ['missing', {}],
    ['shorter', { [lookupTable]: table([stranger]) }],
    ['made up', { [lookupTable]: table([stranger, keyOf(99)]) }],
  ])('is never all that changes if the table is %s', async (_, before) => {
    const orders = [transferOf(5n, thief), unread(lookedUp(1))]
    const after = { [owner]: wallet(994_995), [tokenAccount]: null }
    const { changes } = await described({ orders, signers: [owner], before, after })
    if (changes.kind === 'known') expect(changes.partial).toBe(true)
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
      {
        id: '1',
        method: 'solana_signTransaction',
        networkId: 'solana:PosternDevnet1111111111111111111',
        origin: 'https://app.example',
        digest: '0'.repeat(64),
        subject: { kind: 'solana.transactions', address: owner, transactions: [], sends: false },
      },
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
