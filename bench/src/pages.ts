/** The measured pages, by script tag or npm bundle like real dapps. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
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

/** Writes the ms from `benchBegan` to the first painted row into the title. */
const reportRow = `
let benchBegan = performance.timeOrigin
const benchDone = (ms) => { document.title = ${JSON.stringify(doneMark)} + JSON.stringify(ms) }
addEventListener('message', ({ data }) => { if (data?.benchRowAt) benchDone(data.benchRowAt - benchBegan) })`

/** The same for a list in the page itself. */
const reportOwnRow = `
const look = () => {
  if (document.querySelector('[data-row]') === null) return void requestAnimationFrame(look)
  const painted = new MessageChannel()
  painted.port1.onmessage = () => benchDone(performance.timeOrigin + performance.now() - benchBegan)
  painted.port2.postMessage(null)
}
look()`

/** After a second of idle time: `prepare`, a script; then the click, `delayMs` later. */
const clickLater = (prepare = '', delayMs = 0) => `
addEventListener('load', () => setTimeout(() => {
  ${prepare}
  setTimeout(() => {
    benchBegan = performance.timeOrigin + performance.now()
    document.getElementById('open').click()
  }, ${delayMs})
}, 1000))`

const clickAtOnce = `
const click = () => {
  const button = document.getElementById('open')
  if (button === null) return void requestAnimationFrame(click)
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
    html(`<script>${announceWallet}</script>${tag}${report}`, `${button}<script>${click}</script>`)
  sites.pages.set('/cold-click', clicked(clickLater()))
  sites.pages.set('/presence-click', clicked(clickLater("dispatchEvent(new Event('scroll'))", 1_000)))
  sites.pages.set('/hover-click', clicked(clickLater('Postern.prewarm()', 150)))
  sites.pages.set('/cold-navigation', html(`<script>${announceWallet};${openWhenReady}</script>${tag}${report}`, ''))
  sites.pages.set(
    '/without-sdk',
    html(`<script>${announceWallet}</script>${report}`, `${button}<script>benchDone(0)</script>`),
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
