/** Failures and attacks around the wallet’s frame: requests settle once, and only the modal is listened to. */
import { type Address, createTestClient, http, isAddress, parseEther, publicActions, toHex } from 'viem'
import { allChains, dappPage } from './support/dapp'
import {
  approveRequest,
  askAndApprove,
  bytesOf,
  codeField,
  codeOf,
  newEvmAddress,
  shown,
  signedIn,
  typeCode,
  typeEmail,
  walletFrame,
} from './support/embedded'
import { newAddress, nextMail } from './support/mailbox'
import { address, card, inDapp, openConnect, request, statusIn, untilDrawn } from './support/postern'
import { expect, test } from './support/test'

const chain = createTestClient({ mode: 'anvil', transport: http('http://127.0.0.1:8545') }).extend(publicActions)
const value = parseEther('0.25')
const namespaces = ['eip155', 'solana', 'bip122'] as const

const received = (recipient: Address) => chain.getBalance({ address: recipient })

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

test('@embedded the wallet’s frame listens only to the modal around it', async ({ page, gateway, sites }) => {
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
    const answered = page.waitForResponse(sdk('demo'))
    await page.goto(sites.serve('evil', '/named', `<iframe src="${sdk('demo')}"></iframe>`))
    expect((await answered).status()).toBe(404)
  })

  await test.step('a page that opens it as a window', async () => {
    const opener = `<meta name="referrer" content="no-referrer">${stranger('return globalThis.opened ? [opened] : []')}`
    await page.goto(sites.serve('evil', '/opener', opener))
    const popup = page.waitForEvent('popup')
    await page.evaluate(`globalThis.opened = open(${JSON.stringify(sdk('demo'))}); undefined`)
    await (await popup).waitForLoadState()
    await page.bringToFront()
    const before = await tries()
    await expect.poll(tries).toBeGreaterThan(before + 20)
    expect(await fromWallet()).toEqual([])
    await (await popup).close()
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
  test.setTimeout(240_000)
  await visit({ wallets: [], networks: allChains })
  const { eip155: from } = await signedIn(page)
  await chain.setBalance({ address: from, value: parseEther('2') })
  const to = newEvmAddress()
  const send = () => request(page, 'eth_sendTransaction', [{ from, to, value: toHex(value) }])
  const reload = () => walletFrame(page)?.evaluate(() => void setTimeout(() => location.reload(), 0))
  const ended = { code: expect.any(Number), message: expect.stringContaining('has ended') }

  await test.step('before the approval', async () => {
    const waiting = send()
    await shown(page, waiting)
    await reload()
    expect(await waiting).toMatchObject(ended)
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
    await reload()
    expect(await waiting).toMatchObject(ended)
    await page.unroute('**/v1/bundler?*')
    expect(await received(to)).toBe(0n)
  })

  await test.step('only the next request is sent', async () => {
    const outcome = await askAndApprove(page, send())
    expect(await chain.waitForTransactionReceipt({ hash: bytesOf(outcome) })).toMatchObject({ status: 'success' })
    expect(await received(to)).toBe(value)
    expect(await address(page)).toBe(from)
  })
})

test('@embedded the gateway restarts, and the network is cut', async ({ page, visit, gateway }) => {
  test.setTimeout(240_000)
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
  await chain.setBalance({ address: from, value: parseEther('2') })
  const to = newEvmAddress()
  const send = () => request(page, 'eth_sendTransaction', [{ from, to, value: toHex(value) }])

  await test.step('between showing the request and the approval', async () => {
    const outcome = await askAndApprove(page, send(), restart)
    await chain.waitForTransactionReceipt({ hash: bytesOf(outcome) })
    expect(await received(to)).toBe(value)
    await expect(card(page)).toBeHidden()
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
    await expect(card(page)).toBeHidden()
  })

  await test.step('only the next request is sent', async () => {
    const outcome = await askAndApprove(page, send())
    await chain.waitForTransactionReceipt({ hash: bytesOf(outcome) })
    expect(await received(to)).toBe(2n * value)
  })
})
