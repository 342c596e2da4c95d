/** The main tests in WebKitGTK, the engine of Safari. The phone of WalletConnect is a Chromium. */
import { randomUUID } from 'node:crypto'
import { devnetAccounts } from '@postern/devnet'
import { base58 } from '@scure/base'
import { createTestClient, http, isHex, parseEther, publicActions, toHex, verifyMessage } from 'viem'
import * as z from 'zod/mini'
import { faultsOfDocument } from './support/access'
import { bitcoinAddress, fund, isMessageSignedBy, mine, paidTo } from './support/bitcoin'
import {
  allChains,
  bitcoinNetwork,
  bitcoinWallet,
  bothChains,
  type Dapp,
  dappPage,
  devnetWallet,
  solanaNetwork,
  solanaWallet,
} from './support/dapp'
import { codeOf, newEvmAddress } from './support/embedded'
import { newAddress, nextMail } from './support/mailbox'
import { approveOnPhone, pair } from './support/mobile-wallet'
import { dollars } from './support/money'
import type { Namespace } from './support/postern'
import { isSignedBy, lamports, newSolanaAddress, outcomeOf, solanaAddress, transfer } from './support/solana'
import { test as base, expect } from './support/test'
import { startWebKit, type WebKit } from './support/webkit-driver'
import { WebKitPage } from './support/webkit-page'

const node = createTestClient({ mode: 'anvil', transport: http('http://127.0.0.1:8545') }).extend(publicActions)
const control = '\uE009'
const enter = '\uE007'
const tabKey = '\uE004'

type TestFixtures = { browserPage: WebKitPage; open: (dapp?: Partial<Dapp>) => Promise<string> }

const test = base.extend<TestFixtures, { webKit: WebKit }>({
  webKit: [
    async ({ lane }, use) => {
      const webKit = await startWebKit(lane.webkitPort)
      await use(webKit)
      await webKit.stop()
    },
    { scope: 'worker' },
  ],
  browserPage: async ({ webKit }, use, info) => {
    const driver = await webKit.open()
    try {
      const page = await WebKitPage.current(driver)
      await use(page)
      if (info.status !== info.expectedStatus) await info.attach('modal', { body: await page.modal.text() })
    } finally {
      await driver.stop()
    }
  },
  open: async ({ browserPage, gateway, sites, lane }, use) => {
    await use(async (dapp) => {
      const wallets = [devnetWallet(lane.account)]
      const url = sites.serve('dapp', '/', dappPage({ host: gateway.origin, wallets, ...dapp }))
      await browserPage.goto(url)
      await untilLoaded(browserPage)
      return url
    })
  },
})

const untilLoaded = (page: WebKitPage) =>
  expect.poll(() => page.run(z.boolean(), () => 'Postern' in window), { timeout: 20_000 }).toBe(true)

const Outcome = z.union([z.object({ result: z.unknown() }), z.object({ code: z.unknown(), message: z.unknown() })])
type Outcome = z.infer<typeof Outcome>

const connect = async (page: WebKitPage, wallet: string): Promise<void> => {
  await page.press(/^Connect wallet$/)
  await page.modal.press(new RegExp(`^${wallet}`))
  await page.press(/^Approve$/)
}

const closed = (page: WebKitPage) => expect.poll(() => page.modal.has('dialog', /./)).toBe(false)

const statusIn = (page: WebKitPage, namespace: Namespace) =>
  page.run(z.string(), (name) => window.Postern?.getSnapshot().connections[name]?.status ?? 'disconnected', namespace)

const untilStatus = (page: WebKitPage, namespace: Namespace, status: string) =>
  expect.poll(() => statusIn(page, namespace), { timeout: 60_000 }).toBe(status)

const addressesIn = (page: WebKitPage, namespace: Namespace) =>
  page.run(
    z.array(z.string()),
    (name) => {
      const connection = window.Postern?.getSnapshot().connections[name]
      return connection?.status === 'connected' ? connection.accounts.map(({ address }) => address) : []
    },
    namespace,
  )

