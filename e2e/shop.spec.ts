/** The demo's shop, as a newcomer uses it. */
import { readFile } from 'node:fs/promises'
import AxeBuilder from '@axe-core/playwright'
import type { Locator, Page } from '@playwright/test'
import { devnetContracts } from '@postern/devnet'
import { type Address, isAddress, parseAbiItem, parseUnits } from 'viem'
import { approveRequest, shown, signInByEmail } from './support/embedded'
import { newAddress } from './support/mailbox'
import { addressOf, dollars, evm } from './support/money'
import { approve, card, chooseWallet, modal, press, walletPrompt } from './support/postern'
import { expect, test } from './support/test'

const till = '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720'
const transfer = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')

const step = (page: Page, title: string): Locator => page.getByRole('region', { name: title, exact: true })
const goods = (page: Page): Locator => page.getByRole('list', { name: 'Goods' })
const orders = (page: Page): Locator => page.getByRole('region', { name: 'Your orders' })
const button = (page: Page, name: string | RegExp) => modal(page).getByRole('button', { name, exact: true })

async function connectPageWallet(page: Page, account: number): Promise<Address> {
  await page.goto('/')
  await press(step(page, 'Come in').getByRole('button', { name: 'Connect', exact: true }))
  await expect(card(page, 'Connect')).toBeVisible()
  await page.evaluate((account) => {
    for (const wallet of Object.values(window.devnetWallets ?? {})) wallet.switchAccount(account)
  }, account)
  await chooseWallet(page, 'Devnet Wallet')
  await approve(page)
  await expect(card(page)).toBeHidden()
  return addressOf(account)
}

async function closeModal(page: Page): Promise<void> {
  await press(button(page, 'Done'))
  await expect(card(page)).toBeHidden()
}

async function shownAddress(page: Page): Promise<Address> {
  const address = (await step(page, 'See who you are').locator('p[title]').getAttribute('title')) ?? ''
  if (!isAddress(address)) throw new Error('The shop shows no address.')
  return address
}

test('@main @connect @money a newcomer comes in by email, gets play money and buys something', async ({ page }) => {
  await page.goto('/')
  await press(step(page, 'Shop').getByRole('button', { name: 'Buy Lion knocker' }))
  await expect(card(page, 'Connect')).toBeVisible()
  // It opens Connect, and nothing is paid.
  await expect(goods(page)).not.toContainText('Paid')
  await signInByEmail(page, newAddress())
  await expect(step(page, 'Come in').getByRole('button', { name: 'Open my account' })).toBeVisible({ timeout: 60_000 })
  await closeModal(page)
  await expect(goods(page)).not.toContainText('Paid')
  const address = await shownAddress(page)

  await press(step(page, 'See who you are').getByRole('button', { name: 'Get play money' }))
  await expect(step(page, 'See who you are')).toContainText('50 DUSD')
  await expect(orders(page)).toContainText('Nothing yet')

  await press(step(page, 'Shop').getByRole('button', { name: 'Buy Lion knocker' }))
  await expect(card(page, 'Payment')).toContainText('For: Lion knocker')
  await press(button(page, 'Pay'))
  await expect(await shown(page, new Promise(() => undefined))).toContainText('12.5')
  await approveRequest(page)
  await press(button(page, 'Done'))
  await page.keyboard.press('Escape')
  await expect(card(page)).toBeHidden()

  const [payment] = await evm.getLogs({
    ...{ address: devnetContracts.dollar, event: transfer, args: { from: address, to: till } },
    ...{ fromBlock: 'earliest', strict: true },
  })
  expect(payment?.args.value).toBe(parseUnits('12.5', 6))
  await expect(orders(page).getByRole('listitem')).toHaveText(/Lion knocker/)
  await expect(orders(page)).toContainText(`Block ${payment?.blockNumber}`)
  expect(await dollars(address)).toBe(parseUnits('37.5', 6))

  await page.reload()
  await expect(orders(page).getByRole('listitem')).toHaveText(/Lion knocker/, { timeout: 60_000 })
})

test('@connect @money a visitor with a wallet signs in, swaps and sends', async ({ page, lane }) => {
  const address = await connectPageWallet(page, lane.account)
  expect(await shownAddress(page)).toBe(address)

  await test.step('signs in, also after a reload', async () => {
    const signOut = step(page, 'Sign in').getByRole('button', { name: 'Sign out' })
    await press(step(page, 'Sign in').getByRole('button', { name: 'Sign in' }))
    await expect(walletPrompt(page)).toContainText('Sign in to The Side Door.')
    await approve(page)
    await expect(signOut).toBeVisible()
    await page.reload()
    await press(signOut)
    await expect(step(page, 'Sign in').getByRole('button', { name: 'Sign in' })).toBeVisible()
  })

  await test.step('swaps', async () => {
    const before = await dollars(address)
    await press(step(page, 'Swap').getByRole('button', { name: 'Swap 0.01 ETH' }))
    await expect(card(page, 'Swap')).toBeVisible()
    await press(button(page, 'Review swap'))
    await press(button(page, 'Swap'))
    await approve(page)
    await press(button(page, 'Done'))
    await expect.poll(() => dollars(address)).toBeGreaterThan(before)
    await page.keyboard.press('Escape')
    await expect(card(page)).toBeHidden()
  })

  await test.step('sends', async () => {
    await press(step(page, 'Send').getByRole('button', { name: 'Send 0.001 ETH' }))
    await approve(page)
    await expect(step(page, 'Send').getByRole('status')).toHaveText('Sent and confirmed.')
  })
})

test('@connect the shop shows the code that runs, is accessible and fits a small phone', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    for (const code of await page.getByText('Code: ').all()) await code.click()
    const { violations } = await new AxeBuilder({ page }).analyze()
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  }
  const file = new URL('../apps/demo/src/shop/steps/Buy.tsx', import.meta.url)
  const source = (await readFile(file, 'utf8')).trimEnd()
  expect(await step(page, 'Shop').locator('pre').textContent()).toBe(source)
})
