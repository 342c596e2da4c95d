// @vitest-environment happy-dom
/** What the card says of requests that once read milder than they are. */

import { testKey } from '@postern/chains/bip122/testing/test-chain'
import type { ApprovalRequest } from '@postern/protocol'
import * as fc from 'fast-check'
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { describe, expect, it, vi } from 'vitest'
import { bitcoinCorpus, bitcoinOwner } from '../../chains/bip122/intent/testing/corpus'
import { solanaCorpus } from '../../chains/solana/intent/testing/corpus'
import { solanaProgramsCorpus } from '../../chains/solana/intent/testing/programs-corpus'
import {
  creationOf,
  keyOf,
  lookedUp,
  type Order,
  ofToken,
  openingOf,
  owner,
  programIds,
  stranger,
  thief,
  tokenAccount,
  transferOf,
  u64,
} from '../../chains/solana/intent/testing/transactions'
import type { DescribeContext, Intent } from '../../intent/intent'
import {
  type BitcoinRequest,
  bitcoinContext,
  bitcoinRequest,
  type SolanaRequest,
  solanaContext,
  solanaRequest,
} from '../testing/corpus-cards'
import { intentOf, loadEnglish } from '../testing/draw-card'
import { TestCard } from '../testing/test-card'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

/** The last description, and the text of its card: spaces of one kind, and addresses in one piece. */
async function cardOf(
  request: ApprovalRequest,
  context: DescribeContext,
): Promise<{ readonly intent: Intent; readonly text: string }> {
  const intent = await intentOf(request, context)
  return { intent, text: await drawn(request, { ...intent, raw: [] }) }
}

async function drawn(request: ApprovalRequest, intent: Intent): Promise<string> {
  await loadEnglish()
  const place = document.createElement('div')
  const root = createRoot(place)
  const card = <TestCard request={request} intent={intent} network="Network" />
  await act(async () => root.render(card))
  const text = (place.textContent ?? '').replaceAll('\u00A0', ' ')
  await act(async () => root.unmount())
  return text
}

const solanaCard = (row: SolanaRequest) => cardOf(solanaRequest(row), solanaContext)
const bitcoinCard = (row: BitcoinRequest) => cardOf(bitcoinRequest(row), bitcoinContext(row.chain))

describe('a Solana request without an answer of the chain', () => {
  it.each([...solanaCorpus, ...solanaProgramsCorpus])('$name', async (row) => {
    const { intent, text } = await solanaCard(row)
    expect(intent.warnings.map(({ kind }) => kind)).toEqual(row.warnings)
    for (const part of row.shows) expect(text).toContain(part)
  })
})

it('says what a closed account holds now, which may be more when it is closed', async () => {
  const amount = { raw: '2039280', symbol: 'SOL', decimals: 9, everything: true as const }
  const text = await drawn(solanaRequest({ orders: [] }), {
    steps: [{ kind: 'transfer', to: thief, amount }],
    warnings: [],
    fee: null,
    changes: { kind: 'unknown' },
    raw: [],
  })
  expect(text).toContain('−\u202FEverything in the closed account, now 0.00203928 SOL')
})

describe('a Bitcoin request', () => {
  it.each(bitcoinCorpus)('$name', async (row) => {
    const { intent, text } = await bitcoinCard(row)
    expect(intent.warnings.map(({ kind }) => kind)).toEqual(row.warnings)
    for (const part of row.shows) expect(text).toContain(part)
  })
})