/** Starts a request and returns at once; the function waits for its outcome. */
async function request(
  page: WebKitPage,
  namespace: Namespace,
  method: string,
  params: readonly unknown[] | object,
): Promise<() => Promise<Outcome>> {
  const id = `outcome-${randomUUID()}`
  await page.run(
    z.null(),
    (id, namespace, method, params) => {
      window.Postern?.[namespace].request({ method, params }).then(
        (result: unknown) => Reflect.set(window, id, { result }),
        (error: { code?: unknown; message?: unknown }) =>
          Reflect.set(window, id, { code: error.code, message: error.message }),
      )
      return null
    },
    id,
    namespace,
    method,
    params,
  )
  return async () => {
    const read = () => page.run(z.nullable(Outcome), (id) => Reflect.get(window, id) ?? null, id)
    await expect.poll(read, { timeout: 60_000 }).not.toBeNull()
    return Outcome.parse(await read())
  }
}

function resultOf(outcome: Outcome, member?: string): string {
  const result = 'result' in outcome ? outcome.result : undefined
  const found: unknown =
    member !== undefined && typeof result === 'object' && result !== null ? Reflect.get(result, member) : result
  if (typeof found !== 'string') throw new Error(`No text: ${JSON.stringify(outcome)}`)
  return found
}

function hexOf(outcome: Outcome): `0x${string}` {
  const text = resultOf(outcome)
  if (!isHex(text)) throw new Error(`Not hex: ${text}`)
  return text
}

/** From an empty browser to an embedded wallet, with the modal closed. Returns its EVM account. */
async function signInByEmail(page: WebKitPage): Promise<`0x${string}`> {
  const email = newAddress()
  await page.press(/^Connect wallet$/)
  await page.modal.type(/^Email address/, email)
  await page.keys([enter])
  const code = codeOf(await nextMail(email))
  await expect.poll(() => page.wallet.has('textbox', /6-digit code/)).toBe(true)
  // No press: the wallet's frame has the focus. A card that grows before it is armed drops the digits.
  const takesDigits = () => document.hasFocus() && document.querySelector('[data-armed]') !== null
  await expect.poll(() => page.wallet.run(z.boolean(), takesDigits)).toBe(true)
  await page.keys([...code])
  return untilSignedIn(page)
}

async function untilSignedIn(page: WebKitPage): Promise<`0x${string}`> {
  for (const namespace of ['eip155', 'solana', 'bip122'] as const) await untilStatus(page, namespace, 'connected')
  await page.run(z.null(), () => {
    window.Postern?.close()
    return null
  })
  await closed(page)
  const [account = ''] = await addressesIn(page, 'eip155')
  if (!isHex(account)) throw new Error(`${account} is not an address`)
  return account
}

/** The wallet's frame offers no Approve, only its own window. */
async function openWindow(page: WebKitPage): Promise<WebKitPage> {
  await expect.poll(() => page.wallet.has('button', /^Decline$/), { timeout: 60_000 }).toBe(true)
  expect(await page.wallet.has('button', /^Approve$/)).toBe(false)
  return page.popup(() => page.wallet.press(/^Continue in your wallet$/))
}

/** Approve waits until everything was seen, and once more when a fact comes late. */
async function approveIn(popup: WebKitPage): Promise<void> {
  const isReady = async () => {
    await popup.scrollToEnd()
    return popup.has('button', /^Approve$/)
  }
  await expect.poll(isReady, { timeout: 30_000 }).toBe(true)
  await popup.press(/^Approve$/)
}

test('@engines a page wallet connects, signs, switches, sends, returns and disconnects', async ({
  browserPage: page,
  open,
  lane,
}) => {
  const address = devnetAccounts[lane.account]?.address ?? '0x'
  await open()
  await connect(page, 'Devnet Wallet')
  await untilStatus(page, 'eip155', 'connected')
  await closed(page)
  expect(await addressesIn(page, 'eip155')).toEqual([address])

  const signed = await request(page, 'eip155', 'personal_sign', [toHex('Let me in.'), address])
  await page.press(/^Approve$/)
  expect(await verifyMessage({ address, message: 'Let me in.', signature: hexOf(await signed()) })).toBe(true)

  const to = newEvmAddress()
  const value = toHex(parseEther('0.25'))
  const sent = await request(page, 'eip155', 'eth_sendTransaction', [{ from: address, to, value }])
  await page.press(/^Approve$/)
  const receipt = await node.waitForTransactionReceipt({ hash: hexOf(await sent()) })
  expect(receipt.status).toBe('success')
  expect(await node.getBalance({ address: to })).toBe(parseEther('0.25'))

  const switched = await request(page, 'eip155', 'wallet_switchEthereumChain', [{ chainId: toHex(31338) }])
  await page.press(/^Approve$/)
  expect(await switched()).toEqual({ result: null })

  await page.reload()
  await untilLoaded(page)
  await untilStatus(page, 'eip155', 'connected')
  const chain = await request(page, 'eip155', 'eth_chainId', [])
  expect(await chain()).toEqual({ result: toHex(31338) })

  await page.press(/^Account 0x|^0x/)
  await expect.poll(() => page.modal.has('dialog', /^Account$/)).toBe(true)
  await page.modal.press(/^Disconnect$/)
  await page.modal.press(/^Disconnect$/)
  await untilStatus(page, 'eip155', 'disconnected')
  await page.reload()
  await untilLoaded(page)
  await untilStatus(page, 'eip155', 'disconnected')
})

