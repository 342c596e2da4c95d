/** Row order on Connect (spec §2), and the default view: desktop, phone, a wallet's browser. */
import { devices, type Page } from '@playwright/test'
import {
  allChains,
  bitcoinWallet,
  bothChains,
  type Dapp,
  devnetWallet,
  secondWallet,
  solanaWallet,
} from './support/dapp'
import { mobileWalletEntry } from './support/mobile-wallet'
import {
  approve,
  card,
  connect,
  inDapp,
  modal,
  openConnect,
  openingTab,
  press,
  status,
  walletPrompt,
  walletRow,
} from './support/postern'
import { expect, test } from './support/test'

const directory = ['MetaMask', 'Base (formerly Coinbase Wallet)', 'Trust Wallet', 'Phantom']
const custom = { 'custom-wallets': JSON.stringify([{ ...mobileWalletEntry, name: 'House Wallet' }]) }

/** Email and social accounts would put a limit on the rows. */
const walletsOnly = { features: JSON.stringify({ email: false, socials: [] }) }

type Case = {
  readonly what: string
  readonly dapp: (account: number) => Partial<Dapp>
  readonly rows: readonly string[]
}

const cases: readonly Case[] = [
  {
    what: 'a wallet of the page, then the directory’s first four',
    dapp: () => ({}),
    rows: ['Devnet Wallet', ...directory],
  },
  {
    what: 'WalletConnect first',
    dapp: () => ({ projectId: 'mobile' }),
    rows: ['WalletConnect', 'Devnet Wallet', ...directory],
  },
  {
    what: 'no WalletConnect if the dapp disables it',
    dapp: () => ({ projectId: 'mobile', attributes: { 'wallet-connect': 'false' } }),
    rows: ['Devnet Wallet', ...directory],
  },
  {
    what: 'featured, custom, recommended, in this order',
    dapp: () => ({ attributes: { ...custom, ...walletsOnly, 'featured-wallets': 'me.rainbow com.trustwallet.app' } }),
    rows: [
      'Devnet Wallet',
      'Rainbow',
      'Trust Wallet',
      'House Wallet',
      'MetaMask',
      directory[1] ?? '',
      'Phantom',
      'OKX Wallet',
    ],
  },
  {
    what: 'only included ones, by their ids in the WalletConnect explorer',
    dapp: () => ({
      attributes: {
        ...walletsOnly,
        'include-wallets':
          '4622a2b2d6af1c9844944291e5e7351a6aa24cd7b23099efac1b2fd875da31a0 ecc4036f814562b41a5268adc86270fba1365471402006302e70169465b7ac18',
      },
    }),
    rows: ['Trust Wallet', 'Zerion'],
  },
  {
    what: 'every wallet, if no wallet of the include list is known',
    dapp: () => ({ attributes: { ...walletsOnly, 'include-wallets': 'com.example.unknown' } }),
    rows: ['Devnet Wallet', ...directory],
  },
  {
    what: 'groups that the dapp names first, in its order',
    dapp: () => ({
      projectId: 'mobile',
      attributes: {
        ...custom,
        ...walletsOnly,
        'featured-wallets': 'me.rainbow',
        'connector-type-order': 'custom featured injected',
      },
    }),
    rows: ['House Wallet', 'Rainbow', 'Devnet Wallet', 'WalletConnect', ...directory],
  },
  {
    what: 'no excluded wallets, from the page or the directory',
    dapp: (account) => ({
      wallets: [devnetWallet(account), secondWallet(account)],
      attributes: { 'exclude-wallets': 'dev.postern.second-wallet io.metamask app.phantom' },
    }),
    // Wallets of several chains move up.
    rows: ['Devnet Wallet', directory[1] ?? '', 'Trust Wallet', 'OKX Wallet', 'Binance Wallet'],
  },
  {
    what: 'only included wallets, if the dapp names some',
    dapp: (account) => ({
      wallets: [devnetWallet(account), secondWallet(account)],
      attributes: { 'include-wallets': 'dev.postern.second-wallet me.rainbow' },
    }),
    rows: ['Second Wallet', 'Rainbow'],
  },
  {
    what: 'wallets of all the dapp’s chains; page wallets in the order of their announcements',
    dapp: (account) => ({
      networks: allChains,
      wallets: [devnetWallet(account), solanaWallet(account), bitcoinWallet(account)],
      attributes: walletsOnly,
    }),
    rows: ['Devnet Wallet', 'Devnet Sol Wallet', 'Devnet Bitcoin Wallet', ...directory],
  },
  {
    what: 'no recommended wallets where they would push email out of sight',
    dapp: (account) => ({
      networks: allChains,
      wallets: [devnetWallet(account), solanaWallet(account), bitcoinWallet(account)],
    }),
    rows: ['Devnet Wallet', 'Devnet Sol Wallet', 'Devnet Bitcoin Wallet'],
  },
  {
    what: 'no wallets of chains that the dapp does not have',
    dapp: (account) => ({ networks: bothChains, wallets: [solanaWallet(account), devnetWallet(account)] }),
    rows: ['Devnet Wallet', ...directory],
  },
]

test.describe('order of the wallets', () => {
  for (const { what, dapp, rows } of cases) {
    test(`@connect ${what}`, async ({ page, visit, lane }) => {
      await visit(dapp(lane.account))
      await openConnect(page)
      await expect.poll(() => rowsOf(page)).toEqual(rows)
    })
  }

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

  test('@connect in a wallet’s browser, asks that wallet at once', async ({ page, visit }) => {
    await visit({ projectId: 'mobile' })
    await inDapp(page, (postern) => postern.open())
    await expect(walletPrompt(page)).toBeVisible()
    await approve(page)
    await expect(card(page)).toBeHidden()
    await expect.poll(() => status(page)).toBe('connected')
  })

  test('@connect with several wallets in the page, lets the user choose', async ({ page, visit, lane }) => {
    await visit({ wallets: [devnetWallet(lane.account), secondWallet(lane.otherAccount)] })
    await inDapp(page, (postern) => postern.open())
    await expect(card(page, 'Connect')).toBeVisible()
    await expect(walletRow(page, 'Second Wallet')).toBeVisible()
    await expect(walletPrompt(page)).toBeHidden()
  })

  test('@connect shows the view that the dapp requests, with or without wallets', async ({ page, visit }) => {
    await visit({ projectId: 'mobile' })
    await inDapp(page, (postern) => postern.open({ view: 'WhatIsAWallet' }))
    await expect(card(page, 'What is a wallet?')).toBeVisible()
    await expect(walletPrompt(page)).toBeHidden()
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
