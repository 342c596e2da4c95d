import { Failure } from '@postern/protocol/failure'
import { asFailure } from '@postern/protocol/wallet-errors'
import type { Connector, WalletSession } from '../../connectors/connector'

/**
 * Connects and waits for the user. After REQUEST_PENDING (locked or busy), the wallet's next accounts event is the
 * response.
 */
export async function askWallet(
  connector: Connector,
  signal: AbortSignal,
  onPending: () => void,
): Promise<WalletSession> {
  const grant = nextGrant(connector, signal)
  try {
    const granted = await connector.connect(signal).catch(nullIfPending)
    if (granted !== null) return granted
    onPending()
    await grant.seen
    const later = await connector.reconnect(signal)
    if (later.kind === 'granted') return later.session
    throw later.kind === 'unknown' ? later.failure : new Failure('UNAUTHORIZED')
  } finally {
    grant.stop()
  }
}

function nullIfPending(thrown: unknown): null {
  const failure = asFailure(thrown)
  if (failure.code === 'REQUEST_PENDING') return null
  throw failure
}

/** Subscribes at once: the accounts event may precede the REQUEST_PENDING failure. */
function nextGrant(connector: Connector, signal: AbortSignal): { seen: Promise<void>; stop: () => void } {
  const controller = new AbortController()
  const seen = new Promise<void>((resolve, reject) => {
    const unlisten = connector.listen((event) => {
      if (event.kind === 'accounts' && event.accounts.length > 0) resolve()
    })
    const onAbort = () => reject(asFailure(signal.reason))
    signal.addEventListener('abort', onAbort, { once: true })
    controller.signal.addEventListener('abort', () => {
      unlisten()
      signal.removeEventListener('abort', onAbort)
    })
  })
  seen.catch(() => {})
  return { seen, stop: () => controller.abort() }
}
