/** 1,000 tokens and 10,000 transactions: rows in the document, and paint time after a scroll. */
import type { Browser, Frame, Route } from '@playwright/test'
import { modalFrame, newVisitor } from './browser'
import { limits } from './limits'
import type { Sites } from './sites'
import { median, percentile } from './statistics'
import type { Line } from './table'

type Setting = { readonly browser: Browser; readonly sites: Sites; readonly dapp: string; readonly gateway: string }

const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const tokens = 1_000
const transactions = 10_000
const pageSize = 250

const wallet = `
const answers = { eth_requestAccounts: ['${address}'], eth_accounts: ['${address}'], eth_chainId: '0x1' }
const provider = {
  async request({ method }) {
    if (method in answers) return answers[method]
    throw Object.assign(new Error('No such method'), { code: -32601 })
  },
  on() {}, removeListener() {},
}
const info = { uuid: crypto.randomUUID(), name: 'Bench Wallet', rdns: 'example.bench',
  icon: 'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg"/%3E' }
const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }))
addEventListener('eip6963:requestProvider', announce)
announce()`

export async function largeAccount({ browser, sites, dapp, gateway }: Setting): Promise<Line[]> {
  const tag = `<script src="${gateway}/postern.js" data-project-id="bench" data-networks="ethereum" async></script>`
  sites.pages.set('/account', {
    type: 'text/html; charset=utf-8',
    body: `<!doctype html><html lang="en"><head><title>Bench</title><script>${wallet}</script>${tag}</head>
      <body><button id="open" onclick="window.Postern.open()">Connect</button></body></html>`,
  })
  const context = await newVisitor(browser)
  await context.route(/\/v1\/account\/[^/]+\/balance/, (route) => route.fulfill({ json: { balances } }))
  await context.route(/\/v1\/account\/[^/]+\/history/, historyPage)
  await context.route(/\/v1\/identity\//, (route) => route.fulfill({ json: { name: null, avatar: null } }))
  const page = await context.newPage()
  await page.goto(`${dapp}/account`)
  await page.waitForFunction(() => 'Postern' in window)
  const card = page.frameLocator('iframe').getByRole('dialog')
  await page.locator('#open').click()
  await card.getByRole('button', { name: 'Bench Wallet' }).click()
  await card.waitFor({ state: 'hidden' })
  await page.locator('#open').click()
  const frame = modalFrame(page, gateway)

  await card.getByRole('button', { name: /^All tokens/ }).click()
  await card.getByRole('region', { name: 'Tokens' }).waitFor()
  const ofTokens = await goDown(frame, tokens)
  await card.getByRole('button', { name: 'Back' }).click()

  await card.getByRole('tab', { name: 'Activity' }).click()
  await card.getByRole('button', { name: 'All activity' }).click()
  await card.getByRole('region', { name: 'Activity' }).waitFor()
  const ofActivity = await goDown(frame, transactions)
  await context.close()
  return [...linesOf('1,000 tokens', ofTokens), ...linesOf('10,000 transactions', ofActivity)]
}

type Descent = { readonly max: number; readonly times: readonly number[] }

/** Scrolls a growing list to its end, timing each step until painted. */
async function goDown(frame: Frame, lines: number): Promise<Descent> {
  return frame.evaluate(async (expected) => {
    const lineHeight = 56
    const step = 1_200
    const scroller = document.querySelector('[role=dialog] section')
    if (scroller === null) throw new Error('The page has no list')
    const painted = () =>
      new Promise<void>((resolve) => {
        requestAnimationFrame(() => {
          const channel = new MessageChannel()
          channel.port1.onmessage = () => resolve()
          channel.port2.postMessage(null)
        })
      })
    const times: number[] = []
    let max = 0
    const deadline = performance.now() + 120_000
    const isDone = () =>
      scroller.scrollHeight >= expected * lineHeight &&
      scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 1
    while (!isDone()) {
      if (performance.now() > deadline) throw new Error(`The list ended at ${scroller.scrollHeight} px`)
      const began = performance.now()
      scroller.scrollTop += step
      await painted()
      times.push(performance.now() - began)
      max = Math.max(max, document.querySelectorAll('[data-line]').length)
    }
    return { max, times }
  }, lines)
}

function linesOf(what: string, { max, times }: Descent): Line[] {
  const note = `median of ${times.length} to the painted frame; 95 of 100 in ${percentile(times, 0.95).toFixed(0)} ms`
  return [
    {
      what: `${what}: rows in the document`,
      measured: max,
      unit: 'rows',
      budget: limits.rowsInDocument,
      note: 'maximum while scrolling to the end',
    },
    { what: `${what}: a step down the list`, measured: median(times), unit: 'ms', budget: limits.step, note },
  ]
}

const balances = Array.from({ length: tokens }, (_, index) => ({
  name: `Token ${index + 1}`,
  symbol: `T${index + 1}`,
  chainId: 'eip155:1',
  address: `eip155:1:0x${index.toString(16).padStart(40, '0')}`,
  price: tokens - index,
  quantity: { decimals: '18', numeric: '1.5' },
  iconUrl: '',
}))

function historyPage(route: Route): Promise<void> {
  const start = Number(new URL(route.request().url()).searchParams.get('cursor') ?? '0')
  const next = start + pageSize
  const data = Array.from({ length: pageSize }, (_, at) => transaction(start + at))
  return route.fulfill({ json: { data, next: next < transactions ? String(next) : null } })
}

function transaction(index: number) {
  const isOut = index % 3 === 0
  return {
    id: `t${index}`,
    metadata: {
      operationType: isOut ? 'send' : 'receive',
      hash: `0x${index.toString(16).padStart(64, '0')}`,
      status: 'confirmed',
      sentFrom: address,
      sentTo: address,
      minedAt: new Date(Date.now() - index * 7_200_000).toISOString(),
      chain: 'eip155:1',
    },
    transfers: [
      { fungible_info: { symbol: 'ETH' }, direction: isOut ? 'out' : 'in', quantity: { numeric: `${index}.5` } },
    ],
  }
}
