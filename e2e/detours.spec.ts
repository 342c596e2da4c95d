/** What visitors do beside the main paths: a wallet that ends, lacks, replaces, imitates or hangs, and a change of mind. */
import { devices } from '@playwright/test'
import { devnetAccounts, gatewayEnvironment } from '@postern/devnet'
import { allChains, bothChains, devnetWallet, secondWallet, solanaNetwork, solanaWallet } from './support/dapp'
import { chooseAccount, signedIn, signInByEmail, signs } from './support/embedded'
import { createGateway } from './support/gateway'
import { newAddress } from './support/mailbox'
import {
  approveOnPhone,
  connectPhone,
  mobileWalletEntry,
  mobileWalletOrigin,
  waitForSessions,
} from './support/mobile-wallet'
import {
  address,
  addressesIn,
  approve,
  card,
  chainId,
  chooseWallet,
  connect,
  connectIn,
  inDapp,
  modal,
  openConnect,
  openingTab,
  openModal,
  press,
  status,
  statusIn,
  walletRow,
} from './support/postern'
import { finishAtProvider, openSocial } from './support/social'
import { expect, test } from './support/test'

const addressOf = (account: number) => devnetAccounts[account]?.address ?? '0x'
const onPhone = { projectId: 'mobile', networks: bothChains, wallets: [] }

test('@walletconnect a wallet of the page replaces the phone, whose session ends', async ({
  page,
  visit,
  phone,
  lane,
}) => {
  const wallet = await phone()
  await visit({ ...onPhone, wallets: [devnetWallet(lane.otherAccount)] })
  await connectPhone(page, wallet)
  await expect.poll(() => address(page)).toBe(addressOf(lane.account))
  await connectIn(page, 'eip155', 'Devnet Wallet')
  // The phone was connected too.
  await expect.poll(() => address(page)).toBe(addressOf(lane.otherAccount))
  await waitForSessions(wallet, 0)
})

test.describe('a wallet’s web app', () => {
  const { userAgent, viewport, isMobile, hasTouch, deviceScaleFactor } = devices['Pixel 7']
  test.use({ userAgent, viewport, isMobile, hasTouch, deviceScaleFactor })

  test('@walletconnect opens in a tab with the request, and connects', async ({ page, context, visit }) => {
    const { mobile_link: _, ...webApp } = mobileWalletEntry
    await visit({ ...onPhone, attributes: { 'custom-wallets': JSON.stringify([webApp]) } })
    await inDapp(page, (postern) => postern.open({ view: 'Connect' }))
    await chooseWallet(page, webApp.name)
    const wallet = await openingTab(context, () =>
      press(modal(page).getByRole('button', { name: 'Open in a new tab' })),
    )
    expect(new URL(wallet.url()).origin).toBe(mobileWalletOrigin)
    await approveOnPhone(wallet, 'Connect to this site')
    await expect.poll(() => status(page)).toBe('connected')
  })
})

test('@main @connect a project with every feature off: its pages cannot turn them on', async ({
  page,
  visit,
  lane,
}) => {
  const features = { send: true, receive: true, swaps: true, onramp: true, history: true, email: true }
  await visit({
    projectId: 'bare',
    wallets: [devnetWallet(lane.account)],
    attributes: { features: JSON.stringify(features) },
  })
  await openConnect(page)
  await expect(walletRow(page, 'Devnet Wallet')).toBeVisible()
  await expect(modal(page).getByRole('textbox', { name: 'Email address' })).toHaveCount(0)
  await expect(modal(page).getByRole('button', { name: /^Continue with/ })).toHaveCount(0)
  await chooseWallet(page, 'Devnet Wallet')
  await approve(page)
  await expect(card(page)).toBeHidden()
  await openModal(page)
  await expect(card(page).getByRole('tab')).toHaveText(['Tokens', 'NFTs'])
  for (const name of ['Send', 'Receive', 'Swap', 'Buy'])
    await expect(card(page).getByRole('button', { name, exact: true })).toHaveCount(0)
})

