import { bip122Chains } from '@postern/protocol/namespaces/bip122'
import { isSource, type Methods, maxWallets, only, readIcon } from '../../discovery/wallet-provider'
import type { Finder, Injected, InjectedKind } from '../contract'
import { announceBitcoin, ownBitcoinProvider } from './announce'

/** Sources: the provider docs at docs.xverse.app, leather.io, docs.unisat.io, web3.okx.com and docs.phantom.com. */
const injectedBitcoinWallets: readonly (readonly [path: string, name: string, kind: InjectedKind])[] = [
  ['XverseProviders.BitcoinProvider', 'Xverse', 'satsConnect'],
  ['LeatherProvider', 'Leather', 'leather'],
  ['unisat', 'UniSat', 'unisat'],
  ['okxwallet.bitcoin', 'OKX Wallet', 'okx'],
  ['phantom.bitcoin', 'Phantom', 'phantom'],
]

/** The host composes the other methods. */
function bitcoinMethodsOf(kind: InjectedKind): Methods {
  return [
    'bip122_getAccountAddresses',
    'bip122_requestAccounts',
    'bip122_signMessage',
    'bip122_signPsbt',
    ...(kind === 'phantom' ? [] : (['bip122_sendTransfer'] as const)),
    ...(kind === 'phantom' || kind === 'leather' ? [] : (['bip122_disconnect'] as const)),
    ...(kind === 'satsConnect' || kind === 'unisat' ? (['bip122_getNetwork', 'bip122_switchNetwork'] as const) : []),
  ]
}

/** Only wallets in `btc_providers` (WBIP004) have name and icon. */
function injectedWallets(window: object): Injected[] {
  const found = new Map<object, Injected>()

  function add(path: string, name: unknown, kind: InjectedKind, icon: unknown): void {
    try {
      const source = path
        .split('.')
        .reduce<unknown>((at, key) => (isSource(at) ? Reflect.get(at, key) : undefined), window)
      if (!isSource(source) || found.has(source) || found.size >= maxWallets) return
      if (typeof name !== 'string' || name === '' || name.length > 256 || path.length > 240) return
      found.set(source, {
        source,
        kind,
        name,
        key: `injected:${path}`,
        ...readIcon(icon),
        ...((kind === 'okx' || kind === 'phantom') && { networks: [bip122Chains.mainnet] }),
        methods: bitcoinMethodsOf(kind),
      })
    } catch {
      // A throwing getter must not hide a usable wallet.
    }
  }

  try {
    const listed: unknown = Reflect.get(window, 'btc_providers')
    if (Array.isArray(listed)) {
      for (const each of listed.slice(0, maxWallets)) {
        const { id, name, icon } = each
        if (typeof id === 'string' && id !== ownBitcoinProvider)
          add(id, name, id === 'LeatherProvider' ? 'leather' : 'satsConnect', icon)
      }
    }
  } catch {}
  for (const [path, name, kind] of injectedBitcoinWallets) add(path, name, kind, undefined)
  return [...found.values()]
}

export const finder: Finder = {
  kind: 'bip122Standard',
  /** sats-connect supports more than the standard's features. */
  methods(has) {
    if (has('sats-connect:')) return bitcoinMethodsOf('satsConnect')
    if (!has('bitcoin:connect')) return []
    return [
      'bip122_getAccountAddresses',
      'bip122_requestAccounts',
      ...only(has('bitcoin:disconnect'), 'bip122_disconnect'),
      ...only(has('bitcoin:signMessage'), 'bip122_signMessage'),
      ...only(has('bitcoin:signTransaction'), 'bip122_signPsbt'),
    ]
  },
  injected: injectedWallets,
  announce: announceBitcoin,
}
