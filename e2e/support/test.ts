/** `test` with Postern's fixtures: a gateway and websites per worker. */
import { type BrowserContext, test as base, type Page } from '@playwright/test'
import type { StorageMode } from './chromium'
import { type Dapp, dappPage, devnetWallet } from './dapp'
import { expect } from './expect'
import { withoutMediaEmulation } from './firefox'
import { createGateway, type Gateway, type SeededProject } from './gateway'
import { openWallet, type PhoneOptions } from './mobile-wallet'
import { type Sites, startSites } from './sites'

/** Accounts (nonces) and ports that no other worker uses. */
export type Lane = {
  readonly gatewayPort: number
  readonly sitesPort: number
  /** For tests that stop their gateway's relay, or need their own gateway. */
  readonly ownGatewayPort: number
  readonly relayPort: number
  readonly webkitPort: number
  /** Of the own gateway's admin API. */
  readonly adminPort: number
  /** For tests that need their own EVM chain. */
  readonly chainPort: number
  /** For tests that need their own Bitcoin chain. */
  readonly bitcoinPort: number
  /** Indexes in the devnet's mnemonic. */
  readonly account: number
  readonly otherAccount: number
}

type WorkerFixtures = { storageMode: StorageMode; lane: Lane; gateway: Gateway; sites: Sites }
type TestFixtures = {
  pageErrors: string[]
  clean: undefined
  shown: undefined
  pointerAway: undefined
  /** Behind the modal; default: no. */
  hasBlur: boolean
  withoutBlur: undefined
  /** By default with one devnet wallet; returns the URL. */
  visit: (dapp?: Partial<Dapp>) => Promise<string>
  /** With this worker's account. */
  phone: (options?: Partial<PhoneOptions>) => Promise<Page>
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  storageMode: ['denied', { option: true, scope: 'worker' }],

  browser: [
    async ({ browser, browserName }, use) => {
      if (browserName === 'firefox') withoutMediaEmulation(browser)
      await use(browser)
    },
    { scope: 'worker' },
  ],

  lane: [
    async ({ browserName: _browserName }, use, { parallelIndex }) => {
      await use({
        gatewayPort: 4700 + parallelIndex,
        sitesPort: 4720 + parallelIndex,
        ownGatewayPort: 4710 + parallelIndex,
        relayPort: 4730 + parallelIndex,
        webkitPort: 4740 + parallelIndex,
        adminPort: 4750 + parallelIndex,
        chainPort: 4760 + parallelIndex,
        bitcoinPort: 4770 + parallelIndex,
        account: 1 + 2 * parallelIndex,
        otherAccount: 2 + 2 * parallelIndex,
      })
    },
    { scope: 'worker' },
  ],

  sites: [
    async ({ lane }, use) => {
      const sites = await startSites(lane.sitesPort)
      await use(sites)
      await sites.close()
    },
    { scope: 'worker' },
  ],

  gateway: [
    async ({ lane }, use) => {
      const gateway = await createGateway(lane.gatewayPort, projects(lane.sitesPort))
      try {
        await gateway.start()
        await use(gateway)
      } finally {
        await gateway.remove()
      }
    },
    { scope: 'worker' },
  ],

  visit: async ({ page, gateway, sites, lane }, use) => {
    await use(async (dapp) => {
      const address = sites.serve(
        'dapp',
        '/',
        dappPage({ host: gateway.origin, wallets: [devnetWallet(lane.account)], ...dapp }),
      )
      await page.goto(address)
      await page.waitForFunction(() => 'Postern' in window)
      return address
    })
  },

  phone: async ({ browser, lane }, use) => {
    const contexts: BrowserContext[] = []
    await use(async (options) => {
      const context = await browser.newContext({ viewport: { width: 420, height: 900 } })
      contexts.push(context)
      return openWallet(context, { account: lane.account, ...options })
    })
    for (const context of contexts) await context.close()
  },

  pageErrors: async ({ context }, use) => {
    const errors: string[] = []
    watchErrors(context, errors)
    await use(errors)
  },

  /**
   * A new window of Chromium reports a mouse at rest in its corner, now before and now after the page has loaded, and the
   * SDK takes the mouse for a present user. The user of a test comes with the first event of the test.
   */
  pointerAway: [
    async ({ context }, use) => {
      await context.addInitScript(() => {
        if (window.top !== window) return
        const ignore = (event: Event) => {
          const isAtRest =
            event instanceof PointerEvent && event.isTrusted && event.movementX === 0 && event.movementY === 0
          if (isAtRest && event.screenX === 0 && event.screenY === 0) event.stopImmediatePropagation()
        }
        for (const type of ['pointerover', 'pointerenter', 'pointermove']) window.addEventListener(type, ignore, true)
      })
      await use(undefined)
    },
    { auto: true },
  ],

  hasBlur: [false, { option: true }],

  /** Without a GPU, the blur behind the modal takes a sixth of the CPU time of all tests. */
  withoutBlur: [
    async ({ context, hasBlur }, use) => {
      if (!hasBlur)
        await context.addInitScript(() => {
          if (!location.host.startsWith('modal.postern.')) return
          const sheet = new CSSStyleSheet()
          sheet.replaceSync('* { backdrop-filter: none !important }')
          document.adoptedStyleSheets = [sheet]
        })
      await use(undefined)
    },
    { auto: true },
  ],

  /** What every frame showed when a test failed, for a log without its pictures. */
  shown: [
    async ({ browser }, use, testInfo) => {
      await use(undefined)
      if (testInfo.status === testInfo.expectedStatus) return
      const pages = browser.contexts().flatMap((context) => context.pages())
      for (const frame of pages.flatMap((page) => page.frames())) {
        const body = frame.locator('body')
        const drawn = await body.ariaSnapshot({ timeout: 2_000 }).catch(() => '')
        if (drawn === '') continue
        const focus = await body.evaluate(
          ({ ownerDocument: page }) => `${page.hasFocus()}, ${page.activeElement?.tagName}`,
        )
        process.stderr.write(`${testInfo.title}\n${frame.url()} (focus: ${focus})\n${drawn.slice(0, 2_000)}\n`)
      }
    },
    { auto: true },
  ],

  /** Fails on uncaught errors; a test that expects some clears `pageErrors`. */
  clean: [
    async ({ pageErrors }, use) => {
      await use(undefined)
      expect(pageErrors, 'uncaught errors').toEqual([])
    },
    { auto: true },
  ],
})

