/** A payment of the embedded wallet that waits, of each of its accounts, is sped up or cancelled from Activity. */
import type { Page } from '@playwright/test'
import { type Address, parseEther, toHex } from 'viem'
import * as z from 'zod/mini'
import { bitcoinAddress } from './support/bitcoin'
import { allChains, dappPage } from './support/dapp'
import { approveRequest, askAndApprove, newEvmAddress, shown, signedIn } from './support/embedded'
import { gatewayWithBundler } from './support/own-bundler'
import { card, inDapp, type Outcome, openModal, press, request, requestIn, textOf } from './support/postern'
import { expect, test } from './support/test'
import { gatewayInWeather } from './support/weather'

type Place = Awaited<ReturnType<typeof gatewayInWeather>>

/** A test network: worth nothing, so the frame approves. */
const value = parseEther('0.01')

const Coins = z.array(z.object({ value: z.number() }))

const list = (page: Page) => card(page).getByRole('tabpanel')
const button = (page: Page, name: string) => list(page).getByRole('button', { name, exact: true })

/** Sent, and in no block yet. The dapp waits for the receipt. */
async function waitingPayment(page: Page, place: Place) {
  const { eip155: from } = await signedIn(page)
  const to = newEvmAddress()
  await place.chain.setBalance({ address: from, value: parseEther('10') })
  const outcome = request(page, 'eth_sendTransactionSync', [{ from, to, value: toHex(value) }])
  await shown(page, outcome)
  await approveRequest(page)
  await expect.poll(() => place.chain.getTransactionCount({ address: from, blockTag: 'pending' })).toBe(1)
  await openActivity(page)
  await expect(list(page)).toContainText('Pending')
  return { from, to, outcome }
}

async function openActivity(page: Page): Promise<void> {
  await inDapp(page, (postern) => postern.close())
  await expect(card(page)).toBeHidden()
  await openModal(page)
  await press(card(page).getByRole('tab', { name: 'Activity', exact: true }))
}

/** Of both transactions, one is in a block. */
async function decided(place: Place, from: Address): Promise<void> {
  await place.block()
  expect(await place.chain.getTransactionCount({ address: from })).toBe(1)
}

test.describe('@embedded @money', () => {
  let place: Place
  test.beforeAll(async ({ lane }) => {
    place = await gatewayInWeather(lane, 'fair', 1)
    // A payment waits until the test makes a block.
    await place.chain.setAutomine(false)
  })
  test.afterAll(() => place.remove())
  test.beforeEach(async ({ page, sites }) => {
    await page.goto(
      sites.serve('dapp', '/', dappPage({ host: place.gateway.origin, networks: allChains, wallets: [] })),
    )
    await page.waitForFunction(() => 'Postern' in window)
  })

  test('@main a sped-up payment is made once, and the dapp gets its receipt', async ({ page }) => {
    const { from, to, outcome } = await waitingPayment(page, place)
    await press(button(page, 'Speed up'))
    await approveRequest(page, (approval) => expect(approval).toContainText('You pay only once.'))
    await expect(list(page)).toContainText('Speeding up')
    await decided(place, from)
    expect(await outcome).toMatchObject({ result: { status: '0x1' } })
    expect(await place.chain.getBalance({ address: to })).toBe(value)
    await expect(button(page, 'Speed up')).toBeHidden({ timeout: 20_000 })
  })

  test('a cancelled payment is not made, and the dapp hears that it was replaced', async ({ page }) => {
    const { from, to, outcome } = await waitingPayment(page, place)
    await press(button(page, 'Cancel'))
    await approveRequest(page, (approval) => expect(approval).toContainText('This may come too late.'))
    await expect(list(page)).toContainText('Cancelling')
    await expect(button(page, 'Speed up')).toBeHidden()
    await decided(place, from)
    const heard: Outcome = await outcome
    expect(heard).toMatchObject({ message: expect.stringContaining('The transaction was replaced') })
    expect(await place.chain.getBalance({ address: to })).toBe(0n)
    await expect(button(page, 'Cancel')).toBeHidden({ timeout: 20_000 })
  })

  test('a payment that a block has by then is not cancelled, and nothing is lost', async ({ page }) => {
    const { from, to, outcome } = await waitingPayment(page, place)
    await press(button(page, 'Cancel'))
    await approveRequest(page, () => decided(place, from))
    await expect(card(page)).toContainText('This transaction already went through')
    expect(await outcome).toMatchObject({ result: { status: '0x1' } })
    expect(await place.chain.getBalance({ address: to })).toBe(value)
  })

  test('@main @bitcoin a payment on Bitcoin is sped up and made once; a cancelled one is not made', async ({
    page,
  }) => {
    const { bip122: from } = await signedIn(page)
    const recipientAddress = bitcoinAddress(9)
    const received = async () => {
      const coins = Coins.parse(await (await fetch(`${place.bitcoin.url}/address/${recipientAddress}/utxo`)).json())
      return coins.reduce((sum, { value }) => sum + value, 0)
    }
    const isKnown = async (txid: string) => (await fetch(`${place.bitcoin.url}/tx/${txid}`)).ok
    const pay = async () => {
      const params = { recipientAddress, amount: '5000', feeRate: 1 }
      const sent = requestIn(page, 'bip122', 'bip122_sendTransfer', params)
      const txid = textOf(await askAndApprove(page, sent), 'txid')
      await openActivity(page)
      return txid
    }
    await place.bitcoin.fund(from, 100_000n)
    await place.bitcoin.mine(1)

    await test.step('sped up', async () => {
      const txid = await pay()
      await press(card(page).getByRole('button', { name: 'All networks' }))
      await expect(list(page)).toContainText('Pending')
      await press(button(page, 'Speed up'))
      await approveRequest(page, (approval) => expect(approval).toContainText('You pay only once.'))
      await expect(list(page)).toContainText('Speeding up')
      expect(await isKnown(txid)).toBe(false)
      await place.bitcoin.mine(1)
      expect(await received()).toBe(5_000)
      await expect(button(page, 'Speed up')).toBeHidden({ timeout: 20_000 })
    })

    await test.step('cancelled', async () => {
      const txid = await pay()
      await press(button(page, 'Cancel'))
      await approveRequest(page, (approval) => expect(approval).toContainText('This may come too late.'))
      await expect(list(page)).toContainText('Cancelling')
      await expect(button(page, 'Speed up')).toBeHidden()
      await place.bitcoin.mine(1)
      expect(await received()).toBe(5_000)
      expect(await isKnown(txid)).toBe(false)
      await expect(button(page, 'Cancel')).toBeHidden({ timeout: 20_000 })
    })
  })
})

