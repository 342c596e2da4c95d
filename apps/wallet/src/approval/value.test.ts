import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Amount, Intent, IntentStep, Warning } from '../intent/intent'
import { dollarsOf, nativeValueOf } from './value'

const recipient = '0x2222222222222222222222222222222222222222'
const ether = (raw: bigint): Amount => ({ raw: `${raw}`, decimals: 18, symbol: 'ETH' })
const oneEther = ether(10n ** 18n)
const token: Amount = { raw: '1', decimals: 6, symbol: 'USDC', token: recipient }
const gas = { amount: ether(10n ** 16n), sponsored: false }
const send = (amount: Amount): IntentStep => ({ kind: 'transfer', to: recipient, amount })
const signIn: IntentStep = { kind: 'signIn', domain: 'app.example', account: '0x11', fields: [] }

const intent = (steps: readonly IntentStep[], fee: Intent['fee'] = gas, warnings: readonly Warning[] = []): Intent => ({
  steps,
  warnings,
  fee,
  changes: { kind: 'unknown' },
  raw: [],
})
const finney = (value: ReturnType<typeof nativeValueOf>) => (value === null ? null : value.raw / 10n ** 15n)

describe('the value of a request', () => {
  it.each<[string, Intent, bigint | null]>([
    ['a transfer, with its fee', intent([send(oneEther)]), 1010n],
    ['two transfers', intent([send(oneEther), send(oneEther)]), 2010n],
    ['a transfer whose fee is sponsored', intent([send(oneEther)], { ...gas, sponsored: true }), 1000n],
    [
      'nothing but a dear fee',
      intent([send(ether(0n))], { amount: ether(30n * 10n ** 18n), sponsored: false }),
      30_000n,
    ],
    ['the first transfer of a smart account', intent([{ kind: 'deploy' }, send(oneEther)]), 1010n],
    ['a sign-in message', intent([signIn], null), 0n],
    ['who the user is', intent([{ kind: 'user', provider: 'google' }], null), 0n],
    [
      'outputs to others, and the fee',
      intent([
        {
          kind: 'outputs',
          outputs: [
            { to: 'a', amount: oneEther, own: false },
            { to: 'b', amount: oneEther, own: true },
          ],
        },
      ]),
      1010n,
    ],
    ['outputs without a known fee', intent([{ kind: 'outputs', outputs: [] }], null), null],
    ['a token', intent([send(token)]), null],
    ['a collectible', intent([send({ ...token, tokenId: '7' })]), null],
    ['a transfer and a token', intent([send(oneEther), send(token)]), null],
    ['an approval', intent([{ kind: 'approve', spender: recipient, amount: token }]), null],
    ['an approval of nothing', intent([{ kind: 'approve', spender: recipient, amount: { ...token, raw: '0' } }]), null],
    ['an approval of all', intent([{ kind: 'approveAll', spender: recipient, token: recipient, granted: true }]), null],
    ['a permit', intent([{ kind: 'permit', spender: recipient, amount: token }], null), null],
    [
      'a swap of the own currency',
      intent([{ kind: 'swap', pay: oneEther, receiveAtLeast: token, recipient, contract: recipient }]),
      null,
    ],
    ['a call without value', intent([{ kind: 'call', contract: recipient, fields: [], value: ether(0n) }]), null],
    ['an instruction', intent([{ kind: 'instruction', program: 'p', fields: [] }]), null],
    ['a message', intent([{ kind: 'message', text: 'Hello', isText: true }], null), null],
    ['typed data', intent([{ kind: 'typedData', domain: [], primaryType: 'Mail', fields: [] }], null), null],
    ['an order', intent([{ kind: 'order', gives: [oneEther], gets: [], contract: recipient }], null), null],
    ['a permission', intent([{ kind: 'permission', action: 'grant', type: 't', fields: [], amount: oneEther }]), null],
  ])('1. 2. 3. of %s', (_, given, expected) => {
    expect(finney(nativeValueOf(given))).toBe(expected)
  })

  it.each<[Warning, boolean]>([
    [{ kind: 'highFee' }, true],
    [{ kind: 'firstTimeRecipient', recipient }, true],
    [{ kind: 'wouldFail' }, true],
    [{ kind: 'givesControl', to: recipient }, false],
    [{ kind: 'hiddenApproval', spender: recipient }, false],
    [{ kind: 'unusualSighash' }, false],
    [{ kind: 'unprovenInput' }, false],
    [{ kind: 'neverExpires' }, false],
    [{ kind: 'notDecoded' }, false],
  ])('3. with the warning %o: known %s', (warning, isKnown) => {
    expect(nativeValueOf(intent([send(oneEther)], gas, [warning])) !== null).toBe(isKnown)
  })

  it('1. is never less with another transfer', () => {
    const amount = fc.bigInt({ min: 0n, max: 10n ** 30n }).map(ether)
    fc.assert(
      fc.property(fc.array(amount), amount, (amounts, more) => {
        const [before, after] = [amounts, [...amounts, more]].map((all) => nativeValueOf(intent(all.map(send))))
        expect((after?.raw ?? -1n) >= (before?.raw ?? 0n)).toBe(true)
      }),
    )
  })
})

describe('in US dollars', () => {
  function gateway(answer: () => Response | Promise<Response>) {
    const asked: { readonly url: string; readonly body: unknown }[] = []
    const fetch: typeof globalThis.fetch = async (url, init) => {
      asked.push({ url: String(url), body: JSON.parse(String(init?.body)) })
      return answer()
    }
    return { asked, fetch }
  }
  const address = 'eip155:1:0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'
  const priced = (price: number, of = address) =>
    Response.json({ fungibles: [{ address: of, name: 'Ether', symbol: 'ETH', iconUrl: '', price }] })
  const ask = (given: Intent, fetch: typeof globalThis.fetch) =>
    dollarsOf(given, 'eip155:1', {
      projectId: 'demo',
      baseUrl: 'https://wallet.example',
      fetch,
      signal: new AbortController().signal,
    })

  it('multiplies with the price that the gateway knows', async () => {
    const { asked, fetch } = gateway(() => priced(2000))
    expect(await ask(intent([send(oneEther)]), fetch)).toBeCloseTo(2020)
    expect(asked).toEqual([
      {
        url: 'https://wallet.example/v1/fungible/price?projectId=demo',
        body: { currency: 'usd', addresses: [address], projectId: 'demo' },
      },
    ])
  })

  it.each<[string, () => Response | Promise<Response>]>([
    ['has no price', () => Response.json({ fungibles: [] })],
    ['has the price of something else', () => priced(0.01, `eip155:1:${recipient}`)],
    ['answers nonsense', () => Response.json({ fungibles: [{ address, price: -1 }] })],
    ['answers no JSON', () => new Response('no')],
    ['refuses', () => new Response('{}', { status: 429 })],
    ['does not answer', () => Promise.reject(new TypeError('Failed to fetch'))],
  ])('is unknown if the gateway %s', async (_, answer) => {
    expect(await ask(intent([send(oneEther)]), gateway(answer).fetch)).toBeNull()
  })

  it('asks for no price if the value is unknown or nothing leaves', async () => {
    const { asked, fetch } = gateway(() => priced(2000))
    expect(await ask(intent([send(token)]), fetch)).toBeNull()
    expect(await ask(intent([signIn], null), fetch)).toBe(0)
    expect(asked).toEqual([])
  })
})
