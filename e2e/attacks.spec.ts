/** Attacks on the page link. */
import { readFile } from 'node:fs/promises'
import { dappPage, devnetWallet } from './support/dapp'
import { approve, card, chooseWallet, connect, inDapp, modal, opening, status } from './support/postern'
import { plainInit, rawPage, shakeHands } from './support/raw-link'
import { expect, test } from './support/test'

test.describe('raw messages over the link, from an allowed page', () => {
  test('@main @connect malformed parameters are refused', async ({ page, gateway, sites }) => {
    await page.goto(sites.serve('dapp', '/raw', rawPage(gateway.origin, 'demo')))
    const link = await shakeHands(page)
    await link.ask('init', plainInit)
    const odd = [
      { view: 'constructor' },
      { view: 7 },
      { extra: 1 },
      [],
      'x',
      7,
      { view: { toString: 'x' } },
      'x'.repeat(1_000_000),
    ]
    for (const params of odd) expect((await link.ask('open', params)).error?.code).toBe('INVALID_PARAMS')
    expect((await link.ask('rpc', { namespace: '__proto__', method: 'eth_call' })).error?.code).toBe('INVALID_PARAMS')
    expect((await link.ask('switchNetwork', { network: 'x'.repeat(100) })).error?.code).toBe('INVALID_PARAMS')
    expect((await link.ask('ping')).kind).toBe('result')
  })

  test('@main @connect malformed messages are dropped without harm', async ({ page, gateway, sites }) => {
    await page.goto(sites.serve('dapp', '/raw', rawPage(gateway.origin, 'demo')))
    const link = await shakeHands(page)
    await link.ask('init', plainInit)
    const before = (await link.received()).length
    await page.evaluate(() => {
      const port: unknown = Reflect.get(window, 'link').port
      if (!(port instanceof MessagePort)) throw new Error('No port.')
      const circle: Record<string, unknown> = { v: 1, kind: 'request', id: 'circle', method: 'ping' }
      circle.self = circle
      let deep: unknown = null
      for (let level = 0; level < 2_000; level++) deep = [deep]
      const odd: unknown[] = [
        undefined,
        null,
        7,
        NaN,
        10n,
        'x'.repeat(5_000_000),
        [],
        new Map([[{}, new Set([1])]]),
        new ArrayBuffer(1_000_000),
        new Blob(['x']),
        new Error('x'),
        circle,
        deep,
        { v: 2, id: 'a', kind: 'request', method: 'ping' },
        { v: 1, id: '', kind: 'request', method: 'ping' },
        { v: 1, id: 'x'.repeat(65), kind: 'request', method: 'ping' },
        { v: 1, id: 'a', kind: 'constructor' },
        { v: 1, id: 'a', kind: 'result', result: 1 },
        { v: 1, id: 'a', kind: 'error', error: { code: 'X', message: 'x' } },
        { v: 1, id: 'a', kind: 'cancel' },
        { v: 1, id: 'a', kind: 'event', event: '__proto__', data: {} },
        { v: 1, id: 'a', kind: 'event', event: 'pageWallets', data: { pageWallets: [{ __proto__: null }] } },
        {
          v: 1,
          id: 'a',
          kind: 'event',
          event: 'walletEvent',
          data: { wallet: 'x', event: 'accountsChanged', data: [{}] },
        },
      ]
      for (const message of odd) port.postMessage(message)
    })
    expect((await link.ask('ping')).kind).toBe('result')
    const answers = (await link.received()).slice(before)
    expect(answers.filter(({ kind }) => kind === 'result')).toHaveLength(1)
  })

  test('@smoke @main @connect a request sent twice under one id runs once', async ({ page, gateway, sites }) => {
    await page.goto(sites.serve('dapp', '/raw', rawPage(gateway.origin, 'demo')))
    const link = await shakeHands(page)
    await link.ask('init', plainInit)
    const reads: string[] = []
    page.on('request', (request) => {
      reads.push(...((request.postData() ?? '').match(/eth_gasPrice/g) ?? []))
    })
    const twice = {
      v: 1,
      id: 'twice',
      kind: 'request',
      method: 'rpc',
      params: { namespace: 'eip155', method: 'eth_gasPrice' },
    }
    await link.send(twice)
    await link.send(twice)
    const answers = async () => (await link.received()).filter(({ id }) => id === 'twice')
    await expect.poll(answers).not.toHaveLength(0)
    await link.ask('ping')
    await link.send(twice)
    await link.ask('ping')
    expect(reads).toHaveLength(1)
    for (const answer of await answers())
      expect(answer).toMatchObject({ kind: 'result', result: expect.stringMatching(/^0x/) })
  })

  test('@main @connect an SDK of an incompatible version gets one clear error', async ({ page, gateway, sites }) => {
    await page.goto(sites.serve('dapp', '/raw', rawPage(gateway.origin, 'demo')))
    await expect.poll(() => page.evaluate('knocks.length')).toBe(1)
    await page.evaluate(`globalThis.future = hello({ type: 'postern:hello', v: 99, min: 99, sdk: 'future' })`)
    await expect
      .poll(() => page.evaluate('future.heard'))
      .toMatchObject([{ kind: 'refused', error: { code: 'VERSION_MISMATCH' } }])
  })
})

