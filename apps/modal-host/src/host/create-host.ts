import { Failure } from '@postern/protocol/failure'
import { acceptHandshake } from '../page-link/handshake'
import { createHostLink } from '../page-link/host-link'
import { createHttpClient } from '../services/http'
import type { HostActions } from '../snapshot/actions'
import type { Host, HostDirectory } from '../snapshot/host'
import { createModal } from '../snapshot/modal'
import { createSnapshotStore } from '../snapshot/store'
import type { HostDependencies } from './dependencies'
import { forwardTo } from './forward'
import { createModalActions } from './modal-actions'
import { createPageSession, type PageSession } from './page-session'

export { browserDependencies, type HostDependencies } from './dependencies'

/**
 * The modal host without its views.
 *
 * `start()` knocks at the embedding page and returns a function that ends everything. `prefetch()` loads the code of a
 * visible modal ahead of its first use.
 */
export function createHost(dependencies: HostDependencies): Host & { start(): () => void; prefetch(): Promise<void> } {
  const { window, project, clock } = dependencies
  const isTopLevel = Object.is(window.parent, window)
  const store = createSnapshotStore({
    themeMode: dependencies.themeMode,
    locale: dependencies.locale,
    walletCount: project?.walletCount ?? null,
    isTopLevel,
  })
  const modal = createModal(store)
  const modalActions = createModalActions(store, modal)
  let page: PageSession | null = null

  function start(): () => void {
    if (isTopLevel) return () => {}
    if (project === null) {
      modal.alert('PROJECT_ID_NOT_CONFIGURED')
      return () => {}
    }
    let endLink = () => {}
    const onStorage = (event: StorageEvent) => page?.onStorage(event.key)
    window.addEventListener('storage', onStorage)
    const stopListening = acceptHandshake({
      window,
      project,
      hostVersion: project.gatewayVersion,
      onAccepted({ port, origin, sdk }) {
        const http = createHttpClient({
          fetch: dependencies.fetch,
          clock,
          randomId: dependencies.randomId,
          baseUrl: dependencies.baseUrl,
          identity: () => ({ projectId: project.projectId, st: 'postern', sv: sdk }),
        })
        const link = createHostLink({
          port,
          clock,
          randomId: dependencies.randomId,
          warn: dependencies.warn,
          check: dependencies.check,
          begin(init) {
            page = createPageSession({ init, origin, link, project, http, store, modal, dependencies })
            return page
          },
          onEnd() {
            page?.end()
            page = null
            store.setState({ open: false })
          },
        })
        endLink = link.end
      },
    })
    return () => {
      stopListening()
      window.removeEventListener('storage', onStorage)
      endLink()
    }
  }

  return {
    store,
    start,
    async prefetch() {
      await page?.prefetch()
    },
    actions: forwardTo<HostActions>(() => ({ ...modalActions, ...page?.actions }), 'LINK_CLOSED'),
    // Views suspend on this promise; a new one per render would suspend again.
    money: () => page?.money() ?? Promise.reject(new Failure('LINK_CLOSED')),
    directory: forwardTo<HostDirectory>(() => page?.directory ?? { imageUrl: () => undefined }, 'LINK_CLOSED'),
  }
}