export { expect }

/** Firefox reports its own request of an icon as an error of a page whose policy allows no images. */
const firefoxFavicon = /^Content-Security-Policy: .*\(img-src\) at http:\/\/[^ ]+\/favicon\.ico because/

/** Firefox reports a message that it keeps from a window of another origin. The wallet's window tries every frame. */
const firefoxOtherOrigin = /^Failed to execute ‘postMessage’ on ‘DOMWindow’: The target origin provided/

function watchErrors(context: BrowserContext, errors: string[]): void {
  context.on('weberror', (error) => {
    const { message, stack = message } = error.error()
    if (![firefoxFavicon, firefoxOtherOrigin].some((pattern) => pattern.test(stack))) errors.push(stack)
  })
}

const withoutMoney = { swaps: false, onramp: false, receive: false, send: false, history: false } as const

function projects(port: number): SeededProject[] {
  const at = (name: string) => `http://${name}.localhost:${port}`
  // The wallet's frame shows approvals only on exactly listed pages.
  const dapps = { allowedOrigins: [at('dapp'), at('app')], defaultAncestors: true } as const
  return [
    { id: 'demo', name: 'Any development origin', ...dapps },
    { id: 'mobile', name: 'With WalletConnect', ...dapps, walletConnect: 'devnet' },
    {
      id: 'sessions',
      name: 'With smart sessions',
      ...dapps,
      features: { smartSessions: true },
    },
    {
      id: 'terms',
      name: 'With terms to accept',
      ...dapps,
      features: { legalCheckbox: true },
    },
    {
      id: 'pay',
      name: 'With payments',
      ...dapps,
      walletConnect: 'devnet',
      features: { pay: true },
    },
    {
      id: 'bare',
      name: 'Without any feature',
      ...dapps,
      features: { ...withoutMoney, email: false, socials: [], analytics: false },
    },
    {
      id: 'consent',
      name: 'With analytics as by default',
      ...dapps,
      analytics: {},
    },
    {
      id: 'first',
      name: 'Asks how to recover first',
      ...dapps,
      recoveryChoice: 'first',
    },
    {
      id: 'hardened',
      name: 'With a passkey or passphrase',
      ...dapps,
      recovery: 'hardened',
    },
    { id: 'exact', name: 'One origin', allowedOrigins: [at('app')], defaultAncestors: false },
    { id: 'window', name: 'Always in the window', ...dapps, approvals: { place: 'window' } },
    { id: 'limit', name: 'In the window above a value', ...dapps, approvals: { windowAboveUsd: 100 } },
    { id: 'trusted', name: 'A trusted origin', ...dapps, approvals: { trustedOrigins: [at('dapp')] } },
    { id: 'wildcard', name: 'One label', allowedOrigins: [at('*.wild')], defaultAncestors: false },
  ]
}