test('@embedded @solana email stays connected beside an extension that comes and goes on another chain', async ({
  page,
  visit,
  lane,
}) => {
  await visit({ networks: allChains, wallets: [devnetWallet(lane.account)] })
  const email = newAddress()
  const own = await signedIn(page, email)
  await connectIn(page, 'eip155', 'Devnet Wallet')
  // The embedded wallet was connected too.
  await expect.poll(() => address(page)).toBe(addressOf(lane.account))
  expect(await addressesIn(page, 'solana')).toEqual([own.solana])
  await page.reload()
  for (const namespace of ['eip155', 'solana', 'bip122'] as const)
    await expect.poll(() => statusIn(page, namespace), { timeout: 60_000 }).toBe('connected')
  await expect.poll(() => address(page)).toBe(addressOf(lane.account))

  await inDapp(page, (postern) => postern.disconnect('eip155'))
  await expect.poll(() => status(page)).toBe('disconnected')
  expect(await statusIn(page, 'solana')).toBe('connected')
  expect(await addressesIn(page, 'solana')).toEqual([own.solana])

  await test.step('one press brings the user’s own wallet back', async () => {
    await inDapp(page, (postern) => postern.open({ view: 'Connect', namespace: 'eip155' }))
    await press(modal(page).getByRole('button', { name: `Your wallet ${email}` }))
    await expect.poll(() => statusIn(page, 'eip155')).toBe('connected')
    expect(await addressesIn(page, 'eip155')).toContain(own.eip155)
  })
})

test('@embedded a network without smart accounts has the standard one, and the other returns', async ({
  page,
  lane,
  sites,
  visit,
}) => {
  const { POSTERN_BUNDLERS: all = '{}' } = gatewayEnvironment()
  const bundlers: Record<string, unknown> = JSON.parse(all)
  delete bundlers['eip155:31338']
  const project = {
    id: 'demo',
    name: 'One network without',
    allowedOrigins: [sites.origin('dapp')],
    defaultAncestors: true,
  }
  const settings = { POSTERN_BUNDLERS: JSON.stringify(bundlers), POSTERN_PAYMASTERS: '{}' }
  const gateway = await createGateway(lane.ownGatewayPort, [project], undefined, 'warn', settings)
  try {
    await gateway.start()
    await visit({ host: gateway.origin, wallets: [] })
    await openConnect(page)
    await signInByEmail(page, newAddress())
    await expect.poll(() => addressesIn(page, 'eip155'), { timeout: 60_000 }).toHaveLength(2)
    const [smart, standard = ''] = await addressesIn(page, 'eip155')
    await inDapp(page, async (postern) => {
      await postern.close()
      await postern.switchNetwork('eip155:31338')
    })
    await expect.poll(() => addressesIn(page, 'eip155')).toEqual([standard])
    await signs(page, standard)
    await openModal(page)
    await expect(modal(page).getByRole('button', { name: /^Account type/ })).toHaveCount(0)
    await inDapp(page, async (postern) => {
      await postern.close()
      await postern.switchNetwork('eip155:31337')
    })
    await expect.poll(() => addressesIn(page, 'eip155')).toEqual([smart, standard])
  } finally {
    await gateway.remove()
  }
})

test('@main @connect in German: a visit with a wallet', async ({ page, visit, lane }) => {
  await visit({ wallets: [devnetWallet(lane.account)], module: inGerman })
  await inDapp(page, (postern) => postern.open({ view: 'Connect' }))
  await expect(card(page, 'Verbinden')).toBeVisible()
  await chooseWallet(page, 'Devnet Wallet')
  await approve(page)
  await expect(card(page)).toBeHidden()
  await openModal(page)
  await expect(card(page, 'Konto')).toBeVisible()
  await press(modal(page).getByRole('button', { name: /^Netzwerk/ }))
  await expect(card(page, 'Netzwerk wählen')).toBeVisible()
  await inDapp(page, (postern) => postern.close())
  await switchFromDapp()
  await openModal(page)
  await press(modal(page).getByRole('button', { name: 'Trennen', exact: true }))
  await expect(modal(page).getByText('Devnet Wallet trennen?')).toBeVisible()
  await press(modal(page).getByRole('button', { name: 'Trennen', exact: true }))
  await expect.poll(() => status(page)).toBe('disconnected')

  async function switchFromDapp() {
    const switched = inDapp(page, (postern) => postern.switchNetwork('eip155:31338'))
    await approve(page)
    await switched
    expect(await chainId(page)).toBe('eip155:31338')
  }
})

function inGerman(host: string): string {
  const options = { projectId: 'demo', host, locale: 'de', networks: ['eip155:31337', 'eip155:31338'] }
  return `
    import { createPostern } from '/client/index.js'
    window.Postern = { ...createPostern(${JSON.stringify(options)}), version: 'by npm' }`
}

