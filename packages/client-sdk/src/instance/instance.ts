import { isStandardNamespace, namespaces, type StandardNamespace, standardPrefixes } from '@postern/protocol/namespaces'
import { createFailureAlert } from '../modal/alert/failure-alert'
import type { Modal } from '../modal/contract'
import type { HostFile } from '../modal/diagnose'
import type { Namespaces } from '../namespaces/contract'
import { announceProvider, identityOf } from '../namespaces/eip155/announce'
import { createEip155Provider } from '../namespaces/eip155/provider'
import { idOf, registerStandardWallet } from '../namespaces/standard-wallet'
import { awaitPresence } from '../page/presence'
import { retryRestoring } from '../page/retry'
import { followTabs } from '../page/tabs'
import { createThemeSource } from '../page/theme'
import { deferProviders } from '../providers/deferred'
import type { ProviderOptions } from '../providers/options'
import { failure, type PosternError, ProviderRpcError } from '../shared/errors'
import { lazy } from '../shared/lazy'
import { noop } from '../shared/noop'
import { createEvents } from '../state/events'
import { createPageStorage, createState, emptySnapshot, hasRestoring, isBeingAsked, type State } from '../state/state'
import type { Namespace, Postern, PosternOptions } from '../types/index'
import { createModalCalls } from './modal-calls'

export type Environment = {
  readonly window: Window & typeof globalThis
  readonly sdk: string
  readonly host: string
  /** Only the first prepares its frame before an intent. */
  readonly isFirstOnPage: boolean
  readonly loadModal: () => Promise<Pick<typeof import('../modal/index'), 'createModal' | 'diagnose'>>
  readonly loadAlert: () => Promise<Pick<typeof import('../modal/alert/alert'), 'showAlert'>>
  readonly loadNamespaces: () => Promise<typeof import('../namespaces/index')>
  readonly hostFiles: readonly HostFile[]
}

/**
 * An instance in a page (docs/reference/page-link.md).
 *
 * 1. The modal's code loads on first need: a present user (by the option `prewarm`), a request, or an earlier
 *    connection. If it does not load, the user is told only if a request waits; restoring is retried.
 * 2. Requests reach the modal in order.
 * 3. When another tab changes the session, a running host checks it; without a host, the page reads the stored state.
 * 4. The code of Solana and Bitcoin loads only for pages that use them.
 * 5. After `destroy` every request rejects with DESTROYED, and no listener, frame, timer or channel is left.
 */