test('@engines email: signs and sends from the wallet’s own window, and is signed in after a reload', async ({
  browserPage: page,
  open,
}) => {
  await open({ wallets: [], networks: allChains })
  const address = await signInByEmail(page)

  const waiting = await request(page, 'eip155', 'personal_sign', [toHex('Hello'), address])
  const popup = await openWindow(page)
  await expect.poll(() => popup.text()).toContain('Hello')
  await approveIn(popup)
  expect(await node.verifyMessage({ address, message: 'Hello', signature: hexOf(await waiting()) })).toBe(true)
  await expect.poll(() => popup.isClosed()).toBe(true)

  const to = newEvmAddress()
  const value = toHex(parseEther('0.25'))
  await node.setBalance({ address, value: parseEther('1') })
  const sent = await request(page, 'eip155', 'eth_sendTransaction', [{ from: address, to, value }])
  const second = await openWindow(page)
  await expect.poll(() => second.text()).toContain(to)
  await approveIn(second)
  const receipt = await node.waitForTransactionReceipt({ hash: hexOf(await sent()) })
  expect(receipt.status).toBe('success')
  expect(await node.getBalance({ address: to })).toBe(parseEther('0.25'))

  await page.reload()
  await untilLoaded(page)
  await untilStatus(page, 'eip155', 'connected')
  expect(await addressesIn(page, 'eip155')).toContain(address)
})

test('@engines email: swaps ether for dollars from the wallet’s own window', async ({ browserPage: page, open }) => {
  await open({ wallets: [], networks: allChains })
  const address = await signInByEmail(page)
  await node.setBalance({ address, value: parseEther('1') })
  await page.run(z.null(), async () => {
    await window.Postern?.open({ view: 'Swap', swap: { amount: '0.01', fromToken: 'ETH', toToken: 'DUSD' } })
    return null
  })
  await page.modal.press(/^Review swap$/)
  const popup = await openWindow(page)
  await expect.poll(() => popup.text()).toContain('DUSD')
  await approveIn(popup)
  await expect.poll(() => page.modal.text(), { timeout: 60_000 }).toContain('Confirmed')
  await expect.poll(() => popup.isClosed()).toBe(true)
  expect(await dollars(address)).toBeGreaterThan(0n)
})

test('@engines @hostile a page that covers the approval gets none in the frame', async ({
  browserPage: page,
  open,
}) => {
  await open({ wallets: [], networks: allChains })
  const address = await signInByEmail(page)
  const waiting = await request(page, 'eip155', 'personal_sign', [toHex('Move 2 ETH'), address])
  await expect.poll(() => page.wallet.has('button', /^Decline$/), { timeout: 60_000 }).toBe(true)
  await page.run(z.null(), () => {
    const cover = document.createElement('div')
    cover.popover = 'manual'
    cover.style.cssText = 'position:fixed;inset:0;width:100vw;height:100vh;background:#fff;pointer-events:none;'
    document.body.append(cover)
    cover.showPopover()
    return null
  })
  const popup = await openWindow(page)
  await expect.poll(() => popup.text()).toContain('Move 2 ETH')
  expect(await page.wallet.has('button', /^Approve$/)).toBe(false)
  await popup.press(/^Decline$/)
  expect(await waiting()).toMatchObject({ code: 4001 })
})

