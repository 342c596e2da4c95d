import { AnalyticsConfig, type AnalyticsEvent, limits } from '@postern/protocol'
import type { Clock } from '@postern/protocol/clock'
import type { HttpClient } from '../../services/http'
import { HttpError } from '../../services/http'
import type { HostStorage } from '../../services/storage'
import type { HostSnapshot, SignInEvent } from '../../snapshot/contract'
import type { Modal } from '../../snapshot/modal'
import type { SnapshotStore } from '../../snapshot/store'
import { heldOf } from '../../view-kit/held'
import { type Counted, countedBetween, countedOfSignIn, nothingYet } from './events'

export type AnalyticsOptions = {
  readonly store: SnapshotStore
  readonly http: HttpClient
  readonly storage: HostStorage
  readonly modal: Pick<Modal, 'alert'>
  readonly clock: Clock
  readonly randomId: () => string
  readonly origin: string
}

/** `at` is in ms. */
export type Seen = { readonly snapshot: HostSnapshot; readonly at: number }

type Leave =
  | { readonly kind: 'unknown' | 'asked' | 'denied' | 'off' }
  | { readonly kind: 'given'; readonly withAddress: boolean }

const consentKey = 'analyticsConsent'

/** Max waiting events; more are dropped. */
const mostWaiting = limits.pendingTransactionEvents

/**
 * Sends analytics for the project's owner. Only created if the flag is on (spec §1): off means no request.
 *
 * 1. The gateway is asked once whether it counts, at the first event. If it does not, or does not respond, nothing is
 *    sent.
 * 2. If the project requires consent, nothing is sent before it, and earlier events are dropped. The answer is stored;
 *    after a refusal the visitor is not asked again.
 * 3. An address is sent only if the gateway allows it: the event's, otherwise the one on show.
 * 4. A forbidden response reports 'Invalid App Configuration' (spec §8) once and stops sending. Any other failure drops
 *    the event silently.
 * 5. The dapp is identified by its origin, without path and query.
 * 6. Events from before this code loaded keep their times.
 */
export function createAnalytics(
  { store, http, storage, modal, clock, randomId, origin }: AnalyticsOptions,
  earlier: readonly Seen[] = [],
) {
  const ended = new AbortController()
  const { signal } = ended
  let leave: Leave = { kind: 'unknown' }
  let isAsking = false
  let withAddress = false
  let waiting: AnalyticsEvent[] = []
  let before = nothingYet

  function count({ snapshot, at }: Seen): void {
    const counted = countedBetween(before, snapshot)
    before = snapshot
    for (const one of counted) take(toEvent(one, at))
  }
  const now = (): Seen => ({ snapshot: store.getState(), at: clock.now() })

  function take(event: AnalyticsEvent): void {
    if (leave.kind === 'given') return void send(event)
    if (leave.kind !== 'unknown' || waiting.length >= mostWaiting) return
    waiting.push(event)
    if (!isAsking) void ask()
  }

  function toEvent({ event, properties, address }: Counted, timestamp = clock.now()): AnalyticsEvent {
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
    const word = storage.get(consentKey)
    // The page can write its own storage, so consent must be in this frame's.
    const isKept = word === 'yes' && storage.place === 'frame'
    if (config.data.isConsentNeeded !== true || isKept) return decide({ kind: 'given', withAddress })
    if (word === 'no') return decide({ kind: 'denied' })
    decide({ kind: 'asked' })
    store.setState({ consentAsked: true })
  }

  function decide(next: Leave): void {
    const held = waiting
    waiting = []
    leave = next
    if (leave.kind === 'given') for (const event of held) void send(event)
  }

  async function send(event: AnalyticsEvent): Promise<void> {
    if (leave.kind !== 'given') return
    const { address: whose, ...rest } = event.props
    const address = leave.withAddress ? (whose ?? heldOf(store.getState())?.account.address) : undefined
    const props = address === undefined ? rest : { ...rest, address }
    await http.post('/e', { body: { ...event, props }, signal }).catch(refused)
  }

  function refused(thrown: unknown): null {
    const isForbidden = thrown instanceof HttpError && thrown.status === 403
    if (isForbidden && leave.kind !== 'off' && !signal.aborted) {
      leave = { kind: 'off' }
      modal.alert('ANALYTICS_FORBIDDEN', { origin })
    }
    return null
  }

  for (const seen of earlier) count(seen)
  const stop = store.subscribe(() => count(now()))
  count(now())

  return {
    consent(allowed: boolean): void {
      if (leave.kind !== 'asked') return
      storage.set(consentKey, allowed ? 'yes' : 'no')
      store.setState({ consentAsked: false })
      decide(allowed ? { kind: 'given', withAddress } : { kind: 'denied' })
    },
    signIn: (event: SignInEvent) => take(toEvent(countedOfSignIn(event))),
    end(): void {
      stop()
      ended.abort()
    },
  }
}
