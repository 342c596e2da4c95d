/** Payments of the embedded wallet through nodes that refuse, forget, lag and answer late. */
import type { Page } from '@playwright/test'
import { type Address, parseEther, toHex } from 'viem'
import { allChains, dappPage } from './support/dapp'
import { askAndApprove, bytesOf, newEvmAddress, signedIn } from './support/embedded'
import { type Outcome, request } from './support/postern'
import { expect, test } from './support/test'
import { gatewayInWeather } from './support/weather'

type Place = Awaited<ReturnType<typeof gatewayInWeather>>

/** A test network: worth nothing, so the frame approves. */
const value = parseEther('0.01')

const pay = (page: Page, from: Address, to: Address): Promise<Outcome> =>
  request(page, 'eth_sendTransaction', [{ from, to, value: toHex(value) }])

async function funded(page: Page, place: Place): Promise<Address> {
  const { eip155 } = await signedIn(page)
  await place.chain.setBalance({ address: eip155, value: parseEther('10') })
  return eip155
}

/** Makes blocks until the chain has decided. */
async function paid(place: Place, to: Address, times = 1): Promise<void> {
  await expect
    .poll(
      async () => {
        await place.block()
        return place.chain.getBalance({ address: to })
      },
      { timeout: 90_000 },
    )
    .toBe(value * BigInt(times))
}

test.describe('@weather @money @embedded', () => {
  let place: Place
  test.beforeAll(async ({ lane }) => {
    place = await gatewayInWeather(lane, 'fair', 1)
  })
  test.afterAll(() => place.remove())
  test.beforeEach(async ({ page, sites }) => {
    await page.goto(
      sites.serve('dapp', '/', dappPage({ host: place.gateway.origin, networks: allChains, wallets: [] })),
    )
    await page.waitForFunction(() => 'Postern' in window)
  })

  test('a broadcast whose answer is lost pays once, and the dapp gets its hash', async ({ page }) => {
    const [from, to] = [await funded(page, place), newEvmAddress()]
    await place.decide('unanswered')
    const hash = bytesOf(await askAndApprove(page, pay(page, from, to)))
    await paid(place, to)
    expect(await place.chain.getTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
    expect(await place.chain.getTransactionCount({ address: from })).toBe(1)
  })

  test('a refused payment is reported, blocks nothing, and the next one is made', async ({ page }) => {
    const [from, to] = [await funded(page, place), newEvmAddress()]
    // The gateway asks each of its nodes.
    await place.decide('refused', 'refused', 'refused', 'refused')
    const refused = await askAndApprove(page, pay(page, from, to))
    expect(refused).toHaveProperty('code')
    await place.decide('none')
    bytesOf(await askAndApprove(page, pay(page, from, to)))
    await paid(place, to)
    await place.block()
    expect(await place.chain.getTransactionCount({ address: from })).toBe(1)
  })

  test('payments that a node passes on late have nonces of their own, and each is made', async ({ page }) => {
    const [from, to] = [await funded(page, place), newEvmAddress()]
    await place.decide('late', 'late', 'late')
    const hashes = new Set<string>()
    for (let payment = 0; payment < 3; payment += 1) hashes.add(bytesOf(await askAndApprove(page, pay(page, from, to))))
    expect(hashes.size).toBe(3)
    await paid(place, to, 3)
  })
})