test.describe('@embedded @money of the smart account', () => {
  let place: Awaited<ReturnType<typeof gatewayWithBundler>>
  test.beforeAll(async ({ lane }) => {
    place = await gatewayWithBundler(lane)
  })
  test.afterAll(() => place.remove())
  test.beforeEach(async ({ page, sites }) => {
    place.setBundler('on')
    place.setPaymaster(true)
    await page.goto(
      sites.serve('dapp', '/', dappPage({ host: place.gateway.origin, networks: allChains, wallets: [] })),
    )
    await page.waitForFunction(() => 'Postern' in window)
  })

  /** At the bundler, which sends it once it is on. The dapp waits for the hash. */
  async function waitingOperation(page: Page) {
    const { eip155: from } = await signedIn(page)
    const to = newEvmAddress()
    await place.chain.setBalance({ address: from, value: parseEther('10') })
    place.setBundler('hold')
    const outcome = request(page, 'eth_sendTransaction', [{ from, to, value: toHex(value) }])
    await shown(page, outcome)
    await approveRequest(page, (approval) => expect(approval).toContainText('Paid for you'))
    await openActivity(page)
    await expect(list(page)).toContainText('Pending')
    return { from, to, outcome }
  }

  test('@main a sped-up payment is made once, and the dapp gets the hash of its transaction', async ({ page }) => {
    const { from, to, outcome } = await waitingOperation(page)
    await press(button(page, 'Speed up'))
    await approveRequest(page, async (approval) => {
      await expect(approval).toContainText('You pay only once.')
      await expect(approval).toContainText('Paid for you')
    })
    await expect(list(page)).toContainText('Speeding up')
    place.setBundler('on')
    const { result } = z.object({ result: z.templateLiteral(['0x', z.string()]) }).parse(await outcome)
    expect(await place.chain.getTransactionReceipt({ hash: result })).toMatchObject({ status: 'success' })
    expect(await place.chain.getBalance({ address: to })).toBe(value)
    expect(await place.chain.getBalance({ address: from })).toBe(parseEther('10') - value)
    await expect(button(page, 'Speed up')).toBeHidden({ timeout: 20_000 })
  })

  test('a cancelled payment is not made, also if the account pays the fee; the dapp hears so', async ({ page }) => {
    const { from, to, outcome } = await waitingOperation(page)
    place.setPaymaster(false)
    await press(button(page, 'Cancel'))
    await approveRequest(page, async (approval) => {
      await expect(approval).toContainText('This may come too late.')
      await expect(approval).toContainText('You pay the fee this time.')
    })
    await expect(list(page)).toContainText('Cancelling')
    await expect(button(page, 'Speed up')).toBeHidden()
    place.setBundler('on')
    expect(await outcome).toMatchObject({ message: expect.stringContaining('The transaction was replaced') })
    expect(await place.chain.getBalance({ address: to })).toBe(0n)
    expect(await place.chain.getBalance({ address: from })).toBeLessThan(parseEther('10'))
    await expect(button(page, 'Cancel')).toBeHidden({ timeout: 20_000 })
  })

  test('a payment that waits is sped up after the page was loaded again', async ({ page }) => {
    const { to, outcome } = await waitingOperation(page)
    // The page that waits for it goes.
    outcome.catch(() => undefined)
    await page.reload()
    await page.waitForFunction(() => 'Postern' in window)
    await openModal(page)
    await press(card(page).getByRole('tab', { name: 'Activity', exact: true }))
    await press(button(page, 'Speed up'))
    await approveRequest(page)
    await expect(list(page)).toContainText('Speeding up')
    place.setBundler('on')
    await expect.poll(() => place.chain.getBalance({ address: to })).toBe(value)
    await expect(button(page, 'Speed up')).toBeHidden({ timeout: 20_000 })
  })
})