test('@engines WalletConnect connects and signs with a phone', async ({
  browserPage: page,
  open,
  sites,
  phone,
  lane,
}) => {
  const address = devnetAccounts[lane.account]?.address ?? '0x'
  const wallet = await phone()
  await open({ projectId: 'mobile', networks: bothChains, wallets: [] })
  await page.press(/^Connect wallet$/)
  await page.modal.press(/^WalletConnect/)
  let link = ''
  // The button says for two seconds only that the link was copied.
  await expect(async () => {
    await page.modal.press(/^(Copy link|Link copied)$/)
    const tab = await page.newTab()
    try {
      await tab.goto(sites.serve('paste', '/', '<textarea aria-label="Pasted"></textarea>'))
      await tab.press(/^Pasted$/, 'textbox')
      await tab.keys(['v'], control)
      const pasted = () => tab.run(z.string(), () => document.querySelector('textarea')?.value ?? '')
      await expect.poll(pasted, { timeout: 5_000 }).toMatch(/^wc:[0-9a-f]{64}@2\?/)
      link = await pasted()
    } finally {
      await tab.close()
    }
  }).toPass({ timeout: 60_000 })
  await pair(wallet, link)
  await approveOnPhone(wallet, 'Connect to this site')
  await untilStatus(page, 'eip155', 'connected')
  const signed = await request(page, 'eip155', 'personal_sign', [toHex('From afar'), address])
  await approveOnPhone(wallet)
  expect(await verifyMessage({ address, message: 'From afar', signature: hexOf(await signed()) })).toBe(true)
})

test('@engines Google: the window closes, and the wallet is connected', async ({ browserPage: page, open }) => {
  await open({ wallets: [], networks: allChains })
  await page.press(/^Connect wallet$/)
  const popup = await page.popup(() => page.modal.press(/^Continue with Google$/))
  await popup.type(/^Name/, `Ada of ${process.pid}`)
  await popup.press(/^Allow$/)
  await expect.poll(() => popup.isClosed(), { timeout: 60_000 }).toBe(true)
  await untilSignedIn(page)
})

test('@engines a Solana wallet connects, signs, sends, and returns', async ({ browserPage: page, open, lane }) => {
  await open({ networks: solanaNetwork, wallets: [solanaWallet(lane.account)] })
  await connect(page, 'Devnet Sol Wallet')
  await untilStatus(page, 'solana', 'connected')
  expect(await addressesIn(page, 'solana')).toEqual([solanaAddress(lane.account)])
  const message = new TextEncoder().encode('Let me in.')
  const signed = await request(page, 'solana', 'solana_signMessage', { message: base58.encode(message) })
  await page.press(/^Approve$/)
  expect(isSignedBy(lane.account, message, resultOf(await signed(), 'signature'))).toBe(true)

  const to = newSolanaAddress()
  const transaction = await transfer('versioned', { from: solanaAddress(lane.account), to, amount: 3_000_000 })
  const sent = await request(page, 'solana', 'solana_signAndSendTransaction', { transaction })
  await page.press(/^Approve$/)
  expect(await outcomeOf(resultOf(await sent(), 'signature'))).toBe(null)
  expect(await lamports(to)).toBe(3_000_000)

  await page.reload()
  await untilLoaded(page)
  await untilStatus(page, 'solana', 'connected')
})

test('@engines a Bitcoin wallet connects, signs, pays, and returns', async ({ browserPage: page, open, lane }) => {
  const address = bitcoinAddress(lane.account)
  await open({ networks: bitcoinNetwork, wallets: [bitcoinWallet(lane.account)] })
  await connect(page, 'Devnet Bitcoin Wallet')
  await untilStatus(page, 'bip122', 'connected')
  const signed = await request(page, 'bip122', 'bip122_signMessage', { address, message: 'Let me in.' })
  await page.press(/^Approve$/)
  expect(isMessageSignedBy(lane.account, 'payment', 'Let me in.', resultOf(await signed(), 'signature'))).toBe(true)

  const recipientAddress = bitcoinAddress(9)
  await fund(address, 100_000)
  const sent = await request(page, 'bip122', 'bip122_sendTransfer', { recipientAddress, amount: '20000' })
  await page.press(/^Approve$/)
  const txid = resultOf(await sent(), 'txid')
  await mine()
  expect(await paidTo(txid, recipientAddress)).toBe(20_000)

  await page.reload()
  await untilLoaded(page)
  await untilStatus(page, 'bip122', 'connected')
})

test('@engines two tabs agree on the connection and its end', async ({ browserPage: page, open }) => {
  const url = await open()
  const other = await page.newTab()
  await other.goto(url)
  await untilLoaded(other)
  await connect(page, 'Devnet Wallet')
  await untilStatus(page, 'eip155', 'connected')
  await untilStatus(other, 'eip155', 'connected')
  await other.run(z.null(), async () => {
    await window.Postern?.disconnect()
    return null
  })
  await untilStatus(page, 'eip155', 'disconnected')
})

