import type { Namespace } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { Deferred } from '@postern/protocol/lazily'
import type { ConnectAttempts } from '../connections/connect-attempt'
import type { WalletRow } from '../snapshot/contract'
import type { SnapshotStore } from '../snapshot/store'

export type Beginning = {
  begin(row: WalletRow, namespace?: Namespace): void
  /** Even if its code failed to load. */
  retry(): void
  cancel(): void
}

/**
 * Starts a connection attempt, whose code may still be loading.
 *
 * 1. Only the last choice counts: code that loads for a cancelled or replaced attempt starts nothing.
 * 2. If the code fails to load, the attempt fails and can be retried.
 */
export function createBeginning(
  store: SnapshotStore,
  later: Deferred<{ readonly attempts: ConnectAttempts }>,
): Beginning {
  let begun = 0
  /** Could not start because its code did not load. */
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
