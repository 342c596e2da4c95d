import { Failure } from '@postern/protocol/failure'
import { asFailure } from '@postern/protocol/wallet-errors'
import type { Connector, WalletSession } from '../connectors/connector'

/**
 * Asks the wallet, and waits for its owner. One that already shows a request, or is locked, answers at once with nothing: then its next word on accounts,
 * once the visitor has been there, is the answer.
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
    if (later === null) throw new Failure('UNAUTHORIZED')
    return later
  } finally {
    grant.stop()
  }
}

function nullIfPending(thrown: unknown): null {
  const failure = asFailure(thrown)
  if (failure.code === 'REQUEST_PENDING') return null
  throw failure
}

/** Listens from now on, because the wallet may speak while its refusal is still on the way. */
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
  // Awaited only by a wallet that was pending: otherwise its end concerns nobody.
  seen.catch(() => {})
  return { seen, stop: () => controller.abort() }
}
