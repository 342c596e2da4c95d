/** Wallets on another device: codes, links, three chains, and the life of a session. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, devices, type Page } from '@playwright/test'
import { startRelay } from '@postern/devnet'
import { base58 } from '@scure/base'
import { isHex, parseEther, toHex, verifyMessage } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { bitcoinAddress, fund, isMessageSignedBy, mine, paidTo } from './support/bitcoin'
import { installClock, pauseClock } from './support/clock'
import { allChains, bothChains, dappPage } from './support/dapp'
import { createGateway } from './support/gateway'
import {
  approveOnPhone,
  connectPhone,
  copiedLink,
  inWallet,
  mobileWalletEntry,
  mobileWalletOrigin,
  openWallet,
  pair,
  receivedBy,
  rejectOnPhone,
  sheet,
  waitForSessions,
} from './support/mobile-wallet'
import { addressOf, evm } from './support/money'
import {
  address,
  card,
  chainId,
  chooseWallet,
  connected,
  inDapp,
  modal,
  type Outcome,
  openConnect,
  openingTab,
  press,
  request,
  requestIn,
  status,
  textOf,
} from './support/postern'
import { isSignedBy, lamports, newSolanaAddress, outcomeOf, solanaAddress, transfer } from './support/solana'
import { expect, test } from './support/test'

const everywhere = { projectId: 'mobile', networks: allChains, wallets: [] }
const onEvm = { projectId: 'mobile', networks: bothChains, wallets: [] }
const listed = { ...onEvm, attributes: { 'custom-wallets': JSON.stringify([mobileWalletEntry]) } }

test('@main @walletconnect @engines @storage a code connects three chains; each signs and sends; a reload keeps the session; disconnecting ends it (spec §2)', async ({
  page,
  visit,
  phone,
  lane,
}) => {
  const wallet = await phone()
  await visit(everywhere)
  await openConnect(page)
  await chooseWallet(page, 'WalletConnect')
  await expect(modal(page).getByRole('img', { name: 'QR code to connect WalletConnect' })).toBeVisible()
  await pair(wallet, await copiedLink(page))
  await expect(sheet(wallet)).toContainText('http://dapp.localhost')
  await approveOnPhone(wallet, 'Connect to this site')
  await expect(card(page)).toBeHidden()
  await expect.poll(() => connected(page)).toEqual(['bip122', 'eip155', 'solana'])
  await expect.poll(() => address(page)).toBe(addressOf(lane.account))

  await test.step('signs and sends on EVM', async () => {
    expect(await signs(page, wallet, lane.account)).toBe(true)
    const receiver = privateKeyToAddress(generatePrivateKey())
    const value = toHex(parseEther('0.01'))
    const sent = request(page, 'eth_sendTransaction', [{ from: addressOf(lane.account), to: receiver, value }])
    await approveOnPhone(wallet)
    const hash = textOf(await sent)
    if (!isHex(hash)) throw new Error(hash)
    expect((await evm.waitForTransactionReceipt({ hash })).status).toBe('success')
    expect(await evm.getBalance({ address: receiver })).toBe(parseEther('0.01'))
  })

  await test.step('signs and sends on Solana', async () => {
    const message = new TextEncoder().encode('Hello from afar')
    const signed = requestIn(page, 'solana', 'solana_signMessage', { message: base58.encode(message) })
    await expect(sheet(wallet)).toContainText('Hello from afar')
    await approveOnPhone(wallet)
    expect(isSignedBy(lane.account, message, textOf(await signed, 'signature'))).toBe(true)

    const to = newSolanaAddress()
    const transaction = await transfer('versioned', { from: solanaAddress(lane.account), to, amount: 2_000_000 })
    const sent = requestIn(page, 'solana', 'solana_signAndSendTransaction', { transaction })
    await approveOnPhone(wallet)
    expect(await outcomeOf(textOf(await sent, 'signature'))).toBe(null)
    expect(await lamports(to)).toBe(2_000_000)
  })

  await test.step('signs and sends on Bitcoin', async () => {
    const payment = bitcoinAddress(lane.account)
    const signed = requestIn(page, 'bip122', 'bip122_signMessage', { address: payment, message: 'Hello from afar' })
    await approveOnPhone(wallet)
    const signature = textOf(await signed, 'signature')
    expect(isMessageSignedBy(lane.account, 'payment', 'Hello from afar', signature)).toBe(true)

    await fund(payment, 100_000)
    const recipientAddress = bitcoinAddress(9)
    const sent = requestIn(page, 'bip122', 'bip122_sendTransfer', { recipientAddress, amount: '30000' })
    await approveOnPhone(wallet, 'Send bitcoin')
    const txid = textOf(await sent, 'txid')
    await mine()
    expect(await paidTo(txid, recipientAddress)).toBe(30_000)
  })

  await test.step('reads go to the chain and not to the phone', async () => {
    for (const method of ['eth_blockNumber', 'eth_gasPrice'])
      expect(await request(page, method)).toHaveProperty('result')
    expect(await request(page, 'eth_call', [{ to: addressOf(0), data: '0x' }, 'latest'])).toEqual({ result: '0x' })
    expect(await requestIn(page, 'solana', 'getBalance', [solanaAddress(lane.account)])).toHaveProperty('result')
    expect(await receivedBy(wallet)).toEqual([
      'personal_sign',
      'eth_sendTransaction',
      'solana_signMessage',
      'solana_signAndSendTransaction',
      'signMessage',
      'sendTransfer',
    ])
  })

  await test.step('is restored after a reload, and ends on disconnect', async () => {
    await page.reload()
    await expect.poll(() => connected(page)).toEqual(['bip122', 'eip155', 'solana'])
    expect(await signs(page, wallet, lane.account)).toBe(true)
    await inDapp(page, (postern) => postern.disconnect())
    await waitForSessions(wallet, 0)
    await page.reload()
    expect(await connected(page)).toEqual([])
  })
})

test('@walletconnect while the phone is asked, a card names its wallet; Cancel rejects, and the answer closes it', async ({
  page,
  visit,
  phone,
  lane,
}) => {
  const wallet = await phone()
  await visit(onEvm)
  await connectPhone(page, wallet)
  await expect(card(page)).toBeHidden()
  const sign = (words: string) => request(page, 'personal_sign', [toHex(words), addressOf(lane.account)])
  const waiting = modal(page).getByText('Confirm in Devnet Mobile Wallet')

  await test.step('the answer closes it', async () => {
    const signed = sign('hello')
    await expect(waiting).toBeVisible()
    await approveOnPhone(wallet)
    expect(textOf(await signed)).toMatch(/^0x[0-9a-f]{130}$/)
    await expect(card(page)).toBeHidden()
  })

  await test.step('Cancel rejects', async () => {
    const signed = sign('never mind')
    await expect(waiting).toBeVisible()
    await press(modal(page).getByRole('button', { name: 'Cancel' }))
    expect(await signed).toMatchObject({ code: 4001 })
    await expect(card(page)).toBeHidden()
    await rejectOnPhone(wallet)
  })

  await test.step('another view stays, and the card follows it', async () => {
    await inDapp(page, (postern) => postern.open({ view: 'Networks' }))
    await expect(card(page)).toBeVisible()
    const signed = sign('later')
    await expect(sheet(wallet)).toBeVisible()
    await expect(waiting).toBeHidden()
    await page.keyboard.press('Escape')
    await expect(waiting).toBeVisible()
    await approveOnPhone(wallet)
    await signed
    await expect(card(page)).toBeHidden()
  })
})

test('@walletconnect @weather @money a payment that the phone still shows when the page reloads is asked once', async ({
  page,
  visit,
  phone,
  lane,
}) => {
  const wallet = await phone()
  await visit(onEvm)
  await connectPhone(page, wallet)
  const to = privateKeyToAddress(generatePrivateKey())
  const value = parseEther('0.01')
  const pay = () => request(page, 'eth_sendTransaction', [{ from: addressOf(lane.account), to, value: toHex(value) }])
  // The page's end is its answer.
  pay().catch(() => {})
  await expect(sheet(wallet)).toBeVisible()
  await page.reload()
  await page.waitForFunction(() => 'Postern' in window)
  await expect.poll(() => status(page)).toBe('connected')
  const paid = pay()
  await approveOnPhone(wallet)
  const hash = textOf(await paid)
  if (!isHex(hash)) throw new Error(hash)
  expect((await evm.waitForTransactionReceipt({ hash })).status).toBe('success')
  await expect(sheet(wallet)).toBeHidden()
  expect(await receivedBy(wallet)).toEqual(['eth_sendTransaction'])
  expect(await evm.getBalance({ address: to })).toBe(value)
})

test('@walletconnect @money a payment cancelled on the page while the phone shows it may still be made, and is asked once', async ({
  page,
  visit,
  phone,
  lane,
}) => {
  const wallet = await phone()
  await visit(onEvm)
  await connectPhone(page, wallet)
  const to = privateKeyToAddress(generatePrivateKey())
  const value = parseEther('0.01')
  const pay = () => request(page, 'eth_sendTransaction', [{ from: addressOf(lane.account), to, value: toHex(value) }])
  const cancelled = pay()
  await expect(sheet(wallet)).toBeVisible()
  await press(modal(page).getByRole('button', { name: 'Cancel' }))
  expect(await cancelled, 'not 4001: the phone may still pay').toMatchObject({ code: -32002 })
  await expect(modal(page).getByText('Decline it in Devnet Mobile Wallet too')).toBeVisible()
  const paid = pay()
  await approveOnPhone(wallet)
  const hash = textOf(await paid)
  if (!isHex(hash)) throw new Error(hash)
  expect((await evm.waitForTransactionReceipt({ hash })).status).toBe('success')
  expect(await receivedBy(wallet)).toEqual(['eth_sendTransaction'])
  expect(await evm.getBalance({ address: to })).toBe(value)
  await expect(card(page)).toBeHidden()
})

test('@main @walletconnect @smoke reports a refusal, and the next code works', async ({ page, visit, phone }) => {
  const wallet = await phone()
  await visit(onEvm)
  await openConnect(page)
  await chooseWallet(page, 'WalletConnect')
  const first = await copiedLink(page)
  await pair(wallet, first)
  await rejectOnPhone(wallet, 'Connect to this site')
  await expect(modal(page).getByText('Request declined')).toBeVisible()
  await expect.poll(() => status(page)).toBe('disconnected')

  await press(modal(page).getByRole('button', { name: 'Try again' }))
  const second = await copiedLink(page)
  expect(second).not.toBe(first)
  await pair(wallet, second)
  await approveOnPhone(wallet, 'Connect to this site')
  await expect(card(page)).toBeHidden()
  await expect.poll(() => status(page)).toBe('connected')

  const signed = request(page, 'personal_sign', [toHex('no'), (await address(page)) ?? ''])
  await rejectOnPhone(wallet, 'Sign a message')
  expect(await signed).toMatchObject({ code: 4001 })
})

test.describe('on a phone', () => {
  const { userAgent, viewport, isMobile, hasTouch, deviceScaleFactor } = devices['Pixel 7']
  test.use({ userAgent, viewport, isMobile, hasTouch, deviceScaleFactor })

  test('@walletconnect @storage a wallet’s link opens it with the request, and approving connects (spec §2)', async ({
    page,
    context,
    visit,
  }) => {
    await visit(listed)
    const wallet = await openFromRow(page, context)
    await approveOnPhone(wallet, 'Connect to this site')
    await expect(card(page)).toBeHidden()
    await expect.poll(() => status(page)).toBe('connected')
  })
})

test('@walletconnect @storage changes in the wallet show in the dapp: account, network, end', async ({
  page,
  visit,
  phone,
  lane,
}) => {
  const wallet = await phone()
  await visit(onEvm)
  await connectPhone(page, wallet)
  const { otherAccount } = lane
  await wallet.getByRole('combobox', { name: 'Account', exact: true }).selectOption(String(otherAccount))
  await expect.poll(() => address(page)).toBe(addressOf(otherAccount))
  await wallet.getByRole('combobox', { name: 'Network of Ethereum apps' }).selectOption('eip155:31338')
  await expect.poll(() => chainId(page)).toBe('eip155:31338')
  // The button is redrawn once the wallet knows of the network.
  await inWallet(wallet, (owner) => owner.disconnect())
  await expect.poll(() => status(page)).toBe('disconnected')
  await page.reload()
  expect(await status(page)).toBe('disconnected')
})

test('@main @walletconnect @storage a session survives a browser restart (spec §4)', async ({
  playwright,
  launchOptions,
  phone,
  sites,
  gateway,
  lane,
}) => {
  const wallet = await phone()
  const folder = await mkdtemp(join(tmpdir(), 'postern-profile-'))
  const start = () => playwright.chromium.launchPersistentContext(folder, { ...launchOptions, locale: 'en-US' })
  const dapp = sites.serve('dapp', '/', dappPage({ host: gateway.origin, ...onEvm }))
  try {
    const before = await start()
    const first = await open(before, dapp)
    await connectPhone(first, wallet)
    // What the page stores is sent before that.
    await expect.poll(() => status(first)).toBe('connected')
    await before.close()

    const after = await start()
    const second = await open(after, dapp)
    await expect.poll(() => status(second)).toBe('connected')
    expect(await signs(second, wallet, lane.account)).toBe(true)
    await after.close()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('@walletconnect a session created by another tab while a code is visible here also signs here', async ({
  page,
  context,
  visit,
  phone,
  lane,
}) => {
  const wallet = await phone()
  const dapp = await visit(onEvm)
  await openConnect(page)
  await chooseWallet(page, 'WalletConnect')
  await expect(modal(page).getByRole('img', { name: 'QR code to connect WalletConnect' })).toBeVisible()
  const other = await open(context, dapp)
  await connectPhone(other, wallet)
  await expect.poll(() => status(page)).toBe('connected')
  expect(await signs(page, wallet, lane.account)).toBe(true)
  await inDapp(page, (postern) => postern.disconnect())
  await waitForSessions(wallet, 0)
  await expect.poll(() => status(other)).toBe('disconnected')
})

test('@walletconnect a request survives twenty seconds without the relay', async ({ page, browser, sites, lane }) => {
  const relay = await startRelay({ port: lane.relayPort })
  const project = { id: 'mobile', name: 'With WalletConnect', allowedOrigins: [], defaultAncestors: true }
  const gateway = await createGateway(lane.ownGatewayPort, [{ ...project, walletConnect: 'devnet' }], relay.url)
  try {
    await gateway.start()
    const context = await browser.newContext()
    await context.clock.install()
    const wallet = await openWallet(context, { account: lane.account, relay: relay.url })
    await installClock(page)
    await page.goto(sites.serve('far', '/', dappPage({ host: gateway.origin, ...onEvm })))
    await connectPhone(page, wallet)
    const signed = request(page, 'personal_sign', [toHex('patience'), addressOf(lane.account)])
    await expect(sheet(wallet, 'Sign a message')).toBeVisible()
    relay.pause()
    for (let second = 0; second < 20; second += 1)
      await Promise.all([page, wallet].map(({ clock }) => clock.runFor('00:01')))
    await expect(modal(page).getByText('Connection lost. Reconnecting…')).toBeVisible()
    relay.resume()
    await approveOnPhone(wallet)
    expect(textOf(await signed)).toMatch(/^0x[0-9a-f]{130}$/)
    await context.close()
  } finally {
    await gateway.remove()
    await relay.stop()
  }
})

test('@walletconnect an answer that came while the browser cut the connection shows as soon as the user is back', async ({
  page,
  visit,
  phone,
  lane,
}) => {
  const wallet = await phone()
  await installClock(page)
  await page.addInitScript(collectSockets)
  await visit(onEvm)
  await connectPhone(page, wallet)
  const signed = request(page, 'personal_sign', [toHex('Let me in.'), addressOf(lane.account)])
  await expect(sheet(wallet)).toContainText('Let me in.')
  const frame = modal(page).locator('html')
  expect(await frame.evaluate(() => window.cutSockets?.())).toBe(1)
  await approveOnPhone(wallet, 'Sign a message')
  await pauseClock(page, frame)
  await frame.evaluate(() => window.dispatchEvent(new Event('online')))
  let answer: Outcome | undefined
  void signed.then((outcome) => {
    answer = outcome
  })
  // Nine seconds of the page, however slow the machine is. Left alone, the library needs half a minute.
  let seconds = 0
  await expect(async () => {
    seconds += 1
    if (seconds < 10) await page.clock.runFor('00:01')
    await expect.poll(() => answer, { timeout: 3_000 }).toBeDefined()
  }).toPass({ timeout: 30_000 })
  expect(textOf(await signed)).toMatch(/^0x[0-9a-f]{130}$/)
})

declare global {
  interface Window {
    /** Returns how many were open. */
    cutSockets?: () => number
  }
}

