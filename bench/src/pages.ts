/** The dapp pages that are measured. All speak to the gateway as a real dapp does: by its script tag or its npm bundle. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Sites } from './sites'

const client = 'packages/client-sdk/dist'

/** A wallet that answers nothing: the list shows it, and nobody connects it here. */
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

const echo = `
addEventListener('message', ({ ports: [port] }) => { if (port) port.onmessage = ({ data }) => port.postMessage(data) })
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
  sites.pages.set('/echo', html(`<script>${echo}</script>`, ''))
  for (const file of readdirSync(client).filter((name) => name.endsWith('.js'))) {
    sites.pages.set(`/client/${file}`, { type: 'text/javascript', body: readFileSync(path.join(client, file), 'utf8') })
  }
}