export function createInstance(environment: Environment, options: PosternOptions, onDestroy: () => void): Postern {
  const { window, sdk, hostFiles } = environment
  const { projectId, networks = [], prewarm: prewarmMode = 'presence' } = options
  const { origin } = new URL(options.host ?? environment.host)
  const prefix = `@postern/${projectId}/`
  const hostPrefix = `${prefix}host/`
  const randomId = () => createId(window.crypto) + ids++
  const storage = createPageStorage(() => window.localStorage)
  const state = createState(storage, `${prefix}state`)
  if (options.autoReconnect === false) state.set({ connections: {} })
  const { on, emit } = createEvents(state)
  const theme = createThemeSource(window, options.theme ?? {}, onLook)
  const alert = createFailureAlert({
    document: window.document,
    theme,
    state,
    values: { origin: window.origin, host: origin, projectId },
    loadAlert: environment.loadAlert,
    isFailed: () => !isDestroyed && state.get().phase === 'failed',
    onRetry: () => void calls.api.open().catch(noop),
  })
  const modal = lazy(environment.loadModal, startModal, onModalMissing)
  const namespaceCode = lazy(
    environment.loadNamespaces,
    startNamespaces,
    (cause) => new ProviderRpcError(failure('LOAD_FAILED', cause)),
  )
  const getModal = () => (isDestroyed ? Promise.reject(failure('DESTROYED')) : modal.get())
  const calls = createModalCalls(getModal, reportMissing)
  const otherNamespaces = otherNamespacesOf(networks)
  const isAnnounced = options.announce !== false
  const hasOtherNamespaces = otherNamespaces.length > 0
  let isDestroyed = false

  const page: ProviderOptions = {
    ...calls.api,
    connect: (namespace) => calls.api.connect({ namespace }),
    rpc: calls.rpc,
    getSnapshot: state.get,
    subscribe: state.subscribe,
    // A connected page wallet implies a loaded modal.
    wallet: (id) => modal.value?.wallet(id),
    settled(namespace) {
      calls.load()
      return whenSettled(state, namespace, () => isDestroyed)
    },
  }
  const { provider, stop: stopProvider } = createEip155Provider(page)
  const loadProviders = async (earlier = state.get()) => (await namespaceCode.get()).providers(earlier)
  const identity = identityOf(options.announce)
  const stops = [stopProvider, theme.stop]

  /** After a failure only real use retries, not focus that returns from the alert. */
  const prewarm = () => prewarmMode !== 'off' && state.get().phase === 'idle' && calls.load()

  function onModalMissing(cause: unknown): PosternError {
    const error = failure('LOAD_FAILED', cause)
    state.suspend()
    state.set({ phase: 'failed' })
    return error
  }

  function reportMissing(error: PosternError): void {
    if (state.get().phase !== 'failed') return
    void alert.show(error)
    emit('error', error)
  }

  function startModal({ createModal }: Awaited<ReturnType<Environment['loadModal']>>): Modal {
    if (isDestroyed) throw failure('DESTROYED')
    return createModal({
      window,
      origin,
      sdk,
      dapp: options,
      state,
      emit,
      ownProvider: provider,
      loadNamespaces: hasOtherNamespaces && namespaceCode.get,
      randomId,
      theme,
      stored: () => storage.under(hostPrefix),
      store: (key, value) => storage.write(hostPrefix + key, value),
      prefix,
      onPeerChanged,
      alert,
    })
  }

  function startNamespaces({ createNamespaces }: Awaited<ReturnType<Environment['loadNamespaces']>>): Namespaces {
    if (isDestroyed) throw new ProviderRpcError(failure('DESTROYED'))
    const own = { randomId, namespaces: otherNamespaces, isAnnounced, identity, page }
    return createNamespaces({ ...environment, ...own, onWallets: () => modal.value?.sendWallets() })
  }

  const loadIfRemembered = () => hasRestoring(state.get()) && calls.load()

  function onPeerChanged(): void {
    const { phase } = state.get()
    if (phase === 'ready' || phase === 'loading') {
      calls.request('peerChanged', { stored: storage.under(hostPrefix) }).catch(noop)
    } else {
      state.reload()
      loadIfRemembered()
    }
  }

  function onLook(): void {
    const isReady = state.get().phase === 'ready'
    state.set({ theme: theme.get(), locale: options.locale, ...(!isReady && { themeMode: theme.mode() }) })
    modal.value?.draw()
    if (isReady) calls.request('setTheme', { theme: theme.get(), colorScheme: theme.colorScheme() }).catch(noop)
  }

  onLook()
  stops.push(followTabs(window, prefix, onPeerChanged), retryRestoring(window, state, calls.load))
  if (isAnnounced) {
    stops.push(announceProvider(window, provider, identity, createId(window.crypto)))
    const standard = { ...page, window, identity, networks, load: loadProviders }
    for (const namespace of otherNamespaces) stops.push(registerStandardWallet({ ...standard, namespace }))
  }
  loadIfRemembered()
  if (prewarmMode === 'presence' && environment.isFirstOnPage) stops.push(awaitPresence(window, prewarm))
  if (hasOtherNamespaces) namespaceCode.get().catch(noop)

  return {
    eip155: provider,
    ...deferProviders(loadProviders, state.get),
    ...calls.api,
    async close() {
      const isReady = state.get().phase === 'ready'
      // If the modal is still loading, it closes afterwards.
      await (isReady ? calls.request('close', null) : modal.promise?.then(({ dismiss }) => dismiss(), noop))
    },
    setTheme: theme.set,
    setOptions(change) {
      const { theme: look, ...rest } = change
      Object.assign(options, change)
      theme.set(look ?? theme.get())
      // A later host reads the options when it starts.
      if (modal.promise !== undefined) calls.request('setOptions', rest).catch(noop)
    },
    on,
    subscribe: state.subscribe,
    getSnapshot: state.get,
    getServerSnapshot: () => emptySnapshot,
    prewarm,
    async diagnose() {
      const { diagnose } = await environment.loadModal()
      const wallets = () => modal.value?.wallets() ?? []
      return diagnose({ window, origin, projectId, wallets, hostFiles, ask: () => calls.request('diagnose', null) })
    },
    destroy() {
      if (isDestroyed) return
      isDestroyed = true
      alert.close()
      modal.value?.destroy()
      state.set(emptySnapshot)
      namespaceCode.value?.stop()
      for (const stop of stops) stop()
      state.stop()
      onDestroy()
    },
  }
}

function whenSettled(state: State, namespace: Namespace, isDestroyed: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      const { phase, networks, connections } = state.get()
      const isPending = networks.length === 0 || isBeingAsked(connections[namespace])
      if (isPending && phase !== 'failed' && !isDestroyed()) return
      unsubscribe()
      resolve()
    }
    const unsubscribe = state.subscribe(check)
    check()
  })
}

function otherNamespacesOf(networks: PosternOptions['networks']) {
  const isIn = (namespace: StandardNamespace) => (network: PosternOptions['networks'][number]) =>
    [namespace, standardPrefixes[namespace]].some((prefix) => idOf(network).startsWith(prefix))
  return namespaces.filter(isStandardNamespace).filter((namespace) => networks.some(isIn(namespace)))
}

/** Unique even if a test's `crypto` repeats itself. */
let ids = 0

/** `randomUUID` exists only in secure contexts. */
function createId(crypto: Pick<Crypto, 'getRandomValues'> & Partial<Crypto>): string {
  return crypto.randomUUID?.() ?? crypto.getRandomValues(new Uint32Array(4)).join('-')
}
