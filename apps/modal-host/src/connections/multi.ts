import { onceLoaded } from '@postern/base/once-loaded'
import { Failure } from '@postern/protocol/failure'
import type { MultiConnector } from '../connectors/connector'
import type { SnapshotStore } from '../snapshot/store'

export type MultiAccess = {
  readonly isOffered: boolean
  /** @throws WALLET_CONNECT_CONNECTOR_NOT_FOUND if not offered. */
  readonly get: () => Promise<MultiConnector>
  prepare(): void
  end(): void
}

/** `create` is null if not offered. */
export function createMultiAccess(store: SnapshotStore, create: (() => Promise<MultiConnector>) | null): MultiAccess {
  let made: { readonly multi: MultiConnector; readonly stop: () => void } | null = null
  let isEnded = false

  const { load: get } = onceLoaded(async () => {
    if (create === null) throw new Failure('WALLET_CONNECT_CONNECTOR_NOT_FOUND')
    const multi = await create()
    if (isEnded) {
      multi.end()
      throw new Failure('LINK_CLOSED')
    }
    const follow = () => store.setState({ relay: multi.relay.status() })
    made = { multi, stop: multi.relay.subscribe(follow) }
    follow()
    return multi
  })

  return {
    isOffered: create !== null,
    get,
    prepare() {
      if (create !== null)
        get().then(
          (multi) => multi.prepare(),
          // The next caller of `get` receives the error.
          () => {},
        )
    },
    end() {
      isEnded = true
      made?.stop()
      made?.multi.end()
      store.setState({ relay: 'unused' })
    },
  }
}
