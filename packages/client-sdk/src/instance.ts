import { failure, type PosternError, ProviderRpcError } from './errors'
import { ignore } from './ignore'
import type { Modal } from './modal/contract'
import type { Adapters, Namespaces } from './namespaces/namespaces'
import { discoverPageWallets } from './page-wallets/discovery'
import { announceProvider } from './providers/announce'
import { deferProviders } from './providers/deferred'
import { createEip155Provider } from './providers/eip155'
import type { ProviderOptions } from './providers/options'
import { createPageStorage, createState, emptySnapshot, isRestoring } from './state'
import { followTabs } from './tabs'
import type { Namespace, Postern, PosternOptions, Theme } from './types'

export type Environment = {
  readonly window: Window & typeof globalThis
  readonly sdk: string
  readonly host: string
  readonly loadModal: () => Promise<Pick<typeof import('./modal/modal'), 'createModal'>>
  readonly loadAlert: () => Promise<Pick<typeof import('./modal/alert'), 'showAlert'>>
  /** Solana and Bitcoin: pages with such networks, and their wallets. */
  readonly loadNamespaces: () => Promise<Pick<typeof import('./namespaces/namespaces'), 'createNamespaces'>>
  readonly loadAdapters: () => Promise<Adapters>
  readonly loadDiagnose: () => Promise<Pick<typeof import('./diagnose'), 'diagnose'>>
}

/**
 * One instance in a page (docs/reference/page-link.md).
 *
 * 1. No modal code is loaded before it is needed: by `prewarm`, a request, or a connection of an earlier visit.
 * 2. Requests reach the modal in order.
 * 3. When another tab changes the session, the host checks it if it is running, else the stored state is read.
 * 4. The code of Solana and Bitcoin is loaded only if the page has such networks, or uses their providers.
 * 5. After `destroy` every request is rejected with DESTROYED, and no listener, frame, timer or channel is left.
 */
