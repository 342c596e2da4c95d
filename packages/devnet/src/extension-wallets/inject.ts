/** Wallets appear by Wallet Standard, or as the window property of a real wallet. */
import { type BitcoinKeys, createBitcoinKeys } from './bitcoin-keys'
import { createLeather, leatherListing } from './bitcoin-leather'
import { createPhantom } from './bitcoin-phantom'
import { createBitcoinStandardWallet } from './bitcoin-standard'
import { createOkx, createUnisat } from './bitcoin-unisat'
import { createXverse, xverseListing } from './bitcoin-xverse'
import { connectEsplora } from './esplora'
import type { BitcoinApi } from './options'
import type { Owner } from './owner'
import { createSolanaWallet, sendToNode } from './solana'
import { registerStandardWallet } from './standard'

export type Look = { readonly name: string; readonly icon: string }

export function showSolanaWallet(window: Window, owner: Owner, look: Look): () => void {
  const wallet = createSolanaWallet(owner, { ...look, host: window.location.host, send: sendToNode })
  return registerStandardWallet(window, wallet)
}

export function showBitcoinWallet(window: Window, owner: Owner, look: Look, api: BitcoinApi): () => void {
  const keys = createBitcoinKeys(owner, connectEsplora)
  if (api === 'standard') return registerStandardWallet(window, createBitcoinStandardWallet(owner, keys, look))
  return apis[api](window, owner, keys, look)
}

type Show = (window: Window, owner: Owner, keys: BitcoinKeys, look: Look) => () => void

const apis: { readonly [F in Exclude<BitcoinApi, 'standard'>]: Show } = {
  unisat: (window, owner, keys) => put(window, 'unisat', createUnisat(owner, keys)),
  okx: (window, owner, keys) => put(window, 'okxwallet', { bitcoin: createOkx(owner, keys) }),
  phantom: (window, owner, keys) => put(window, 'phantom', { bitcoin: createPhantom(owner, keys) }),
  xverse: (window, owner, keys, { icon }) => {
    const remove = put(window, 'XverseProviders', { BitcoinProvider: createXverse(owner, keys) })
    return both(remove, list(window, xverseListing(icon)))
  },
  leather: (window, owner, keys, { icon }) => {
    const remove = put(window, 'LeatherProvider', createLeather(owner, keys))
    return both(remove, list(window, leatherListing(icon)))
  },
}

function put(window: Window, name: string, value: object): () => void {
  Object.defineProperty(window, name, { value, configurable: true, writable: true })
  return () => {
    if (Reflect.get(window, name) === value) Reflect.deleteProperty(window, name)
  }
}

/** WBIP004. */
function list(window: Window, listing: { readonly id: string }): () => void {
  const known: unknown = Reflect.get(window, 'btc_providers')
  const providers: unknown[] = Array.isArray(known) ? known : []
  Reflect.set(window, 'btc_providers', providers)
  providers.push(listing)
  return () => {
    const at = providers.indexOf(listing)
    if (at >= 0) providers.splice(at, 1)
  }
}

const both = (one: () => void, other: () => void) => () => {
  one()
  other()
}