const forger = `<!doctype html><title>Forger</title><script>
  const heard = []
  const messages = []
  let tries = 0
  addEventListener('message', (event) => messages.push({ data: event.data, ports: event.ports.length }))
  function targets() {
    const found = []
    for (const root of [window, parent, top, opener].filter((each, index, all) => each && all.indexOf(each) === index)) {
      try {
        for (let index = 0; index < root.length; index++) if (root[index] !== window) found.push(root[index])
      } catch {}
      if (root !== window) found.push(root)
    }
    return found
  }
  function forge() {
    for (const target of targets()) {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = ({ data }) => heard.push(data)
      // '*' throughout: this is the attacker, who does not care who hears it.
      target.postMessage({ type: 'postern:hello', v: 1, min: 1, sdk: 'forged' }, '*', [port2])
      target.postMessage('postern:ready', '*')
      target.postMessage({ kind: 'welcome', v: 1, host: 'forged' }, '*')
      target.postMessage({ v: 1, id: 'forged', kind: 'event', event: 'state', data: { seq: 1e9, open: true } }, '*')
      tries++
    }
    requestAnimationFrame(forge)
  }
  forge()
</script>`

test.describe('forged messages', () => {
  test('@main @connect a hostile sibling gets no welcome, before, during or after the handshake', async ({
    page,
    gateway,
    sites,
  }) => {
    const evil = sites.serve('evil', '/', forger)
    await page.goto(
      sites.serve('dapp', '/raw', rawPage(gateway.origin, 'demo', `<iframe id="evil" src="${evil}"></iframe>`)),
    )
    const frame = page.frame({ url: evil })
    expect(frame).not.toBeNull()
    const tries = () => frame?.evaluate<number>('tries') ?? Promise.resolve(0)
    await expect.poll(tries).toBeGreaterThan(10)
    const link = await shakeHands(page)
    expect((await link.ask('init', plainInit)).kind).toBe('result')
    const then = await tries()
    await expect.poll(tries).toBeGreaterThan(then + 20)
    expect((await link.ask('ping')).kind).toBe('result')
    const heard = (await frame?.evaluate<{ kind?: string }[]>('heard')) ?? []
    expect(heard.filter(({ kind }) => kind !== 'refused')).toEqual([])
  })

  test('@connect a hostile sibling of the SDK gets nothing and changes nothing', async ({
    page,
    gateway,
    sites,
    lane,
  }) => {
    const evil = sites.serve('evil', '/', forger)
    const body = `<postern-button></postern-button><iframe id="evil" src="${evil}"></iframe>`
    await page.goto(
      sites.serve('dapp', '/', dappPage({ host: gateway.origin, wallets: [devnetWallet(lane.account)], body })),
    )
    const frame = page.frame({ url: evil })
    await expect.poll(() => frame?.evaluate<number>('tries') ?? 0).toBeGreaterThan(10)
    await connect(page)
    expect(await frame?.evaluate('messages')).toEqual([])
    expect(
      ((await frame?.evaluate<{ kind?: string }[]>('heard')) ?? []).filter(({ kind }) => kind !== 'refused'),
    ).toEqual([])
  })

  test('@connect a hostile frame below the dapp’s own frames gets nothing', async ({ page, gateway, sites }) => {
    const evil = sites.serve('evil', '/', forger)
    const between = sites.serve('dapp', '/between', `<iframe src="${evil}"></iframe>`)
    await page.goto(sites.serve('dapp', '/raw', rawPage(gateway.origin, 'demo', `<iframe src="${between}"></iframe>`)))
    const link = await shakeHands(page)
    expect((await link.ask('init', plainInit)).kind).toBe('result')
    const frame = page.frame({ url: evil })
    await expect.poll(() => frame?.evaluate<number>('tries') ?? 0).toBeGreaterThan(10)
    const heard = (await frame?.evaluate<{ kind?: string }[]>('heard')) ?? []
    expect(heard.filter(({ kind }) => kind !== 'refused')).toEqual([])
  })

  test('@connect a hostile opener of the dapp gets nothing', async ({ page, gateway, sites }) => {
    const dapp = sites.serve('dapp', '/raw', rawPage(gateway.origin, 'demo'))
    await page.goto(sites.serve('evil', '/', '<title>Opener</title>'))
    const openByHand = (dapp: string) => {
      const heard: unknown[] = []
      const opened = window.open(dapp)
      const state = { heard, tries: 0 }
      Object.assign(window, { state })
      const forge = () => {
        // A cross-origin window throws for a missing frame.
        const target = opened?.length ? opened[0] : undefined
        if (target !== undefined) {
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = ({ data }) => heard.push(data)
          // '*' on purpose: this is the attacker.
          target.postMessage({ type: 'postern:hello', v: 1, min: 1, sdk: 'forged' }, '*', [port2])
          state.tries++
        }
        // A background opener has no animation frames.
        // real time: the attacker’s own loop
        setTimeout(forge, 5)
      }
      forge()
    }
    const popup = await opening(page, () => page.evaluate(openByHand, dapp))
    const link = await shakeHands(popup)
    expect((await link.ask('init', plainInit)).kind).toBe('result')
    await expect.poll(() => page.evaluate<number>('state.tries')).toBeGreaterThan(20)
    expect((await page.evaluate<{ kind?: string }[]>('state.heard')).filter(({ kind }) => kind !== 'refused')).toEqual(
      [],
    )
    expect((await link.ask('ping')).kind).toBe('result')
  })

  test('@main @connect a parent whose origin is not allowed is refused on its own port', async ({
    page,
    gateway,
    sites,
  }) => {
    await page.route(`${gateway.origin}/?*`, async (route) => {
      const { referer: _, ...headers } = await route.request().allHeaders()
      // Node does not resolve `*.localhost`.
      const url = route.request().url().replace('modal.postern.localhost', '127.0.0.1')
      const response = await route.fetch({
        url,
        headers: { ...headers, host: `modal.postern.localhost:${gateway.port}` },
      })
      const { 'content-security-policy': policy = '', ...rest } = response.headers()
      expect(policy).toContain('frame-ancestors')
      // Like a browser without frame-ancestors.
      const open = policy.replace(/frame-ancestors[^;]*;?/, '')
      await route.fulfill({ response, headers: { ...rest, 'content-security-policy': open } })
    })
    await page.goto(sites.serve('evil', '/raw', rawPage(gateway.origin, 'exact')))
    await expect.poll(() => page.evaluate('knocks.length')).toBe(1)
    await page.evaluate('globalThis.forged = hello()')
    await expect
      .poll(() => page.evaluate('forged.heard'))
      .toMatchObject([{ kind: 'refused', error: { code: 'ORIGIN_NOT_ALLOWED' }, origin: sites.origin('evil') }])
  })
})

