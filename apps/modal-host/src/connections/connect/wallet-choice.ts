import { isDropped, type OnceLoaded } from '@postern/base/once-loaded'
import type { Namespace } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { SnapshotStore } from '../../snapshot/store'
import type { WalletRow } from '../../snapshot/wallet-row'
import type { ConnectAttempts } from './connect-attempt'

export type WalletChoice = {
  begin(row: WalletRow, namespace?: Namespace): void
  /** Also after the attempt's code failed to load. */
  retry(): void
  cancel(): void
}

/**
 * Starts a connection attempt, whose code may still be loading.
 *
 * 1. Only the last choice counts: code that loads for an earlier attempt starts nothing.
 * 2. If the code fails to load, the attempt fails and can be retried.
 */
export function createWalletChoice(
  store: SnapshotStore,
  code: OnceLoaded<{ readonly attempts: ConnectAttempts }>,
  onBegin: () => void,
): WalletChoice {
  const newest = code.latest()
  let failed: Parameters<WalletChoice['begin']> | null = null

  function begin(row: WalletRow, namespace?: Namespace): void {
    failed = null
    onBegin()
    newest
      .call(({ attempts }) => attempts.begin(row, namespace))
      .catch((thrown: unknown) => {
        if (isDropped(thrown)) return
        const { code, message } = new Failure('LOAD_FAILED')
        failed = [row, namespace]
        store.setState({
          connectAttempt: { row, via: 'page', status: { kind: 'failed', code, message }, retryAt: 0 },
        })
      })
  }

  function retry(): void {
    if (failed !== null) begin(...failed)
    else code.send(({ attempts }) => attempts.retry())
  }

  function cancel(): void {
    failed = null
    if (!newest.drop()) code.notify(({ attempts }) => attempts.cancel())
    if (store.getState().connectAttempt !== null) store.setState({ connectAttempt: null })
  }

  return { begin, retry, cancel }
}
