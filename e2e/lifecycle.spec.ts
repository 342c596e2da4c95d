/** One instance per page, nothing left behind, every request settles once. */
import type { CDPSession, Page } from '@playwright/test'
import { watchFromOutside } from './support/bystander'
import {
  approve,
  card,
  chooseWallet,
  connect,
  connectButton,
  inDapp,
  openConnect,
  pageAlert,
  press,
  reloadFrame,
  status,
  walletPrompt,
  walletRow,
} from './support/postern'
import { expect, test } from './support/test'

const untilMissed = 60_000

const frames = (page: Page) => page.locator('postern-frame iframe')

test.describe('one instance', () => {
  test('@connect two script tags are one instance and one frame', async ({ page, visit, gateway }) => {
    await visit({
      head: `<script src="${gateway.origin}/postern.js" data-project-id="demo" data-networks="eip155:31337 eip155:31338" async></script>`,
    })
    await connect(page)
    await expect(frames(page)).toHaveCount(1)
  })

  test('@main @connect nothing is loaded before the user shows intent', async ({ page, visit, gateway }) => {
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().startsWith(gateway.origin)) asked.push(new URL(request.url()).pathname)
    })
    await visit()
    await expect(connectButton(page)).toBeVisible()
    await untilIdle(page)
    expect(asked).toEqual(['/postern.js'])
    await expect(frames(page)).toHaveCount(0)
    await connectButton(page).hover()
    await expect(frames(page)).toHaveCount(1)
    await expect(card(page)).toBeHidden()
  })

  test('@connect the frame of a visitor who scrolls is ready before the click', async ({ page, visit }) => {
    await visit({ body: '<main style="height: 300vh"><postern-button></postern-button></main>' })
    await expect(connectButton(page)).toBeVisible()
    await untilIdle(page)
    await expect(frames(page)).toHaveCount(0)
    await expect(async () => {
      await page.mouse.wheel(0, 10)
      await expect(frames(page)).toHaveCount(1, { timeout: 500 })
    }).toPass()
    await page.waitForFunction(() => window.Postern?.getSnapshot().phase === 'ready')
    await expect(card(page)).toBeHidden()
    await connectButton(page).click()
    await expect(walletRow(page, 'Devnet Wallet')).toBeVisible()
    await expect(frames(page)).toHaveCount(1)
  })

  test('@main @connect destroy() leaves no frame, element, style sheet, listener or timer', async ({
    page,
    visit,
    context,
  }) => {
    await page.addInitScript(countTimers)
    await visit({ body: '<h1>A dapp without buttons</h1>', wallets: [] })
    const session = await context.newCDPSession(page)
    const ours = new Set<string>()
    session.on('Debugger.scriptParsed', ({ scriptId, url }) => {
      if (url.endsWith('/postern.js')) ours.add(scriptId)
    })
    await session.send('Debugger.enable')
    const remains = () => remainsOf(page, session, ours)
    expect(await remains()).not.toMatchObject({ listeners: [] })
    await inDapp(page, (postern) => postern.destroy())
    const clean = await remains()
    // Fully used, then destroyed.
    await page.reload()
    await page.waitForFunction(() => 'Postern' in window)
    await inDapp(page, (postern) => postern.open())
    await expect(card(page, 'Connect')).toBeVisible()
    await inDapp(page, (postern) => postern.destroy())
    await expect.poll(remains).toEqual(clean)
    expect(clean.frames).toBe(0)
    expect(clean.elements).toEqual([])
    expect(clean.timers).toBe(0)
    expect(clean.listeners).toEqual([])
  })
})

