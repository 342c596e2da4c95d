/** Failures and attacks around the wallet’s frame: requests settle once, and only the modal is listened to. */
import type { Page, Route } from '@playwright/test'
import { type Address, isAddress, parseEther, toHex } from 'viem'
import { installClock, skipPolls } from './support/clock'
import { allChains, dappPage } from './support/dapp'
import {
  accountsOf,
  approveRequest,
  askAndApprove,
  bytesOf,
  codeField,
  codeOf,
  newEvmAddress,
  reloadWalletFrame,
  shown,
  signedIn,
  typeCode,
  typeEmail,
  walletFrame,
} from './support/embedded'
import { newAddress, nextMail } from './support/mailbox'
import { evm } from './support/money'
import {
  address,
  card,
  inDapp,
  openConnect,
  opening,
  request,
  requestIn,
  statusIn,
  untilDrawn,
} from './support/postern'
import { expect, test } from './support/test'

const value = parseEther('0.25')
const namespaces = ['eip155', 'solana', 'bip122'] as const

const received = (recipient: Address) => evm.getBalance({ address: recipient })

/** Says hello to `targets()` on every animation frame; records all responses. */
const stranger = (targets: string) => `<script>
  const heard = []
  const messages = []
  const sources = new Set()
  let tries = 0
  addEventListener('message', ({ data, origin, source }) => {
    messages.push({ data, origin })
    sources.add(source)
  })
  function targets() { ${targets} }
  function forge() {
    for (const target of targets()) {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = ({ data }) => heard.push(data)
      // '*' throughout: this is the attacker, who does not care who hears it.
      target.postMessage({ type: 'postern:wallet-hello', v: 1 }, '*', [port2])
      port1.postMessage({ id: 'by-port', type: '@w3m-app/IS_CONNECTED' })
      target.postMessage({ id: 'by-hand', type: '@w3m-app/IS_CONNECTED' }, '*')
      target.postMessage({ id: 'by-hand', type: '@w3m-app/SIGN_OUT' }, '*')
      target.postMessage('postern:wallet-ready', '*')
      tries++
    }
    requestAnimationFrame(forge)
  }
  forge()
</script>`

test('@main @embedded the wallet’s frame listens only to the modal around it', async ({ page, gateway, sites }) => {
  const walletOrigin = gateway.origin.replace('//modal.', '//wallet.')
  const sdk = (project: string) => `${walletOrigin}/sdk?projectId=${project}&chainId=31337&version=4&enableLogger=false`
  const tries = () => page.evaluate<number>('tries')
  const fromWallet = async () => {
    const messages = await page.evaluate<{ origin: string }[]>('messages')
    return [...(await page.evaluate<unknown[]>('heard')), ...messages.filter(({ origin }) => origin === walletOrigin)]
  }

  await test.step('a page that embeds it without a Referer', async () => {
    const frames = ['demo', 'exact'].map(
      (project) => `<iframe name="${project}" src="${sdk(project)}" referrerpolicy="no-referrer"></iframe>`,
    )
    await page.goto(sites.serve('evil', '/', `${frames.join('')}${stranger('return Array.from(window)')}`))
    // Any development origin may embed the modal; the page finds none around itself.
    const open = page.frame({ name: 'demo' })
    expect(await open?.evaluate(() => document.getElementById('postern-wallet') !== null)).toBe(true)
    await expect.poll(() => page.frame({ name: 'exact' })?.url()).toContain('chrome-error:')
    const before = await tries()
    await expect.poll(tries).toBeGreaterThan(before + 40)
    expect(await fromWallet()).toEqual([])
  })

  await test.step('a page that embeds it with a Referer gets a 404', async () => {
    const [answer] = await Promise.all([
      page.waitForResponse(sdk('demo')),
      page.goto(sites.serve('evil', '/named', `<iframe src="${sdk('demo')}"></iframe>`)),
    ])
    expect(answer.status()).toBe(404)
  })

  await test.step('a page that opens it as a window', async () => {
    const opener = `<meta name="referrer" content="no-referrer">${stranger('return globalThis.opened ? [opened] : []')}`
    await page.goto(sites.serve('evil', '/opener', opener))
    const popup = await opening(page, () =>
      page.evaluate(`globalThis.opened = open(${JSON.stringify(sdk('demo'))}); undefined`),
    )
    await popup.waitForLoadState()
    await page.bringToFront()
    const before = await tries()
    await expect.poll(tries).toBeGreaterThan(before + 20)
    expect(await fromWallet()).toEqual([])
    await popup.close()
  })

  await test.step('the dapp around the modal, before the modal contacts the frame', async () => {
    const below = `const found = []
      for (const { length, frames } of sources) for (let index = 0; index < length; index++) found.push(frames[index])
      return found`
    const head = stranger(below)
    await page.goto(
      sites.serve('dapp', '/', dappPage({ host: gateway.origin, wallets: [], networks: allChains, head })),
    )
    await openConnect(page)
    const visitor = newAddress()
    await typeEmail(page, visitor)
    await nextMail(visitor)
    const before = await tries()
    await expect.poll(tries).toBeGreaterThan(before + 20)
    expect(await fromWallet()).toEqual([])
  })

  await test.step('the frame runs in its own process: the browser’s tools attach to it separately', async () => {
    const frame = walletFrame(page)
    if (frame === undefined) throw new Error('The wallet’s frame is not there.')
    await (await page.context().newCDPSession(frame)).detach()
  })
})

