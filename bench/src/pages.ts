/** The measured pages, by script tag or npm bundle like real dapps. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import * as z from 'zod/mini'
import { doneMark } from './quiet-browser'
import type { Sites } from './sites'

const client = 'packages/client-sdk/dist'

/** Listed, but never responds. */
const announceWallet = `
const detail = Object.freeze({
  info: Object.freeze({ uuid: crypto.randomUUID(), name: 'Bench Wallet', rdns: 'example.bench',
    icon: 'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg"/%3E' }),
  provider: { request: async () => [], on() {}, removeListener() {} },
})
const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
addEventListener('eip6963:requestProvider', announce)
announce()`

const html = (head: string, body: string) => ({
  type: 'text/html; charset=utf-8',
  body: `<!doctype html><html lang="en"><head><title>Bench</title>${head}</head><body>${body}</body></html>`,
})

/** Epoch ms. */
export const PageReport = z.object({
  /** Navigation or click. */
  began: z.number(),
  /** The SDK, or the app of the page, takes clicks. */
  ready: z.number(),
  /** The first row was painted. */
  row: z.number(),
})
export type PageReport = z.infer<typeof PageReport>

/** Writes a {@link PageReport} into the title when the first row was painted. */
const reportRow = `
const benchNow = () => performance.timeOrigin + performance.now()
let benchBegan = performance.timeOrigin
let benchReady = 0
addEventListener('postern:ready', () => { benchReady ||= benchNow() })
const benchDone = (row) => {
  document.title = ${JSON.stringify(doneMark)} + JSON.stringify({ began: benchBegan, ready: benchReady, row })
}
let benchFrame
addEventListener('message', ({ data }) => {
  if (!data?.benchRowAt) return
  benchFrame = data
  benchDone(data.benchRowAt)
})
const benchLoads = () => {
  const entries = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  const own = { origin: performance.timeOrigin, entries: entries.map((entry) => entry.toJSON()) }
  return (benchFrame ? [own, benchFrame] : [own]).map(({ origin, entries }) => entries.map((entry) => ({
    url: entry.name,
    began: origin + entry.startTime,
    sent: entry.requestStart && origin + entry.requestStart,
    answered: entry.responseStart && origin + entry.responseStart,
    ended: origin + entry.responseEnd,
  })))
}`

/** Resources of the page, then those of its frame, epoch ms, 0 if hidden. */
export const PageLoads = z.array(
  z.array(z.object({ url: z.string(), began: z.number(), sent: z.number(), answered: z.number(), ended: z.number() })),
)
export type PageLoads = z.infer<typeof PageLoads>

/** The same for a list in the page itself. */
const reportOwnRow = `
const look = () => {
  if (document.querySelector('[data-row]') === null) return void requestAnimationFrame(look)
  const painted = new MessageChannel()
  painted.port1.onmessage = () => benchDone(benchNow())
  painted.port2.postMessage(null)
}
look()`

/** After a second of idle time: `prepare`, a script; then the click, `delayMs` later. */
const clickLater = (prepare = '', delayMs = 0) => `
addEventListener('load', () => setTimeout(() => {
  ${prepare}
  setTimeout(() => {
    benchBegan = benchNow()
    document.getElementById('open').click()
  }, ${delayMs})
}, 1000))`

const clickAtOnce = `
const click = () => {
  const button = document.getElementById('open')
  if (button === null) return void requestAnimationFrame(click)
  benchReady = benchNow()
  button.click()
}
click()`

const echo = `
addEventListener('message', ({ ports: [port] }) => { if (port) port.onmessage = ({ data }) => port.postMessage(data) })
// '*': the parent page belongs to the measurement, and the message is a constant.
parent.postMessage('ready', '*')`

export function addPages(sites: Sites, gateway: string): void {
  const configuration = `data-project-id="bench" data-networks="ethereum"`
  const tag = `<script src="${gateway}/postern.js" ${configuration} async></script>`
  const button =
    '<button id="open" onclick="window.Postern?.open()">Connect</button><button id="close" onclick="window.Postern?.close()">Close</button>'
  sites.pages.set('/empty', html('', button))
  sites.pages.set('/dapp', html(`<script>${announceWallet}</script>${tag}`, button))
  sites.pages.set(
    '/clicked-at-once',
    html(
      `<script>${announceWallet};addEventListener('postern:ready', () => window.Postern.open(), { once: true })</script>${tag}`,
      '',
    ),
  )
  // Without a driver: they report their own time.
  const report = `<script>${reportRow}</script>`
  const openWhenReady = "addEventListener('postern:ready', () => window.Postern.open(), { once: true })"
  const clicked = (click: string) =>
    html(`${report}<script>${announceWallet}</script>${tag}`, `${button}<script>${click}</script>`)
  sites.pages.set('/cold-click', clicked(clickLater()))
  sites.pages.set('/presence-click', clicked(clickLater("dispatchEvent(new Event('scroll'))", 1_000)))
  sites.pages.set('/hover-click', clicked(clickLater('Postern.prewarm()', 150)))
  sites.pages.set('/cold-navigation', html(`${report}<script>${announceWallet};${openWhenReady}</script>${tag}`, ''))
  sites.pages.set(
    '/without-sdk',
    html(`<script>${announceWallet}</script>${report}`, `${button}<script>benchDone(0)</script>`),
  )
  sites.pages.set(
    '/empty-navigation',
    html(
      `${report}<script>addEventListener('load', () => { benchReady = benchNow(); benchDone(benchReady) })</script>`,
      '',
    ),
  )
  sites.pages.set('/echo', html(`<script>${echo}</script>`, ''))
  const list = (click: string) =>
    html(
      `<script>${announceWallet}</script>${report}`,
      `<div id="root"></div><script>${reportOwnRow};${click}</script><script src="/wagmi-list.js"></script>`,
    )
  sites.pages.set('/wagmi-click', list(clickLater()))
  sites.pages.set('/wagmi-navigation', list(clickAtOnce))
  for (const file of readdirSync(client).filter((name) => name.endsWith('.js'))) {
    sites.pages.set(`/client/${file}`, { type: 'text/javascript', body: readFileSync(path.join(client, file), 'utf8') })
  }
}