test.describe('failures', () => {
  test('@main @connect the frame’s process dies during a wallet request: asked once, settled once', async ({
    page,
    visit,
  }) => {
    await visit()
    const bystander = await watchFromOutside(page)
    await bystander.evaluate(`globalThis.outcomes = [];
      globalThis.settled = Postern.connect().then(({ status }) => outcomes.push(status), ({ code }) => outcomes.push(code));
      undefined`)
    await walletRow(page, 'Devnet Wallet').click({ trial: true })
    const row = await walletRow(page, 'Devnet Wallet').boundingBox()
    await chooseWallet(page, 'Devnet Wallet')
    await expect(walletPrompt(page)).toBeVisible()
    await bystander.crashModal()
    const prompts = `document.querySelectorAll('devnet-wallet-prompt').length`
    expect(await bystander.evaluate(prompts)).toBe(1)
    await bystander.evaluate(
      `document.querySelector('devnet-wallet-prompt').shadowRoot.querySelector('[value=yes]').click()`,
    )
    // After the press the row's place is empty, and a second press would leave the view: press again only if the frame
    // was gone or not drawn yet.
    await expect
      .poll(
        async () => {
          await bystander.click(row)
          return bystander.evaluate(
            // real time: ends a try whose promise may never settle; the poll repeats it
            'Promise.race([settled, new Promise((resolve) => setTimeout(resolve, 15_000))]).then(() => outcomes)',
          )
        },
        { timeout: untilMissed },
      )
      .toEqual(['connected'])
    expect(await bystander.evaluate(prompts)).toBe(0)
  })

  test('@connect the frame reloads while connect() waits: the user continues, and it settles once', async ({
    page,
    visit,
    gateway,
  }) => {
    await visit()
    const settled = inDapp(page, (postern) => {
      const outcomes: unknown[] = []
      Object.assign(window, { outcomes })
      return postern.connect().then(
        (connection) => outcomes.push(connection.status),
        (error: { code: string }) => outcomes.push(error.code),
      )
    })
    await expect(card(page, 'Connect')).toBeVisible()
    await reloadFrame(page.frames().find((each) => each.url().startsWith(gateway.origin)))
    await chooseWallet(page, 'Devnet Wallet')
    await approve(page)
    await settled
    expect(await page.evaluate('outcomes')).toEqual(['connected'])
  })

  test('@connect the gateway restarts during a wallet request: the request continues', async ({
    page,
    visit,
    gateway,
  }) => {
    await visit()
    await openConnect(page)
    await chooseWallet(page, 'Devnet Wallet')
    await expect(walletPrompt(page)).toBeVisible()
    await gateway.stop()
    await gateway.start()
    await approve(page)
    await expect(card(page)).toBeHidden()
    await expect.poll(() => status(page)).toBe('connected')
  })

  test('@connect a read fails once with a message while the gateway is down; the next one succeeds', async ({
    page,
    visit,
    gateway,
  }) => {
    await visit({ wallets: [] })
    const read = () =>
      inDapp(page, (postern) =>
        postern.eip155.request({ method: 'eth_gasPrice' }).then(
          () => 'answered',
          (error: { code: unknown; message: string }) => error,
        ),
      )
    expect(await read()).toBe('answered')
    await gateway.stop()
    try {
      expect(await read()).not.toBe('answered')
    } finally {
      await gateway.start()
    }
    expect(await read()).toBe('answered')
  })

  test('@main @connect without the gateway, the page reports that the frame did not load; a retry works (spec §8)', async ({
    page,
    visit,
    gateway,
  }) => {
    await visit()
    await gateway.stop()
    try {
      await connectButton(page).click()
      await expect(pageAlert(page)).toContainText('Network Error - Could not load embedded wallet')
      await expect(card(page)).toBeHidden()
      const opened = inDapp(page, (postern) => postern.open().catch(({ code }: { code: unknown }) => code))
      expect(await opened).toBe('LOAD_FAILED')
    } finally {
      await gateway.start()
    }
    await press(pageAlert(page).getByRole('button', { name: /try again/i }))
    await expect(card(page, 'Connect')).toBeVisible()
    await expect(pageAlert(page)).toBeHidden()
  })

  test('@connect @weather a view whose file is missing keeps the card open, with a retry', async ({ page, visit }) => {
    await visit()
    await connect(page)
    const assets = ({ host, pathname }: URL) => host.startsWith('modal.postern.') && pathname.startsWith('/assets/')
    await page.route(assets, (route) => route.fulfill({ status: 404 }))
    await inDapp(page, (postern) => postern.open({ view: 'Receive' }))
    await expect(card(page)).toContainText('Couldn’t load this screen')
    await press(card(page).getByRole('button', { name: 'Try again' }))
    await expect(card(page)).toContainText('Couldn’t load this screen')
    await page.unroute(assets)
    await press(card(page).getByRole('button', { name: 'Try again' }))
    await expect(card(page, 'Receive')).toContainText('0x')
  })

  test.describe('by npm, when the code of the modal is gone, as after a deployment of the dapp', () => {
    const code = /\/client\/modal-[^/]+\.js/
    const npmPage = (host: string) => `<!doctype html><title>Npm</title><body><button>Connect</button>
      <script type="module">
        import { createPostern } from '/client/index.js'
        const options = { projectId: 'demo', networks: ['eip155:31337'], host: ${JSON.stringify(host)}, prewarm: 'off' }
        globalThis.Postern = createPostern(options)
        document.querySelector('button').onclick = () => Postern.open().catch(() => {})
      </script>`

    test('@connect one failure is not noticed', async ({ page, gateway, sites }) => {
      const urls: string[] = []
      await page.route(code, (route) => {
        urls.push(route.request().url())
        return urls.length === 1 ? route.fulfill({ status: 404 }) : route.continue()
      })
      await page.goto(sites.serve('dapp', '/npm', npmPage(gateway.origin)))
      await connectButton(page).click()
      await expect(card(page, 'Connect')).toBeVisible()
      expect(new Set(urls).size).toBe(2)
    })

    test('@main @connect Connect says so, by keyboard too, and a later try loads it', async ({
      page,
      gateway,
      sites,
    }) => {
      await page.goto(sites.serve('dapp', '/npm', npmPage(gateway.origin)))
      await page.route(code, (route) => route.fulfill({ status: 404 }))
      await connectButton(page).click()
      await expect(pageAlert(page)).toContainText('Couldn’t load the wallet.')
      await page.keyboard.press('Escape')
      await expect(pageAlert(page)).toBeHidden()
      await expect(connectButton(page)).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(pageAlert(page).getByRole('button', { name: 'Try again' })).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(pageAlert(page)).toHaveCount(1)
      await page.unroute(code)
      await pageAlert(page).getByRole('button', { name: 'Try again' }).click()
      await expect(card(page, 'Connect')).toBeVisible()
      await expect(pageAlert(page)).toHaveCount(0)
    })
  })

  test('@connect @weather a connection of an earlier visit outlives a gateway that is down', async ({
    page,
    visit,
    gateway,
  }) => {
    await visit()
    await connect(page)
    // The script itself is in the browser’s cache, or comes from a network that delivers it.
    const frame = `${gateway.origin}/?*`
    await page.route(frame, (route) => route.abort('connectionrefused'))
    await page.reload()
    await page.waitForFunction(() => 'Postern' in window)
    await expect.poll(() => status(page), { timeout: 60_000 }).toBe('reconnecting')
    await page.unroute(frame)
    await page.evaluate(() => window.dispatchEvent(new Event('online')))
    await expect.poll(() => status(page)).toBe('connected')
  })

  test('@connect Escape and a press beside the card leave a frame that never responds', async ({
    page,
    visit,
    gateway,
  }) => {
    await page.route(`${gateway.origin}/?*`, () => {})
    await visit()
    await connectButton(page).click()
    await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('status', { name: 'Loading' })).toBeHidden()
    await expect(connectButton(page)).toBeFocused()
    // The second of a double press is ignored.
    await connectButton(page).dblclick()
    await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible()
    await expect(async () => {
      await page.mouse.click(5, 5)
      await expect(page.getByRole('status', { name: 'Loading' })).toBeHidden({ timeout: 100 })
      // Long before the frame itself is given up.
    }).toPass({ timeout: 8_000 })
  })
})

