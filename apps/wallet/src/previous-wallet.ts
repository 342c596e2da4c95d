import type { WalletApiBody, WalletApiCall } from '@postern/protocol'
import type { Gateway } from './account/gateway'
import type { WalletOptions } from './shares/state'
import type { Ladder } from './storage/ladder'

/** Calls that the gateway serves for the previous wallet too. */
const served: ReadonlySet<WalletApiCall> = new Set(['wallet', 'deviceShare', 'putDevice', 'proveAddresses', 'recover'])

/**
 * The wallet that the user moved from, as options of a wallet of its own: with its share on this device, and its rows at
 * the gateway. Without one it is missing; it is never made.
 */
export function previousWallet(options: WalletOptions): WalletOptions {
  const { gateway, ladder } = options
  return {
    ...options,
    gateway: { ...gateway, call: (name, body, how) => gateway.call(name, whichOf(name, body), how) } satisfies Gateway,
    ladder: {
      ...ladder,
      async current() {
        const { storage, store } = await ladder.current()
        return { storage, store: { ...store, ...store.previous } }
      },
    } satisfies Ladder,
    isPrevious: true,
    rule: { recovery: 'hardened', recoveryChoice: 'first' },
  }
}

function whichOf<C extends WalletApiCall>(name: C, body: WalletApiBody<C>): WalletApiBody<C> {
  return served.has(name) ? { ...body, which: 'previous' } : body
}