test('@embedded @storage the wallet’s frame dies during a request', async ({ page, visit, storageMode }) => {
  await installClock(page)
  await visit({ wallets: [], networks: allChains })
  const { eip155: from } = await signedIn(page)
  await evm.setBalance({ address: from, value: parseEther('2') })
  const to = newEvmAddress()
  const send = () => request(page, 'eth_sendTransaction', [{ from, to, value: toHex(value) }])

  await test.step('before the approval', async () => {
    const waiting = send()
    await shown(page, waiting)
    await reloadWalletFrame(page)
    expect(await waiting).toMatchObject({ code: 4900, message: expect.stringContaining('has ended') })
    await expect(card(page)).toContainText('The request was interrupted. Nothing was sent.')
    await page.clock.fastForward(6_000)
    await expect(card(page)).toBeHidden()
    expect(await received(to)).toBe(0n)
  })

  if (storageMode === 'denied') {
    // It was only in memory.
    for (const namespace of namespaces) await expect.poll(() => statusIn(page, namespace)).toBe('disconnected')
    await openConnect(page)
    return
  }

  await test.step('while sending to the chain', async () => {
    const isSending = new Promise<void>((resolve) => {
      void page.route('**/v1/bundler?*', async (route) => {
        if (route.request().postData()?.includes('eth_sendUserOperation')) resolve()
        else await route.continue()
      })
    })
    const waiting = send()
    await shown(page, waiting)
    await approveRequest(page)
    await isSending
    await reloadWalletFrame(page)
    expect(await waiting).toMatchObject({ code: -32002, message: expect.stringContaining('its outcome is unknown') })
    await expect(card(page)).toContainText('It may still go through. Check the explorer before sending again.')
    await page.unroute('**/v1/bundler?*')
    expect(await received(to)).toBe(0n)
  })

  await test.step('nothing else is sent while another tab could be sending that request', async () => {
    expect(await send()).toMatchObject({ message: expect.stringContaining('still under way') })
    await page.clock.fastForward(60_000)
  })

  await test.step('only the next request is sent', async () => {
    const outcome = await askAndApprove(page, send())
    expect(await evm.waitForTransactionReceipt({ hash: bytesOf(outcome) })).toMatchObject({ status: 'success' })
    expect(await received(to)).toBe(value)
    expect(await address(page)).toBe(from)
  })
})

test('@embedded the gateway restarts, and the network is cut', async ({ page, visit, gateway }) => {
  await installClock(page)
  await visit({ wallets: [], networks: allChains })
  const restart = async () => {
    await gateway.stop()
    await gateway.start()
  }

  await test.step('between the code email and the code', async () => {
    await openConnect(page)
    const visitor = newAddress()
    await typeEmail(page, visitor)
    const mail = await nextMail(visitor)
    await untilDrawn(codeField(page))
    await restart()
    await typeCode(page, codeOf(mail))
    for (const namespace of namespaces)
      await expect.poll(() => statusIn(page, namespace), { timeout: 60_000 }).toBe('connected')
    await inDapp(page, (postern) => postern.close())
    await expect(card(page)).toBeHidden()
  })

  const from = await address(page)
  if (from === null || !isAddress(from)) throw new Error('No account is connected.')
  await evm.setBalance({ address: from, value: parseEther('2') })
  const to = newEvmAddress()
  const send = () => request(page, 'eth_sendTransaction', [{ from, to, value: toHex(value) }])

  await test.step('between showing the request and the approval', async () => {
    const outcome = await askAndApprove(page, send(), restart)
    await evm.waitForTransactionReceipt({ hash: bytesOf(outcome) })
    expect(await received(to)).toBe(value)
    await skipPolls(page, () => expect(card(page)).toBeHidden())
  })

  await test.step('no network after the approval', async () => {
    const isWallet = ({ host }: URL) => host.startsWith('wallet.postern.')
    const waiting = send()
    await shown(page, waiting)
    await page.route(isWallet, (route) => route.abort('internetdisconnected'))
    await approveRequest(page)
    await expect(card(page)).toContainText('Can’t reach the wallet service')
    expect(await waiting).toMatchObject({ message: expect.stringContaining('Can’t reach the wallet service') })
    await page.unroute(isWallet)
    expect(await received(to)).toBe(value)
    await skipPolls(page, () => expect(card(page)).toBeHidden())
  })

  await test.step('only the next request is sent', async () => {
    const outcome = await askAndApprove(page, send())
    await evm.waitForTransactionReceipt({ hash: bytesOf(outcome) })
    expect(await received(to)).toBe(2n * value)
  })
})

