import type { Namespace } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { Deferred } from '@postern/protocol/lazily'
import type { ConnectAttempts } from '../connections/connect-attempt'
import type { WalletRow } from '../snapshot/contract'
import type { SnapshotStore } from '../snapshot/store'

export type Beginning = {
  begin(row: WalletRow, namespace?: Namespace): void
  /** The same wallet again, also where not even its code could be loaded. */
  retry(): void
  cancel(): void
}

/**
 * Choosing a wallet while the code for it may still be on its way.
 *
 * 1. What was begun last counts: code that arrives for an attempt which was left, or replaced, begins nothing.
 * 2. Code that cannot be loaded is a failed attempt, which can be tried again.
 */
export function createBeginning(
  store: SnapshotStore,
  later: Deferred<{ readonly attempts: ConnectAttempts }>,
): Beginning {
  /** Counts what the visitor began and left. */
  let begun = 0
  /** What could not begin, because its code did not arrive. */
  let failed: Parameters<Beginning['begin']> | null = null

  function begin(row: WalletRow, namespace?: Namespace): void {
    begun += 1
    failed = null
    const mine = begun
    const loaded = later.peek()
    if (loaded !== null) {
      loaded.attempts.begin(row, namespace)
      return
    }
    later.get().then(
      ({ attempts }) => {
        if (mine === begun) attempts.begin(row, namespace)
      },
      () => {
        if (mine !== begun) return
        const { message } = new Failure('INTERNAL')
        failed = [row, namespace]
        store.setState({
          connectAttempt: { row, via: 'page', status: { kind: 'failed', code: 'INTERNAL', message }, retryAt: 0 },
        })
      },
    )
  }

  function retry(): void {
    if (failed !== null) begin(...failed)
    else later.peek()?.attempts.retry()
  }

  function cancel(): void {
    begun += 1
    failed = null
    later.peek()?.attempts.cancel()
    if (store.getState().connectAttempt !== null) store.setState({ connectAttempt: null })
  }

  return { begin, retry, cancel }
}