/** As phones cut them: open on both sides, and nothing comes or goes, not even the end. */
function collectSockets(): void {
  const sockets: WebSocket[] = []
  window.WebSocket = class extends WebSocket {
    constructor(...rest: ConstructorParameters<typeof WebSocket>) {
      super(...rest)
      sockets.push(this)
    }
  }
  window.cutSockets = () => {
    const open = sockets.filter(({ readyState }) => readyState === WebSocket.OPEN)
    for (const socket of open)
      Object.assign(socket, { onmessage: null, onclose: null, onerror: null, send() {}, close() {} })
    return open.length
  }
}

async function open(context: BrowserContext, address: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(address)
  await page.waitForFunction(() => 'Postern' in window)
  return page
}

/** Returns the wallet's page. */
async function openFromRow(page: Page, context: BrowserContext): Promise<Page> {
  await inDapp(page, (postern) => postern.open({ view: 'Connect' }))
  await chooseWallet(page, mobileWalletEntry.name)
  const wallet = await openingTab(context, () =>
    press(modal(page).getByRole('button', { name: 'Open Devnet Mobile Wallet' })),
  )
  await expect(sheet(wallet, 'Connect to this site')).toBeVisible()
  expect(new URL(wallet.url()).origin).toBe(mobileWalletOrigin)
  return wallet
}

/** Whether the account signed it. */
async function signs(page: Page, wallet: Page, account: number): Promise<boolean> {
  const signed = request(page, 'personal_sign', [toHex('Let me in.'), addressOf(account)])
  await expect(sheet(wallet)).toContainText('Let me in.')
  await approveOnPhone(wallet, 'Sign a message')
  const signature = textOf(await signed)
  if (!isHex(signature)) throw new Error(signature)
  return verifyMessage({ address: addressOf(account), message: 'Let me in.', signature })
}
