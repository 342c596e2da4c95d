/** Where a whole frame approves, by what its description and the gateway's price say. */
import { describe, expect, it } from 'vitest'
import type { Intent } from '../../intent/intent'
import { fakeGateway } from '../../testing/fake-gateway'
import { testChain } from '../../testing/test-chain'
import { testFrame, testIntent } from '../../testing/test-frame'

const to = '0x2222222222222222222222222222222222222222'
const sendOf = (wei: bigint): Intent => ({
  ...testIntent,
  steps: [{ kind: 'transfer', to, amount: { raw: `${wei}` } }],
})
/** 6 US dollars at the floor. */
const someEther = 10n ** 15n

async function asked(intent: Intent, price: () => Promise<Response>) {
  const gateway = fakeGateway()
  const { chain } = testChain()
  const { fetch } = gateway
  let prices = 0
  const frame = testFrame({
    gateway: {
      ...gateway,
      fetch(input, init) {
        if (!String(input).includes('/v1/fungible/price')) return fetch(input, init)
        prices += 1
        return new Promise((resolve, reject) => {
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
          price().then(resolve, reject)
        })
      },
    },
    chains: {
      loadChain: async () => chain,
      loadDescribe: async () => async (_request, _context, onIntent) => onIntent(intent),
    },
  })
  await frame.signIn()
  const { id, reply } = frame.send('RPC_REQUEST', { method: 'personal_sign', params: ['0x68'] })
  await frame.notice('APPROVAL_REQUEST')
  await frame.ask('SHOW_APPROVAL', { id })
  return { ...frame, id, reply, prices: () => prices }
}

const priced = (price: number) => async () =>
  Response.json({
    fungibles: [
      {
        address: 'eip155:1:0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee',
        name: 'Ether',
        symbol: 'ETH',
        iconUrl: '',
        price,
      },
    ],
  })

describe('a frame', () => {
  it('approves a small transfer, and counts it', async () => {
    const frame = await asked(sendOf(someEther), priced(1))
    await frame.approve(frame.id)
    expect(await frame.reply).toMatchObject({ ok: true })
    expect(frame.screen.shown?.elsewhere).toBeNull()
  })

  it('sends a transfer to the window that is large only at the gateway’s price', async () => {
    const { when, screen } = await asked(sendOf(someEther), priced(50_000))
    const elsewhere = await when(() => screen.shown?.elsewhere ?? undefined)
    expect(elsewhere.place).toEqual({ place: 'window', reason: 'value', limitUsd: 25 })
  })

  it('sends what it does not know to the window, without a price', async () => {
    const message: Intent = { ...testIntent, steps: [{ kind: 'message', text: 'Hello', isText: true }] }
    const { when, screen, prices } = await asked(message, priced(1))
    const elsewhere = await when(() => screen.shown?.elsewhere ?? undefined)
    expect(elsewhere.place).toMatchObject({ reason: 'value' })
    expect(prices()).toBe(0)
  })

  it('waits three seconds for the price, and counts with the floor then', async () => {
    const { when, screen, advance, prices } = await asked(sendOf(someEther), () => new Promise(() => {}))
    await expect.poll(prices).toBe(1)
    expect(screen.shown?.intent).toBeNull()
    advance(3_000)
    await when(() => screen.shown?.intent ?? undefined)
    expect(screen.shown?.elsewhere).toBeNull()
  })
})