test('@engines the first click of a fresh browser opens the modal, 20 times', async ({
  gateway,
  sites,
  lane,
  webKit,
}) => {
  const url = sites.serve('dapp', '/', dappPage({ host: gateway.origin, wallets: [devnetWallet(lane.account)] }))
  for (let visit = 0; visit < 20; visit++) {
    const driver = await webKit.open()
    try {
      const page = await WebKitPage.current(driver)
      await page.goto(url)
      await page.press(/^Connect wallet$/)
      await expect.poll(() => page.modal.has('dialog', /^Connect/), `visit ${visit}`).toBe(true)
    } finally {
      await driver.stop()
    }
  }
})

test('@engines email without localStorage: signs, and a reload loses nothing but the sign-in', async ({
  gateway,
  sites,
  webKit,
}) => {
  const driver = await webKit.open(['--enable-html5-local-storage=false'])
  try {
    const page = await WebKitPage.current(driver)
    await page.goto(sites.serve('dapp', '/', dappPage({ host: gateway.origin, wallets: [], networks: allChains })))
    await untilLoaded(page)
    // Not an error, as in other browsers, but null.
    expect(await page.run(z.boolean(), () => window.localStorage === null)).toBe(true)
    const address = await signInByEmail(page)
    const waiting = await request(page, 'eip155', 'personal_sign', [toHex('Hello'), address])
    const popup = await openWindow(page)
    await expect.poll(() => popup.text()).toContain('Hello')
    await approveIn(popup)
    expect(await node.verifyMessage({ address, message: 'Hello', signature: hexOf(await waiting()) })).toBe(true)
    await page.reload()
    await untilLoaded(page)
    await expect.poll(() => statusIn(page, 'eip155')).toMatch(/^(connected|disconnected)$/)
    await page.run(z.null(), async () => {
      await window.Postern?.open({ view: 'Connect' })
      return null
    })
    await expect.poll(() => page.modal.has('dialog', /^Connect/)).toBe(true)
  } finally {
    await driver.stop()
  }
})

/** Until animations have ended. */
async function atRest(frame: WebKitPage): Promise<void> {
  const isAtRest = () =>
    document
      .getAnimations()
      .every(({ effect, playState }) => playState !== 'running' || effect?.getComputedTiming().iterations === Infinity)
  await expect.poll(() => frame.run(z.boolean(), isAtRest)).toBe(true)
}

test('@engines nothing is lost at 400 % zoom, nor at a width of 320 pixels', async ({
  browserPage,
  sites,
  gateway,
  lane,
}) => {
  const wallets = [devnetWallet(lane.account)]
  const dapp = sites.serve('dapp', '/', dappPage({ host: gateway.origin, wallets }))
  for (const height of [200, 568]) {
    // A window has a smallest size, a frame has none.
    const frame = `<iframe src="${dapp}" width="320" height="${height}" style="border:0"></iframe>`
    await browserPage.goto(sites.serve('dapp', '/zoomed', frame))
    const page = browserPage.frame(/\/\/dapp\.localhost/)
    const inspect = async (view: string) => {
      await atRest(page.modal)
      expect
        .soft(await page.modal.run(z.array(z.string()), faultsOfDocument, false), `${view}, ${height} pixels high`)
        .toEqual([])
    }
    await untilLoaded(page)
    await page.press(/^Connect wallet$/)
    await expect.poll(() => page.modal.has('button', /^Devnet Wallet/)).toBe(true)
    // WebKit lets a frame of another site move the focus only after a key or a press in it.
    await page.keys([tabKey])
    await inspect('Connect')
    await page.modal.press(/^All wallets/)
    await expect.poll(() => page.modal.has('button', /^MetaMask/)).toBe(true)
    await inspect('All wallets')
    await page.modal.press(/^Back$/)
    await page.modal.press(/^Devnet Wallet/)
    await page.press(/^Approve$/)
    await untilStatus(page, 'eip155', 'connected')
    for (const view of ['Account', 'Send'] as const) {
      await page.run(
        z.null(),
        async (view) => {
          await window.Postern?.open({ view })
          return null
        },
        view,
      )
      await expect.poll(() => page.modal.has('dialog', new RegExp(`^${view}$`))).toBe(true)
      await inspect(view)
    }
    await page.run(z.null(), async () => {
      await window.Postern?.disconnect()
      return null
    })
  }
})
