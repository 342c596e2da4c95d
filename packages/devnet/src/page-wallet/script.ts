/**
 * `page-wallet.js`: a classic script that puts one wallet into the page, set up by its `data-` attributes. Without a script tag
 * of its own (injected before the page, say) it only defines `installDevnetWallet`.
 */
import { announce } from './announce'
import { connectNode } from './node'
import { parseWalletOptions, readScriptOptions, type WalletOptions, type WalletOptionsInput } from './options'
import { createPrompt } from './prompt'
import { storageKey } from './state'
import { createPageWallet, type WalletControls } from './wallet'

export type { WalletControls }

declare global {
  interface Window {
    /** The wallets' owners' side, by rdns. */
    devnetWallets?: Record<string, WalletControls>
    /** Puts one more wallet into the page, or gives the controls of the one that has this rdns already. */
    installDevnetWallet?: (options?: WalletOptionsInput) => WalletControls
  }
}

function install(options: WalletOptions): WalletControls {
  window.devnetWallets ??= {}
  const wallets = window.devnetWallets
  const installed = wallets[options.rdns]
  if (installed !== undefined) return installed

  const key = storageKey(options.rdns)
  const wallet = createPageWallet({
    options,
    storage: { read: () => localStorage.getItem(key), write: (value) => localStorage.setItem(key, value) },
    ask: createPrompt(document),
    connectNode,
    origin: location.origin,
  })
  const silence = announce(window, options, wallet.provider)
  const onStorage = (event: StorageEvent) => {
    if (event.key === key) wallet.adopt(event.newValue)
  }
  window.addEventListener('storage', onStorage)
  const leave = wallet.controls.subscribe(() => {
    if (!wallet.controls.snapshot().vanished) return
    leave()
    silence()
    window.removeEventListener('storage', onStorage)
  })
  wallets[options.rdns] = wallet.controls
  return wallet.controls
}

window.installDevnetWallet ??= (options = {}) => install(parseWalletOptions(options))
const { currentScript } = document
if (currentScript instanceof HTMLScriptElement && currentScript.src !== '')
  install(readScriptOptions(currentScript.dataset))