export function createInstance(environment: Environment, options: PosternOptions, onDestroy: () => void): Postern {
  const { window, sdk } = environment
  const { document } = window
  const { projectId } = options
  const { origin } = new URL(options.host ?? environment.host)
  const prefix = `@postern/${projectId}/`
  const hostPrefix = `${prefix}host/`
  const randomId = () => createId(window.crypto)
  const storage = createPageStorage(() => window.localStorage)
  const state = createState(storage, `${prefix}state`)
  const darkScheme = window.matchMedia('(prefers-color-scheme: dark)')
  const colorScheme = () => (darkScheme.matches ? 'dark' : 'light')

  const themeMode = () => (theme.mode === 'light' || theme.mode === 'dark' ? theme.mode : colorScheme())

  const speaksOthers = options.networks?.some((network) =>
    /^(solana|bitcoin|bip122)/.test(typeof network === 'string' ? network : network.id),
  )

  let theme: Theme = options.theme ?? {}
  let loading: Promise<Modal> | undefined
  let modal: Modal | undefined
  let loadingOthers: Promise<Namespaces> | undefined
  let others: Namespaces | undefined
  let closeAlert = ignore
  let destroyed = false

  const request: Modal['request'] = async (...args) => (await need()).request(...args)

  const page: ProviderOptions = {
    getSnapshot: state.get,
    subscribe: state.subscribe,
    connect: (namespace) => connect({ namespace }),
    disconnect: (namespace) => disconnect(namespace),
    switchNetwork,
    rpc: async (params) => (await need()).rpc(params),
    // A connection to it implies that the modal is loaded.
    wallet: (id) => modal?.wallet(id),
    settled,
  }
  const onWallets = () => modal?.tellWallets()
  const { provider, stop: stopProvider } = createEip155Provider(page)
  const announced = discoverPageWallets({ window, randomId, own: provider, onChange: onWallets })
  const onPeerChanged = () => {
    const { phase } = state.get()
    // A running host decides about another tab's changes.
    if (phase === 'ready' || phase === 'loading') {
      request('peerChanged', { stored: storage.under(hostPrefix) }).catch(ignore)
    } else {
      state.reload()
      loadIfRemembered()
    }
  }
  const stopFollowing = followTabs(window, prefix, onPeerChanged)
  const stopAnnouncing = options.announce === false ? ignore : announceProvider(window, provider, randomId())

  function need(): Promise<Modal> {
    if (destroyed) return Promise.reject(failure('DESTROYED'))
    loading ??= environment.loadModal().then(
      ({ createModal }) => {
        if (destroyed) throw failure('DESTROYED')
        modal = createModal({
          window,
          origin,
          sdk,
          dapp: options,
          state,
          announced,
          own: provider,
          others: speaksOthers && needOthers,
          randomId,
          theme: () => theme,
          colorScheme,
          themeMode,
          stored: () => storage.under(hostPrefix),
          store: (key, value) => storage.write(hostPrefix + key, value),
          prefix,
          onPeerChanged,
          onFailed: say,
          onRetried: () => closeAlert(),
        })
        return modal
      },
      (cause) => {
        loading = undefined
        const error = failure('IFRAME_LOAD_FAILED', cause)
        state.set({ phase: 'failed' })
        state.forget()
        void say(error)
        throw error
      },
    )
    return loading
  }

  /** `foreign`: the origin that is not allowed, if not the page's own. */
  async function say(error: PosternError, foreign = window.origin): Promise<void> {
    const { showAlert } = await environment.loadAlert()
    closeAlert()
    if (destroyed || state.get().phase !== 'failed') return
    closeAlert = showAlert({
      document,
      error,
      values: { origin: foreign, host: origin, projectId },
      mode: themeMode(),
      theme,
      onRetry: () => void open().catch(ignore),
    })
  }

  function needOthers(): Promise<Namespaces> {
    loadingOthers ??= environment.loadNamespaces().then(
      ({ createNamespaces }) => {
        if (destroyed) throw new ProviderRpcError(failure('DESTROYED'))
        const { loadAdapters } = environment
        others = createNamespaces({ window, randomId, dapp: options, page, loadAdapters, onWallets })
        return others
      },
      (cause) => {
        loadingOthers = undefined
        throw new ProviderRpcError(failure('IFRAME_LOAD_FAILED', cause))
      },
    )
    return loadingOthers
  }

  const needProviders = async () => (await needOthers()).providers()

  function load(): void {
    need().then(({ load }) => load(), ignore)
  }

  function loadIfRemembered(): void {
    if (Object.values(state.get().connections).some(isRestoring)) load()
  }

  const open: Postern['open'] = async (options = {}) => (await need()).open(options)

  const connect: Postern['connect'] = async ({ namespace, signal } = {}) => {
    return (await need()).connect({ namespace }, signal)
  }

  const disconnect: Postern['disconnect'] = async (namespace) => {
    await request('disconnect', { namespace })
  }

  async function switchNetwork(network: string): Promise<void> {
    await request('switchNetwork', { network })
  }

  function setTheme(next: Theme): void {
    theme = next
    modal?.draw()
    if (state.get().phase === 'ready') request('setTheme', { theme, colorScheme: colorScheme() }).catch(ignore)
  }

  /** Resolves when the networks are known and the namespace is not being restored, or never will be. */
  function settled(namespace: Namespace): Promise<void> {
    load()
    return new Promise((resolve) => {
      const look = () => {
        const { phase, networks, connections } = state.get()
        if (phase !== 'failed' && !destroyed && (networks.length === 0 || isRestoring(connections[namespace]))) return
        end()
        resolve()
      }
      const end = state.subscribe(look)
      look()
    })
  }

  const onColorScheme = () => setTheme(theme)
  darkScheme.addEventListener('change', onColorScheme)
  loadIfRemembered()
  if (speaksOthers) needOthers().catch(ignore)

  return {
    eip155: provider,
    ...deferProviders(needProviders, state.get),
    open,
    async close() {
      if (state.get().phase === 'ready') await request('close', null)
      // Still loading: close afterwards.
      else await loading?.then(({ dismiss }) => dismiss(), ignore)
    },
    connect,
    pay: async (payment) => (await need()).pay(payment),
    disconnect,
    switchNetwork,
    setTheme,
    subscribe: state.subscribe,
    getSnapshot: state.get,
    getServerSnapshot: () => emptySnapshot,
    // After a failure only real use retries: focus returning from the alert does not.
    prewarm: () => state.get().phase === 'idle' && load(),
    async diagnose() {
      const { diagnose } = await environment.loadDiagnose()
      return diagnose({
        window,
        origin,
        projectId,
        wallets: modal?.wallets() ?? announced.found.map(({ wallet }) => wallet),
        ask: () => request('diagnose', null),
      })
    },
    destroy() {
      if (destroyed) return
      destroyed = true
      closeAlert()
      modal?.destroy()
      state.set(emptySnapshot)
      stopAnnouncing()
      stopProvider()
      announced.stop()
      others?.stop()
      stopFollowing()
      state.stop()
      darkScheme.removeEventListener('change', onColorScheme)
      onDestroy()
    },
  }
}

/** `randomUUID` exists only in secure contexts. */
export function createId(crypto: Crypto): string {
  const { randomUUID }: Partial<Crypto> = crypto
  if (randomUUID !== undefined) return Reflect.apply(randomUUID, crypto, [])
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