describe('two requests that differ in a recipient, an amount or a program never have the same card', () => {
  const { system, token, token2022 } = programIds
  const recipients = fc.constantFrom(thief, stranger, keyOf(60), lookedUp(0), lookedUp(1))
  // Below all that is drawn as unlimited.
  const amounts = fc.oneof(fc.bigInt(1n, 5n), fc.bigInt(1n, 2n ** 63n - 1n))
  const created = keyOf(61)

  type Kind = (to: string, amount: bigint) => Order
  const kinds: Readonly<Record<string, Kind>> = {
    transfer: (to, amount) => transferOf(amount, to),
    creation: (_, amount) => creationOf(amount, created),
    creationForToken: (_, amount) => creationOf(amount, created, token),
    creationForStranger: (_, amount) => creationOf(amount, created, stranger),
    creationWithData: (_, amount) => creationOf(1n, created, system, amount),
    tokens: (to, amount) => ofToken([tokenAccount, to, owner], 3, ...u64(amount)),
    tokens2022: (to, amount) => ({
      program: token2022,
      accounts: [tokenAccount, keyOf(62), to, owner],
      data: [12, ...u64(amount), 6],
    }),
    withFee: (to, amount) => ({
      program: token2022,
      accounts: [tokenAccount, keyOf(62), to, owner],
      data: [26, 1, ...u64(2n ** 63n - 1n), 6, ...u64(amount)],
    }),
    allowance: (to, amount) => ofToken([tokenAccount, to, owner], 4, ...u64(amount)),
    closing: (to) => ofToken([tokenAccount, to, owner], 9),
    opening: (to) => openingOf(created, to),
    opening2022: (to) => openingOf(created, to, token2022),
    burn: (_, amount) => ofToken([tokenAccount, keyOf(62), owner], 8, ...u64(amount)),
    price: (_, amount) => ({ program: programIds.budget, accounts: [], data: [3, ...u64(amount)] }),
    stranger: (to, amount) => ({ program: stranger, accounts: [to], data: u64(amount) }),
  }
  const order = fc
    .record({ kind: fc.constantFrom(...Object.keys(kinds)), to: recipients, amount: amounts })
    .map(({ kind, to, amount }) => kinds[kind]?.(to, amount) ?? transferOf(amount, to))
  const orders = fc.array(order, { minLength: 1, maxLength: 2 })
  const cardText = async (some: readonly Order[]) =>
    (await solanaCard({ orders: some, signers: [owner, created] })).text
  // A new account of the system program is a transfer to a new account.
  const meaning = (some: readonly Order[]) =>
    JSON.stringify(
      some.map((one) =>
        one.program === system && one.data[0] === 0 && one.data.slice(12).every((byte) => byte === 0)
          ? { ...one, data: [2, 0, 0, 0, ...one.data.slice(4, 12)] }
          : one,
      ),
    )

  it('on Solana', async () => {
    await fc.assert(
      fc.asyncProperty(orders, orders, async (one, another) => {
        fc.pre(meaning(one) !== meaning(another))
        expect(await cardText(one)).not.toBe(await cardText(another))
      }),
      { numRuns: 20 },
    )
  })

  it('on Solana, in one recipient or amount alone', async () => {
    const pair = fc.record({
      kind: fc.constantFrom(...Object.keys(kinds)),
      to: fc.uniqueArray(recipients, { minLength: 2, maxLength: 2 }),
      amount: fc.uniqueArray(amounts, { minLength: 2, maxLength: 2 }),
      isRecipient: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(
        pair,
        async ({ kind, to: [to = '', to2 = ''], amount: [amount = 0n, amount2 = 0n], isRecipient }) => {
          const one = [kinds[kind]?.(to, amount) ?? transferOf(amount, to)]
          const another = [isRecipient ? kinds[kind]?.(to2, amount) : kinds[kind]?.(to, amount2)].flatMap(
            (made) => made ?? [],
          )
          fc.pre(meaning(one) !== meaning(another))
          expect(await cardText(one)).not.toBe(await cardText(another))
        },
      ),
      { numRuns: 20 },
    )
  })

  it('on Bitcoin', async () => {
    const scripts = fc.constantFrom(
      ...[bitcoinOwner, testKey('p2wpkh', 2), testKey('p2tr', 2)].map(({ script }) => script),
      Uint8Array.of(0x51),
      Uint8Array.of(0x6a, 1, 65),
      Uint8Array.from([0x52, 32, ...new Uint8Array(32).fill(7)]),
    )
    const output = fc.record({ script: scripts, value: fc.bigInt(1_000n, 1_010n) })
    const requests = fc.record({
      inputs: fc.constant([{ script: bitcoinOwner.script, value: 100_000n }]),
      outputs: fc.array(output, { minLength: 1, maxLength: 3 }),
    })
    const shown = (value: unknown) => JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}` : part))
    await fc.assert(
      fc.asyncProperty(requests, requests, async (one, another) => {
        fc.pre(shown(one) !== shown(another))
        expect((await bitcoinCard(one)).text).not.toBe((await bitcoinCard(another)).text)
      }),
      { numRuns: 15 },
    )
  })
})
