import { noop } from '../../shared/noop'
import type { Providers } from '../contract'
import type { Identity } from '../eip155/announce'

/** Never listed as a wallet. */
export const ownBitcoinProvider = 'PosternBitcoinProvider'

const signing = ['getInfo', 'getAddresses', 'getAccounts', 'getBalance', 'signMessage', 'signPsbt', 'sendTransfer']
const ofWallet = ['connect', 'disconnect', 'renouncePermissions', 'getAccount', 'getNetwork']
export const satsConnectMethods: readonly string[] = [...signing, ...ofWallet.map((name) => `wallet_${name}`)]

/**
 * Announces Postern to sats-connect (`window.btc_providers`) and @stacks/connect (`window.wbip_providers`, WBIP-004).
 * Only the page's first instance is announced. Returns a stop function.
 */
export function announceBitcoin(window: object, { name, icon }: Identity, load: () => Promise<Providers>): () => void {
  if (Reflect.has(window, ownBitcoinProvider)) return noop
  const provider = Object.freeze({
    request: async (method: unknown, params?: unknown) => (await load()).satsConnect(method, params),
    addListener: (listener: SatsConnectListener) => listen(load, listener),
  })
  const entry = Object.freeze({ id: ownBitcoinProvider, name, icon, methods: satsConnectMethods })
  Reflect.set(window, ownBitcoinProvider, provider)
  const lists = ['btc_providers', 'wbip_providers'].flatMap((name) => {
    try {
      const list: unknown = Reflect.get(window, name) ?? []
      if (!Array.isArray(list) || list.includes(entry)) return []
      Reflect.set(window, name, list)
      list.push(entry)
      return [list]
    } catch {
      // The page froze its list.
      return []
    }
  })
  return () => {
    Reflect.deleteProperty(window, ownBitcoinProvider)
    // `>>> 0`: removes nothing if the page already removed the entry.
    for (const list of lists) list.splice(list.indexOf(entry) >>> 0, 1)
  }
}

type SatsConnectListener = { readonly eventName: unknown; readonly cb: (event: object) => void }

/** `networkChange` has no name: the app asks for it. */
function listen(load: () => Promise<Providers>, { eventName, cb }: SatsConnectListener): () => void {
  const names = { accountChange: 'accountsChanged', networkChange: 'networkChanged', disconnect: 'disconnect' } as const
  const name = Object.entries(names).find(([own]) => own === eventName)?.[1]
  if (name === undefined) return noop
  let isStopped = false
  const onEvent = () => isStopped || cb({ type: eventName })
  const loaded = load()
  loaded.then(({ bip122 }) => isStopped || bip122.on(name, onEvent), noop)
  return () => {
    isStopped = true
    loaded.then(({ bip122 }) => bip122.off(name, onEvent), noop)
  }
}
