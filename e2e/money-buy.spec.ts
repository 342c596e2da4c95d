/** The quoted amount arrives on the chain, and nothing is bought in a window that is closed. */
import type { BrowserContext, Page } from '@playwright/test'
import { parseUnits } from 'viem'
import { installClock, skipPolls } from './support/clock'
import { addressOf, evm } from './support/money'
import { card, connect, inDapp, modal, openingTab, press } from './support/postern'
import { untilClosed } from './support/social'
import { expect, test } from './support/test'

const button = (page: Page, name: string | RegExp) =>
  modal(page).getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) })

test.beforeEach(({ page }) => installClock(page))

async function openShop(page: Page, amount: string): Promise<void> {
  await inDapp(page, (postern) => postern.open({ view: 'OnRamp' }))
  await expect(card(page, 'Buy')).toBeVisible()
  await modal(page).getByRole('textbox', { name: 'You pay' }).fill(amount)
}

async function quoted(page: Page, symbol: string): Promise<string> {
  const row = modal(page).getByRole('button', { name: new RegExp(`≈.*${symbol}`) })
  await expect(row).toBeVisible()
  return ((await row.textContent()) ?? '').replace(/^.*≈\s*([\d.,]+).*$/s, '$1').replace(',', '')
}

/** Returns the seller's window. */
async function atSeller(page: Page, context: BrowserContext): Promise<Page> {
  const seller = await openingTab(context, () => press(button(page, /^Continue to provider/)))
  await expect(seller.getByRole('heading', { name: 'Buy with play money' })).toBeVisible()
  return seller
}

const isDelivered = (page: Page): Promise<void> =>
  skipPolls(page, () => expect(card(page)).toContainText('Purchase complete'))

test('@main @money the quoted amount arrives in an injected wallet (spec §7)', async ({
  page,
  context,
  visit,
  lane,
}) => {
  const owner = addressOf(lane.account)
  await visit()
  await connect(page)
  await openShop(page, '50')
  const promised = await quoted(page, 'ETH')
  await expect(card(page)).toContainText('Provider fee')
  const flag = button(page, /^Pay in a currency other/).locator('img')
  await expect.poll(() => flag.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  const before = await evm.getBalance({ address: owner })

  const seller = await atSeller(page, context)
  await expect(seller.locator('body')).toContainText(owner)
  expect(await seller.evaluate(() => window.opener)).toBeNull()
  await expect(card(page)).toContainText('Continue in the provider’s window')
  await seller.getByRole('button', { name: 'Pay (play money)' }).click()
  await isDelivered(page)
  await untilClosed(seller)
  const got = (await evm.getBalance({ address: owner })) - before
  // Six decimals, rounded down.
  expect(got).toBeGreaterThanOrEqual(parseUnits(promised, 18))
  expect(got - parseUnits(promised, 18)).toBeLessThan(parseUnits('0.000001', 18))
  await press(button(page, 'Done'))
  await expect(card(page, 'Account')).toBeVisible()
})

test('@money a closed window buys nothing, and can be reopened', async ({ page, context, visit, lane }) => {
  const owner = addressOf(lane.account)
  const before = await evm.getBalance({ address: owner })
  await visit()
  await connect(page)
  await openShop(page, '30')
  await quoted(page, 'ETH')
  const seller = await atSeller(page, context)
  await seller.close()
  await expect(card(page)).toContainText('The provider’s window was closed')
  const again = await openingTab(context, () => press(button(page, 'Open again')))
  await expect(again.getByRole('heading', { name: 'Buy with play money' })).toBeVisible()
  expect(await evm.getBalance({ address: owner })).toBe(before)
})