test.describe('strict pages', () => {
  test('@main @connect a page with a strict policy connects without violating it', async ({
    page,
    gateway,
    sites,
    lane,
  }) => {
    const guide = await readFile(new URL('../docs/guides/content-security-policy.md', import.meta.url), 'utf8')
    const [, recommended = ''] = /^Content-Security-Policy: (.*?)^```/ms.exec(guide) ?? []
    const policy = [
      recommended
        .replaceAll('https://modal.example.com', gateway.origin)
        .replace("default-src 'self'", "default-src 'none'"),
      "base-uri 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
    ]
      .join('; ')
      // Where the page wallet sends, which plays an extension.
      .replace('connect-src', 'connect-src http://127.0.0.1:8545 http://127.0.0.1:8546')
      .replace(/\s+/g, ' ')
    await page.addInitScript(() => {
      const violations: string[] = []
      Object.assign(window, { violations })
      document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
        violations.push(`${violatedDirective} ${blockedURI}`),
      )
    })
    const inFrames: string[] = []
    page.on('console', (message) => {
      if (/Content Security Policy|Permissions Policy|TrustedHTML/i.test(message.text())) inFrames.push(message.text())
    })
    const body = dappPage({
      host: gateway.origin,
      wallets: [devnetWallet(lane.account)],
      body: '<main><postern-button></postern-button><postern-network-button></postern-network-button></main>',
    })
    await page.goto(sites.serve('dapp', '/', { headers: { 'content-security-policy': policy }, body }))
    await connect(page)
    await expect(page.locator('postern-network-button img')).toHaveAttribute('src', /^data:image/)
    expect(await page.evaluate('violations')).toEqual([])
    expect(inFrames).toEqual([])
  })

  for (const [what, headers] of [
    ['Cross-Origin-Opener-Policy: same-origin', { 'cross-origin-opener-policy': 'same-origin' }],
    [
      'cross-origin isolation',
      { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' },
    ],
  ] as const) {
    test(`@connect a page with ${what} connects`, async ({ page, gateway, sites, lane }) => {
      const body = dappPage({ host: gateway.origin, wallets: [devnetWallet(lane.account)] })
      await page.goto(sites.serve('dapp', '/', { headers, body }))
      await connect(page)
      expect(await status(page)).toBe('connected')
    })
  }

  test('@connect a script that makes all top-level elements inert does not lock the user out', async ({
    page,
    visit,
  }) => {
    await visit()
    await page.evaluate(() => {
      // Like a password manager's own window.
      new MutationObserver(() => {
        for (const element of document.documentElement.children) {
          if (element === document.head || element.hasAttribute('data-hit')) continue
          element.setAttribute('data-hit', '')
          element.setAttribute('inert', '')
          element.setAttribute('aria-hidden', 'true')
        }
      }).observe(document.documentElement, { childList: true, subtree: true })
    })
    await inDapp(page, (postern) => postern.open())
    await chooseWallet(page, 'Devnet Wallet')
    await expect(modal(page).getByText(/Continue in|to continue/)).toBeVisible()
  })

  test('@connect a page that removes the dialog from the document gets it back', async ({ page, visit }) => {
    await visit()
    const connected = inDapp(page, (postern) => postern.connect().then(({ status }) => status))
    await expect(card(page, 'Connect')).toBeVisible()
    await page.evaluate(() => document.querySelector('postern-frame')?.remove())
    await chooseWallet(page, 'Devnet Wallet')
    await approve(page)
    expect(await connected).toBe('connected')
    await expect(card(page)).toBeHidden()
  })
})