test('@main @connect @hostile a wallet that imitates another gets a row of its own, and never its requests', async ({
  page,
  visit,
  lane,
}) => {
  const real = devnetWallet(lane.account)
  // The same name; and, last, even the same rdns.
  const namesake = { ...secondWallet(lane.otherAccount), name: real.name }
  const double = { ...devnetWallet(lane.otherAccount), legacy: true }
  await visit({ wallets: [real, namesake, double] })
  await openConnect(page)
  await expect(walletRow(page, 'Devnet Wallet')).toHaveCount(2)
  await press(walletRow(page, 'Devnet Wallet').first())
  await approve(page)
  await expect.poll(() => address(page)).toBe(addressOf(lane.account))
})

test('@connect @solana an extension that never answers holds up no other wallet', async ({ page, visit, lane }) => {
  await page.addInitScript(announceSlowWallet, addressOf(lane.account))
  await visit({ networks: `${bothChains} ${solanaNetwork}`, wallets: [solanaWallet(lane.account)] })
  await openConnect(page)
  await chooseWallet(page, 'Slow Wallet')
  await expect(card(page)).toBeHidden()
  await expect.poll(() => status(page)).toBe('connected')
  await connectIn(page, 'solana', 'Devnet Sol Wallet')
  await page.evaluate(() => sessionStorage.setItem('hang', 'yes'))
  await page.reload()
  await expect.poll(() => statusIn(page, 'solana')).toBe('connected')
  expect(await status(page), 'still waits for the extension').toBe('connecting')
  await openModal(page)
  await expect(card(page)).toBeVisible()
})

/** Grants at once, until `hang` is stored: then no request ends. */
function announceSlowWallet(account: string): void {
  const answers: Readonly<Record<string, unknown>> = {
    eth_requestAccounts: [account],
    eth_accounts: [account],
    eth_chainId: '0x7a69',
  }
  const provider = {
    request: ({ method }: { method: string }) =>
      sessionStorage.getItem('hang') === null ? Promise.resolve(answers[method] ?? null) : new Promise(() => {}),
    on() {},
    removeListener() {},
  }
  const icon = 'data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22/%3E'
  const info = { uuid: '6b1c1c3e-1d7b-4b9c-8d6a-0f0f0f0f0f0f', name: 'Slow Wallet', icon, rdns: 'dev.postern.slow' }
  const announce = () =>
    window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }))
  window.addEventListener('eip6963:requestProvider', announce)
  announce()
}

test('@connect a network of the dapp has the dapp’s own picture', async ({ page, visit, lane }) => {
  const picture =
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  // The gateway's own definition would win.
  const own = {
    id: 'eip155:4242',
    name: 'Saltmarsh',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: ['http://127.0.0.1:8545'],
    imageUrl: picture,
  }
  const module = (host: string) => `
    import { createPostern } from '/client/index.js'
    import '/client/elements.js'
    const networks = ${JSON.stringify(['eip155:31337', own])}
    window.Postern = { ...createPostern({ projectId: 'demo', host: ${JSON.stringify(host)}, networks }), version: 'by npm' }`
  await visit({ module, wallets: [devnetWallet(lane.account)] })
  await connect(page)
  await page.evaluate(() => window.Postern?.open({ view: 'Networks' }))
  const image = modal(page)
    .getByRole('button', { name: /^Saltmarsh/ })
    .locator('img')
  await expect(image).toHaveAttribute('src', picture)
  await expect
    .poll(() => image.evaluate((element) => element instanceof HTMLImageElement && element.naturalWidth))
    .toBe(1)
})

test('@embedded the choice between smart and standard account is kept over sign-out', async ({ page, visit }) => {
  const name = `Hedy of ${process.pid}`
  const signIn = async () => {
    await openConnect(page)
    await finishAtProvider(await openSocial(page, 'google'), name)
    await expect.poll(() => addressesIn(page, 'eip155'), { timeout: 60_000 }).toHaveLength(2)
  }
  await visit({ wallets: [] })
  await signIn()
  const [smart = '', standard = ''] = await addressesIn(page, 'eip155')
  await openModal(page)
  await chooseAccount(page, { from: 'Smart account', to: 'Standard account' })
  await expect.poll(() => addressesIn(page, 'eip155')).toEqual([standard, smart])
  await inDapp(page, async (postern) => {
    await postern.close()
    await postern.disconnect()
  })
  await expect.poll(() => status(page)).toBe('disconnected')
  await signIn()
  await expect.poll(() => addressesIn(page, 'eip155')).toEqual([standard, smart])
})
