/** Addresses that only a lookup table has: what an endpoint says of it proves nothing. */

import { token2022Program, tokenProgram } from '@postern/chains/solana/token-account'
import { describe, expect, it } from 'vitest'
import { type Accounts, described, givesControl, simulated, type Told, tokens, wallet } from './testing/attacks'
import {
  keyOf,
  lookedUp,
  lookupTable,
  mint,
  type Order,
  openingOf,
  owner,
  secondTable,
  stranger,
  tableBytes,
  tableProgram,
  thief,
  tokenAccount,
  transferOf,
  unread,
} from './testing/transactions'

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