/** Each ends one request of a load; the next one gets through. */
const failures: Readonly<Record<string, (route: Route) => Promise<void>>> = {
  'a server error': (route) => route.fulfill({ status: 500 }),
  'a restart': (route) => route.fulfill({ status: 503, body: 'Service Unavailable' }),
  'a rate limit': (route) => route.fulfill({ status: 429, headers: { 'retry-after': '2' } }),
  'a reset connection': (route) => route.abort('connectionreset'),
}

/** The wallet's calls to the gateway while the page loads again. */
async function callsOfLoad(page: Page): Promise<readonly string[]> {
  const paths = new Set<string>()
  const onRequest = (asked: { method(): string; url(): string }) => {
    const { host, pathname } = new URL(asked.url())
    if (asked.method() === 'POST' && host.startsWith('wallet.postern.')) paths.add(pathname)
  }
  page.on('request', onRequest)
  await page.reload()
  await accountsOf(page)
  page.off('request', onRequest)
  return [...paths]
}

test('@embedded @weather one failed answer of the gateway while the page loads signs no user out (spec §4)', async ({
  page,
  visit,
}) => {
  await installClock(page)
  await visit({ wallets: [], networks: allChains })
  const accounts = await signedIn(page)
  const calls = await callsOfLoad(page)
  expect(calls).toEqual(expect.arrayContaining(['/auth/session', '/wallet']))
  for (const path of calls)
    for (const [failure, fail] of Object.entries(failures))
      await test.step(`${path}: ${failure}`, async () => {
        const failed: string[] = []
        const isPath = ({ host, pathname }: URL) => host.startsWith('wallet.postern.') && pathname === path
        await page.route(
          isPath,
          async (route) => {
            failed.push(path)
            await fail(route)
          },
          { times: 1 },
        )
        await page.reload()
        await expect.poll(() => failed).toEqual([path])
        const seen = new Set<string>()
        let skippedMs = 0
        const statuses = async () => {
          const found = await Promise.all(namespaces.map((namespace) => statusIn(page, namespace)))
          for (const status of found) seen.add(status)
          return found
        }
        // What a slow machine needs for the load counts as no wait for the gateway.
        await expect(async () => {
          try {
            await expect.poll(statuses, { timeout: 1_000 }).toEqual(namespaces.map(() => 'connected'))
          } catch (error) {
            skippedMs += 500
            await page.clock.fastForward(500)
            throw error
          }
        }).toPass({ intervals: [0], timeout: 60_000 })
        expect(seen).not.toContain('disconnected')
        expect(skippedMs).toBeLessThanOrEqual(5_000)
        expect(await accountsOf(page)).toEqual(accounts)
      })
})

test('@embedded @weather a payment that no network lets prepare asks to try again, and is then made', async ({
  page,
  visit,
}) => {
  await visit({ wallets: [], networks: allChains })
  const { eip155, bip122 } = await signedIn(page)
  await evm.setBalance({ address: eip155, value: parseEther('10') })
  const isChain = ({ host, pathname }: URL) => host.startsWith('wallet.postern.') && pathname.startsWith('/v1/')
  const answers: Readonly<Record<string, (route: Route) => Promise<void>>> = {
    'a failing node': (route) => route.fulfill({ status: 500, body: '' }),
    'a page': (route) => route.fulfill({ contentType: 'text/html', body: '<html></html>' }),
    'a cut line': (route) => route.abort('connectionreset'),
  }
  for (const [what, answer] of Object.entries(answers))
    await test.step(`${what}: Try again, then Approve`, async () => {
      const to = newEvmAddress()
      await page.route(isChain, answer)
      const sent = request(page, 'eth_sendTransaction', [{ from: eip155, to, value: toHex(value) }])
      const approval = await shown(page, sent)
      await expect(approval.getByText(/^Can’t reach \S/)).toBeVisible()
      await expect(approval.getByRole('button', { name: 'Approve', exact: true })).toBeHidden()
      await page.unroute(isChain, answer)
      await approval.getByRole('button', { name: 'Try again' }).click()
      await approveRequest(page)
      bytesOf(await sent)
      await expect.poll(() => received(to)).toBe(value)
    })
  await test.step('Bitcoin: Decline', async () => {
    await page.route(isChain, (route) => route.fulfill({ status: 500, body: '' }))
    const params = { recipientAddress: bip122, amount: '20000' }
    const sent = requestIn(page, 'bip122', 'bip122_sendTransfer', params)
    const approval = await shown(page, sent)
    await expect(approval.getByText(/^Can’t reach \S/)).toBeVisible()
    await approval.getByRole('button', { name: 'Decline' }).click()
    expect(await sent).toMatchObject({ code: 4001 })
  })
})
