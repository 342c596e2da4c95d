import type { Clock } from '@postern/base/clock'
import { AnalyticsConfig, type AnalyticsEvent, limits } from '@postern/protocol'
import type { HttpClient } from '../../services/http'
import { HttpError } from '../../services/http'
import type { HostStorage } from '../../services/storage'
import type { HostSnapshot, SignInEvent } from '../../snapshot/contract'
import type { Modal } from '../../snapshot/modal'
import type { SnapshotStore } from '../../snapshot/store'
import { activeAccount } from '../../view-kit/connected-account'
import { eventsBetween, initialState, type TrackedEvent, toTrackedEvent } from './events'

export type AnalyticsOptions = {
  readonly store: SnapshotStore
  readonly http: HttpClient
  readonly storage: HostStorage
  readonly modal: Pick<Modal, 'alert'>
  readonly clock: Clock
  readonly randomId: () => string
  readonly origin: string
}

/** `at` in ms. */
export type TimedSnapshot = { readonly snapshot: HostSnapshot; readonly at: number }

type Consent =
  | { readonly kind: 'unknown' | 'asked' | 'denied' | 'off' }
  | { readonly kind: 'given'; readonly withAddress: boolean }

const consentKey = 'analyticsConsent'

/** More are dropped. */
const maxPendingEvents = limits.pendingTransactionEvents

/**
 * Sends analytics for the project's owner. Only created if the flag is on (spec §1).
 *
 * 1. At the first event, the gateway is asked once whether it counts. If it does not, or does not respond, nothing is
 *    sent.
 * 2. If the project requires consent, nothing is sent before it, and earlier events are dropped. After a refusal the
 *    user is not asked again.
 * 3. An address is sent only if the gateway allows it: the event's, otherwise the displayed one.
 * 4. A forbidden response reports 'Invalid App Configuration' (spec §8) once and stops sending. Any other failure drops
 *    the event silently.
 * 5. The dapp is identified by its origin, without path and query.
 * 6. Events from before this code loaded keep their times.
 */
export function createAnalytics(
  { store, http, storage, modal, clock, randomId, origin }: AnalyticsOptions,
  earlier: readonly TimedSnapshot[] = [],
) {
  const ended = new AbortController()
  const { signal } = ended
  let consent: Consent = { kind: 'unknown' }
  let isAsking = false
  let withAddress = false
  let waiting: AnalyticsEvent[] = []
  let before = initialState

  function count({ snapshot, at }: TimedSnapshot): void {
    const counted = eventsBetween(before, snapshot)
    before = snapshot
    for (const one of counted) take(toEvent(one, at))
  }
  const now = (): TimedSnapshot => ({ snapshot: store.getState(), at: clock.now() })

  function take(event: AnalyticsEvent): void {
    if (consent.kind === 'given') return void send(event)
    if (consent.kind !== 'unknown' || waiting.length >= maxPendingEvents) return
    waiting.push(event)
    if (!isAsking) void ask()
  }

  function toEvent({ event, properties, address }: TrackedEvent, timestamp = clock.now()): AnalyticsEvent {
    return {
      eventId: randomId(),
      url: origin,
      domain: origin.replace(/^https?:\/\//, ''),
      timestamp,
      props: {
        ...{ type: 'track', event },
        ...(properties !== undefined && { properties }),
        ...(address !== undefined && { address }),
      },
    }
  }

  async function ask(): Promise<void> {
    isAsking = true
    const config = AnalyticsConfig.safeParse(await http.get('/getAnalyticsConfig', { signal }).catch(refused))
    if (signal.aborted) return
    if (!config.success || !config.data.isAnalyticsEnabled) return decide({ kind: 'off' })
    withAddress = config.data.isAddressAllowed === true
    const storedConsent = storage.get(consentKey)
    // The page can write its own storage: consent must be in this frame's.
    const hasConsented = storedConsent === 'yes' && storage.place === 'frame'
    if (config.data.isConsentNeeded !== true || hasConsented) return decide({ kind: 'given', withAddress })
    if (storedConsent === 'no') return decide({ kind: 'denied' })
    decide({ kind: 'asked' })
    store.setState({ consentAsked: true })
  }

  function decide(next: Consent): void {
    const events = waiting
    waiting = []
    consent = next
    if (consent.kind === 'given') for (const event of events) void send(event)
  }

  async function send(event: AnalyticsEvent): Promise<void> {
    if (consent.kind !== 'given') return
    const { address: whose, ...rest } = event.props
    const address = consent.withAddress ? (whose ?? activeAccount(store.getState())?.account.address) : undefined
    const props = address === undefined ? rest : { ...rest, address }
    await http.post('/e', { body: { ...event, props }, signal }).catch(refused)
  }

  function refused(thrown: unknown): null {
    const isForbidden = thrown instanceof HttpError && thrown.status === 403
    if (isForbidden && consent.kind !== 'off' && !signal.aborted) {
      consent = { kind: 'off' }
      modal.alert('ANALYTICS_FORBIDDEN', { origin })
    }
    return null
  }

  for (const seen of earlier) count(seen)
  const stop = store.subscribe(() => count(now()))
  count(now())

  return {
    consent(allowed: boolean): void {
      if (consent.kind !== 'asked') return
      storage.set(consentKey, allowed ? 'yes' : 'no')
      store.setState({ consentAsked: false })
      decide(allowed ? { kind: 'given', withAddress } : { kind: 'denied' })
    },
    signIn: (event: SignInEvent) => take(toEvent(toTrackedEvent(event))),
    end(): void {
      stop()
      ended.abort()
    },
  }
}
