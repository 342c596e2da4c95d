/** Row order on Connect (spec §2), and the default view: desktop, phone, a wallet's browser. */
import { devices, type Page } from '@playwright/test'
import { devnetWallet, secondWallet } from './support/dapp'
import { mobileWalletEntry } from './support/mobile-wallet'
import { card, connect, inDapp, modal, openConnect, openingTab, press, status } from './support/postern'
import { expect, test } from './support/test'

const custom = { 'custom-wallets': JSON.stringify([{ ...mobileWalletEntry, name: 'House Wallet' }]) }

/** Email and social accounts would put a limit on the rows. */
const walletsOnly = { features: JSON.stringify({ email: false, socials: [] }) }

test.describe('order of the wallets', () => {
  test('@connect featured, custom, recommended, in this order', async ({ page, visit }) => {
    await visit({ attributes: { ...custom, ...walletsOnly, 'featured-wallets': 'me.rainbow com.trustwallet.app' } })
    await openConnect(page)
    await expect
      .poll(() => rowsOf(page))
      .toEqual([
        'Devnet Wallet',
        'Rainbow',
        'Trust Wallet',
        'House Wallet',
        'MetaMask',
        'Base (formerly Coinbase Wallet)',
        'Phantom',
        'OKX Wallet',
      ])
  })

  test('@main @connect @storage the last two used wallets come after WalletConnect, the latest first', async ({
    page,
    visit,
    lane,
  }) => {
    const third = { ...secondWallet(lane.account), name: 'Third Wallet', rdns: 'dev.postern.third-wallet' }
    await visit({
      projectId: 'mobile',
      wallets: [devnetWallet(lane.account), secondWallet(lane.otherAccount), third],
    })
    for (const wallet of ['Devnet Wallet', 'Third Wallet', 'Second Wallet']) {
      await connect(page, wallet)
      await inDapp(page, (postern) => postern.disconnect())
      await expect.poll(() => status(page)).toBe('disconnected')
    }
    await page.reload()
    await openConnect(page)
    const inOrder = ['WalletConnect', 'Second Wallet', 'Third Wallet', 'Devnet Wallet']
    await expect.poll(async () => (await rowsOf(page)).slice(0, 4)).toEqual(inOrder)
  })
})

test.describe('opening on a phone', () => {
  const { userAgent, viewport, isMobile, hasTouch, deviceScaleFactor } = devices['Pixel 7']
  test.use({ userAgent, viewport, isMobile, hasTouch, deviceScaleFactor })

  test('@main @connect without a wallet in the page, shows all wallets, and the way to email', async ({
    page,
    visit,
  }) => {
    await visit({ wallets: [] })
    await inDapp(page, (postern) => postern.open())
    await expect(card(page, 'All wallets')).toBeVisible()
    await press(modal(page).getByRole('button', { name: 'Email or social account' }))
    await expect(card(page, 'Connect')).toBeVisible()
    await expect(modal(page).getByRole('textbox', { name: 'Email address' })).toBeVisible()
    await press(modal(page).getByRole('button', { name: 'Back' }))
    await expect(card(page, 'All wallets')).toBeVisible()
  })

  test('@connect links the licences of what the modal contains', async ({ page, visit }) => {
    await visit()
    await inDapp(page, (postern) => postern.open({ view: 'WhatIsAWallet' }))
    const licences = modal(page).getByRole('link', { name: 'Open-source licences' })
    const list = await openingTab(page.context(), () => press(licences))
    for (const name of ['react', 'viem', '@walletconnect/universal-provider']) {
      await expect(list.locator('body')).toContainText(new RegExp(`^${name} \\d`, 'm'))
    }
  })
})

async function rowsOf(page: Page): Promise<string[]> {
  const rows = modal(page).getByRole('list', { name: 'Wallets', exact: true }).getByRole('button')
  const texts = await rows.allInnerTexts()
  return texts.slice(0, -1).map((text) => text.split('\n')[0] ?? '')
}
