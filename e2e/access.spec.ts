import type { Page } from '@playwright/test'
import { faultless } from './support/access'
import {
  approve,
  card,
  chooseWallet,
  connect,
  connectButton,
  inDapp,
  modal,
  openConnect,
  openModal,
  press,
  reject,
  status,
  walletPrompt,
  walletRow,
} from './support/postern'
import { expect, test } from './support/test'

test.describe('keyboard only', () => {
  test('@main @connect connects', async ({ page, visit }) => {
    await visit()
    await expect(connectButton(page)).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(connectButton(page)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(card(page, 'Connect')).toBeVisible()
    await tabTo(page, 'Devnet Wallet')
    await page.keyboard.press('Enter')
    await expect(walletPrompt(page)).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(walletPrompt(page).getByRole('button', { name: 'Approve' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(card(page)).toBeHidden()
    await expect.poll(() => status(page)).toBe('connected')
  })

  test('@connect focus moves into the modal, stays there, and returns to where it was', async ({ page, visit }) => {
    await visit({ body: '<h1>A dapp</h1><postern-button></postern-button><button>Another</button>' })
    await openConnect(page)
    for (let presses = 0; presses < 25; presses++) {
      await page.keyboard.press('Tab')
      expect(await page.evaluate(() => document.activeElement?.localName), `after ${presses + 1} tabs`).toBe(
        'postern-frame',
      )
    }
    await page.keyboard.press('Escape')
    await expect(card(page)).toBeHidden()
    await expect(connectButton(page)).toBeFocused()
  })

  test('@connect Escape closes from any view, and restores page scrolling', async ({ page, visit }) => {
    await visit({
      body: '<postern-button></postern-button><div id="tall"></div><script>tall.style.height = "3000px"</script>',
    })
    await openConnect(page)
    await press(modal(page).getByRole('button', { name: /^All wallets\b/ }))
    await expect(card(page, 'All wallets')).toBeVisible()
    await expect.poll(() => overflow(page)).toBe('hidden')
    await page.keyboard.press('Escape')
    await expect(card(page)).toBeHidden()
    await expect.poll(() => overflow(page)).toBe('visible')
  })
})

const modes = ['light', 'dark'] as const

for (const mode of modes) {
  test.describe(`in ${mode} colours`, () => {
    test.use({ colorScheme: mode })

    test(`${mode === 'light' ? '@main ' : ''}@connect every view passes the screen reader checks, ${mode} (spec §2)`, async ({
      page,
      visit,
    }) => {
      await visit()
      await openConnect(page)
      await expect.poll(() => theme(page)).toBe(mode)
      await faultless(page, 'Connect')

      await press(modal(page).getByRole('button', { name: /^All wallets\b/ }))
      await expect(modal(page).getByRole('button', { name: /^MetaMask\b/ })).toBeVisible()
      await faultless(page, 'AllWallets')
      await press(modal(page).getByRole('button', { name: 'Back' }))

      await press(modal(page).getByRole('button', { name: 'What is a wallet?' }))
      await expect(card(page, 'What is a wallet?')).toBeVisible()
      await faultless(page, 'WhatIsAWallet')
      await press(modal(page).getByRole('button', { name: 'Back' }))

      await chooseWallet(page, 'Devnet Wallet')
      await reject(page)
      await expect(modal(page).getByText('Request declined')).toBeVisible()
      await faultless(page, 'ConnectingExternal, declined')
      await press(modal(page).getByRole('button', { name: 'Try again' }))
      await approve(page)
      await expect.poll(() => status(page)).toBe('connected')
      await expect(card(page)).toBeHidden()

      await openModal(page)
      await expect(card(page, 'Account')).toBeVisible()
      await faultless(page, 'Account')
      await press(modal(page).getByRole('button', { name: /^Network/ }))
      await expect(card(page, 'Choose network')).toBeVisible()
      await faultless(page, 'Networks')
    })
  })
}

test('@connect the unsupported network view passes them', async ({ page, visit }) => {
  await visit({ networks: 'eip155:31337' })
  await connect(page)
  await page.evaluate(() => window.devnetWallets?.['dev.postern.devnet-wallet']?.switchChain(31338))
  await expect(modal(page).getByText('Unsupported network')).toBeVisible()
  for (const mode of modes) {
    await page.emulateMedia({ colorScheme: mode })
    await expect.poll(() => theme(page)).toBe(mode)
    await faultless(page, 'UnsupportedChain')
  }
})

test('@sdk the elements pass the screen reader checks', async ({ page, visit }) => {
  const body = `<main><h1>A dapp</h1><postern-button></postern-button>
    <postern-account-button></postern-account-button><postern-network-button></postern-network-button></main>`
  const faultlessIn = async (mode: (typeof modes)[number], what: string) => {
    await page.emulateMedia({ colorScheme: mode })
    await expect(page.locator('postern-button').getByRole('button')).toHaveAttribute('data-theme', mode)
    await faultless(page, `elements, ${what}`)
  }
  await visit({ body })
  for (const mode of modes) await faultlessIn(mode, 'disconnected')
  await press(connectButton(page).first())
  await chooseWallet(page, 'Devnet Wallet')
  await approve(page)
  await expect(card(page)).toBeHidden()
  for (const mode of modes) await faultlessIn(mode, 'connected')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('@main @connect the modal is a bottom sheet, and connects', async ({ page, visit }) => {
    await visit()
    await openConnect(page)
    await expect.poll(() => card(page).boundingBox()).toMatchObject({ x: 0, width: 390 })
    const foot = async () => {
      const box = await card(page).boundingBox()
      return (box?.y ?? 0) + (box?.height ?? 0)
    }
    await expect.poll(async () => Math.abs((await foot()) - 844)).toBeLessThanOrEqual(1)
    await chooseWallet(page, 'Devnet Wallet')
    await approve(page)
    await expect(card(page)).toBeHidden()
    await expect.poll(() => status(page)).toBe('connected')
  })

  test('@connect touch targets are large enough', async ({ page, visit }) => {
    await visit()
    await openConnect(page)
    await expect(walletRow(page, 'Devnet Wallet')).toBeVisible()
    for (const button of await modal(page).getByRole('button').all()) {
      const box = await button.boundingBox()
      if (box === null) continue
      const name = await button.textContent()
      // WCAG 2.2 §2.5.8 requires 24, our design 44; the touch target may be wider than the box.
      expect(Math.min(box.width, box.height), `${name}`).toBeGreaterThanOrEqual(24)
    }
  })
})

test('@connect the theme follows changes that the dapp makes at runtime', async ({ page, visit }) => {
  await visit()
  await openConnect(page)
  await inDapp(page, (postern) => postern.setTheme({ mode: 'dark' }))
  await expect.poll(() => theme(page)).toBe('dark')
  await inDapp(page, (postern) => postern.setTheme({ mode: 'light' }))
  await expect.poll(() => theme(page)).toBe('light')
})

test('@main @connect a hostile theme cannot inject styles', async ({ page, visit }) => {
  await visit()
  await openConnect(page)
  await inDapp(page, (postern) =>
    postern.setTheme({
      mode: 'light',
      accent: 'red; background: url(//evil.localhost/x)',
      font: 'x; } body { display: none',
      mix: 'url(//evil.localhost/y)',
    }),
  )
  await expect(walletRow(page, 'Devnet Wallet')).toBeVisible()
  expect(
    await modal(page)
      .locator('html')
      .evaluate((html) => html.outerHTML),
  ).not.toContain('evil.localhost')
})

async function tabTo(page: Page, wallet: string): Promise<void> {
  for (let presses = 0; presses < 20; presses++) {
    if (await walletRow(page, wallet).evaluate((row) => row === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Twenty tabs did not reach ${wallet}.`)
}

const theme = (page: Page) =>
  modal(page)
    .locator('html')
    .evaluate((html) => getComputedStyle(html).colorScheme)

const overflow = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).overflowY)
