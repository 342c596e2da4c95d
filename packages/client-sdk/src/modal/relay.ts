import type { PageParams } from '@postern/protocol'
import { failure } from '../errors'
import { hostGone } from '../link/link'
import type { PageWallets } from './page-wallets'
import { plain } from './wallet-errors'

export type RelayOptions = {
  readonly wallets: Pick<PageWallets, 'get'>
  readonly now: () => number
  readonly onWalletEvent: (wallet: string, event: string, data: unknown) => void
}

export type Relay = {
  request(params: PageParams<'walletRequest'>, signal: AbortSignal): Promise<unknown>
  stop(): void
}

const relayedEvents = ['accountsChanged', 'chainChanged', 'disconnect', 'connect', 'message']

/** Cache lifetime in ms, the frame's load timeout. */
const kept = 20_000

type Flight = { readonly answer: Promise<unknown>; settledAt?: number }

/**
 * Lets the host use a wallet of the page.
 *
 * 1. A request identical to one in flight (wallet, method, parameters) joins it, so a host that reloads never prompts
 *    the user twice. Read-only methods (eth_accounts, bip122_getNetwork and the like) never join, because the earlier
 *    answer may be stale.
 * 2. If the host goes away before the answer arrives, the answer is cached for {@link kept} ms and returned once, to
 *    the identical request of the next host. A request that the host itself cancelled can be joined while the wallet
 *    works on it, and its late answer is dropped.
 * 3. A wallet that is gone is DISCONNECTED. Results cross as plain data.
 * 4. From the first request until `stop`, the wallet's events are relayed as plain data, once each.
 */
export function relayPageWallets({ wallets, now, onWalletEvent }: RelayOptions): Relay {
  const flights = new Map<string, Flight>()
  const listening = new Map<string, () => void>()

  function listen(id: string, on: (event: string, listener: (data: unknown) => void) => () => void): void {
    if (listening.has(id)) return
    const ends = relayedEvents.map((event) => on(event, (data) => onWalletEvent(id, event, plain(data))))
    listening.set(id, () => {
      for (const end of ends) end()
    })
  }

  return {
    async request({ wallet, method, params }, signal) {
      const provider = wallets.get(wallet)
      if (provider === undefined) throw failure('DISCONNECTED')
      listen(wallet, provider.on)
      const ask = () => provider.request(params === undefined ? { method } : { method, params }).then(plain)
      if (/_(accounts|chainId|get\w+)$/.test(method)) return ask()
      const key = JSON.stringify([wallet, method, params])
      let flight = flights.get(key)
      if (flight?.settledAt !== undefined && now() - flight.settledAt > kept) flight = undefined
      if (flight === undefined) {
        flight = { answer: ask() }
        flights.set(key, flight)
      }
      try {
        return await flight.answer
      } finally {
        if (signal.reason === hostGone) flight.settledAt ??= now()
        else if (flights.get(key) === flight) flights.delete(key)
      }
    },
    stop() {
      for (const end of listening.values()) end()
      listening.clear()
    },
  }
}
