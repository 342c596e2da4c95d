/** Dapps link to `/wc?uri=…`. */
import { createMobileWallet, type MobileWallet } from '../mobile-wallet'
import { pageStore } from '../storage'
import { showWallet } from './view'

declare global {
  interface Window {
    /** For tests and the console. */
    devnetMobileWallet?: MobileWallet
  }
}

const defaultRelay = 'ws://127.0.0.1:8550'

const query = new URLSearchParams(location.search)
const relayUrl = query.get('relay') ?? defaultRelay
const account = query.get('account')
const main = document.querySelector('main')
if (main === null) throw new Error('The page has no <main>.')

try {
  const wallet = await createMobileWallet({
    relayUrl,
    store: pageStore(localStorage),
    url: `${location.origin}/`,
    ...(account !== null && { account: Number(account) }),
  })
  showWallet(main, wallet, relayUrl)
  window.devnetMobileWallet = wallet
  const uri = query.get('uri')
  if (uri !== null) {
    // A pairing link works once.
    query.delete('uri')
    const rest = query.size === 0 ? '' : `?${query}`
    history.replaceState(null, '', `/${rest}`)
    await wallet.pair(uri).catch(() => undefined)
  }
} catch (cause) {
  main.textContent = `The wallet could not be opened: ${cause instanceof Error ? cause.message : String(cause)}`
}