/** Twice, so that what waited for the first time has run. */
async function untilIdle(page: Page): Promise<void> {
  await page.evaluate(() => {
    // A busy browser may never call it idle.
    const idle = () => new Promise((done) => requestIdleCallback(done, { timeout: 2_000 }))
    return idle()
      .then(idle)
      .then(() => {})
  })
}

function countTimers(): void {
  const running = new Set<unknown>()
  const { setTimeout: set, clearTimeout: clear, setInterval: repeat, clearInterval: stop } = window
  Object.assign(window, {
    running,
    // real time: counts the timers of the page
    setTimeout(callback: () => void, delay?: number) {
      const id = set(() => {
        running.delete(id)
        callback()
      }, delay)
      running.add(id)
      return id
    },
    clearTimeout(id: number) {
      running.delete(id)
      clear(id)
    },
    // real time: counts the timers of the page
    setInterval(callback: () => void, delay?: number) {
      const id = repeat(callback, delay)
      running.add(id)
      return id
    },
    clearInterval(id: number) {
      running.delete(id)
      stop(id)
    },
  })
}

type Remains = { frames: number; elements: string[]; sheets: number; timers: number; listeners: string[] }

async function remainsOf(page: Page, session: CDPSession, scripts: ReadonlySet<string>): Promise<Remains> {
  const rest = await page.evaluate(() => {
    const running: unknown = Reflect.get(window, 'running')
    return {
      frames: document.querySelectorAll('iframe').length,
      elements: [...document.querySelectorAll('*')]
        .map(({ localName }) => localName)
        .filter((name) => name.startsWith('postern-')),
      sheets: document.adoptedStyleSheets.length,
      timers: running instanceof Set ? running.size : -1,
    }
  })
  const listeners: string[] = []
  for (const expression of [
    'window',
    'document',
    'document.documentElement',
    'document.body',
    'matchMedia("(prefers-color-scheme: dark)")',
  ]) {
    const { result } = await session.send('Runtime.evaluate', { expression })
    if (result.objectId === undefined) continue
    const found = await session.send('DOMDebugger.getEventListeners', { objectId: result.objectId })
    for (const { type, scriptId } of found.listeners) if (scripts.has(scriptId)) listeners.push(`${expression} ${type}`)
  }
  return { ...rest, listeners: listeners.sort() }
}
