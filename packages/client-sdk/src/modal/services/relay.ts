import type { PageParams } from '@postern/protocol'
import { hostGone } from '../../link/link'
import { plain } from '../../link/link-error'
import { failure } from '../../shared/errors'
import type { CollectedWallets } from './collect-wallets'

export type RelayOptions = {
  readonly wallets: Pick<CollectedWallets, 'get'>
  readonly now: () => number
  readonly onWalletEvent: (wallet: string, event: string, data: unknown) => void
}

export type Relay = {
  request(params: PageParams<'walletRequest'>, signal: AbortSignal): Promise<unknown>
  stop(): void
}

const relayedEvents = ['accountsChanged', 'chainChanged', 'disconnect', 'connect', 'message']

/** The frame's load timeout. */
const answerCacheMs = 20_000

type Flight = {
  readonly key: string
  readonly answer: Promise<unknown>
  /** Aborts when the host is lost or cancels. */
  signal: AbortSignal
  settledAt?: number
}

/**
 * Lets the host use a wallet of the page.
 *
 * 1. A request joins an identical one (wallet, method, parameters) whose host is gone: a reloaded host never prompts
 *    twice. It never joins one whose host still waits: two equal payments are two. Reads (`eth_accounts`,
 *    `bip122_getNetwork`) always go to the wallet.
 * 2. If the host is lost before the answer arrives, the answer is cached for {@link answerCacheMs} and returned once,
 *    to the next host's identical request. If the host cancels while the wallet prompts, an identical new request gets
 *    that prompt's answer.
 * 3. A missing wallet is DISCONNECTED. Results cross as plain data.
 * 4. From the first request until `stop`, each event of the wallet is relayed once, as plain data.
 */
export function relayPageWallets({ wallets, now, onWalletEvent }: RelayOptions): Relay {
  const flights = new Set<Flight>()
  const listening = new Map<string, () => void>()

  function listen(id: string, on: (event: string, listener: (data: unknown) => void) => () => void): void {
    if (listening.has(id)) return
    const ends = relayedEvents.map((event) => on(event, (data) => onWalletEvent(id, event, plain(data))))
    listening.set(id, () => {
      for (const end of ends) end()
    })
  }

  function abandonedFlight(key: string): Flight | undefined {
    for (const flight of flights) {
      if (flight.settledAt !== undefined && now() - flight.settledAt > answerCacheMs) flights.delete(flight)
      else if (flight.key === key && flight.signal.aborted) return flight
    }
  }

  return {
    async request({ wallet, method, params }, signal) {
      const provider = wallets.get(wallet)
      if (provider === undefined) throw failure('DISCONNECTED')
      listen(wallet, provider.on)
      const ask = () => provider.request(params === undefined ? { method } : { method, params }).then(plain)
      if (/_(accounts|chainId|get\w+)$/.test(method)) return ask()
      const key = JSON.stringify([wallet, method, params])
      const flight = abandonedFlight(key) ?? { key, answer: ask(), signal }
      flight.signal = signal
      flights.add(flight)
      try {
        return await flight.answer
      } finally {
        if (flight.signal === signal) {
          if (signal.reason === hostGone) flight.settledAt ??= now()
          else flights.delete(flight)
        }
      }
    },
    stop() {
      for (const end of listening.values()) end()
      listening.clear()
    },
  }
}
