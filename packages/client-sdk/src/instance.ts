import type { HostMethod, HostParams } from '@postern/protocol'
import { failure, PosternError } from './errors'
import { showAlert } from './frame/alert'
import { createFrame, type Frame } from './frame/frame'
import { explainSilence } from './frame/silence'
import { isConnection, isStore, isWalletRequest } from './link/guards'
import { answerKnocks } from './link/handshake'
import { createLink } from './link/link'
import { discoverPageWallets } from './page-wallets/discovery'
import { relayPageWallets } from './page-wallets/relay'
import { announceProvider } from './providers/announce'
import { createEip155Provider } from './providers/eip155'
import { createPageStorage, createState, emptySnapshot, isRestoring } from './state'
import { openTabs } from './tabs'
import type { Namespace, Postern, PosternOptions, Theme } from './types'

/** What an instance needs of the page. `sdk` is this package's version, `host` the default modal host. */
export type Environment = {
  readonly window: Window & typeof globalThis
  readonly sdk: string
  readonly host: string
}

/** How long the frame may take until it answers, in ms (spec §9), and how long a lost one has to come back by itself. */
export const readiness = 20_000
const comeback = 2_000
/** A frame that nobody answers in and whose origin cannot be asked either has this long left, in ms. */
const unreachable = 3_000
/** A frame that ends this often in a row is not tried again until somebody asks for it. */
const mostLosses = 3
/** Where a port does not tell of its end, it is asked whether it lives when it was quiet for this long, in ms. */
const quiet = 10_000

/**
 * One instance in a page (docs/page-link.md).
 *
 * 1. Nothing is loaded until it is wanted: `prewarm`, a request, or a connection that an earlier visit left.
 * 2. Wanted, the frame has {@link readiness} ms to answer. Until then the dialog shows the outline of the card, and Escape leaves it.
 * 3. A frame that is refused, blocked or silent ends as `failed`: every request settles with the error, the page says why in an alert if
 *    somebody was waiting, and the next use tries anew.
 * 4. A frame that reloads is greeted again and gets the unanswered requests. One that crashed is replaced after {@link comeback} ms.
 * 5. The dialog shows what the host says, and before the host can say anything, that somebody asked for it.
 * 6. After `destroy` every request is refused with DESTROYED, and no listener, frame, timer or channel of ours is left.
 */
export function createInstance(environment: Environment, options: PosternOptions, onDestroy: () => void): Postern {
  const { window, sdk } = environment
  const { document } = window
  const { projectId } = options
  const origin = new URL(options.host ?? environment.host).origin
  const prefix = `@postern/${projectId}/`
  const randomId = () => createId(window.crypto)
  const storage = createPageStorage(() => window.localStorage)
  const state = createState(storage, `${prefix}state`)
  const darkScheme = window.matchMedia('(prefers-color-scheme: dark)')
  const visitors = new Set<AbortController>()
  const timers = new Set<number>()

  let theme: Theme = options.theme ?? {}
  let frame: Frame | undefined
  let stopFrame = () => {}
  let stopTimer = () => {}
  let closeAlert = () => {}
  /** The host shows its modal; and somebody asked for it but the host has not said so yet. */
  let hostOpen = false
  let asked = false
  /** The dialog was opened before there was a host to fill it. */
  let cold = false
  let losses = 0
  let heardAt = 0
  let destroyed = false

  function after(delay: number, callback: () => void): () => void {
    const timer = window.setTimeout(() => {
      timers.delete(timer)
      callback()
    }, delay)
    timers.add(timer)
    return () => {
      timers.delete(timer)
      window.clearTimeout(timer)
    }
  }

  const link = createLink({ timers: { after }, randomId, serve, onEvent, onLost, onWanted: load })
  const phase = () => state.get().phase
  const colorScheme = () => (darkScheme.matches ? 'dark' : 'light')
  const themeMode = () => (theme.mode === 'light' || theme.mode === 'dark' ? theme.mode : colorScheme())

  const { provider, stop: stopProvider } = createEip155Provider({
    getSnapshot: state.get,
    subscribe: state.subscribe,
    connect: () => connect({ namespace: 'eip155' }),
    disconnect: () => disconnect('eip155'),
    switchNetwork,
    rpc: (method, params, networkId) =>
      request('rpc', {
        namespace: 'eip155',
        method,
        ...(networkId !== undefined && { networkId }),
        ...(params !== undefined && { params }),
      }),
    wallet: (id) => discovery.get(id),
    settled,
  })
  const discovery = discoverPageWallets({
    window,
    randomId,
    own: provider,
    onChange: () => link.emit('pageWallets', { pageWallets: discovery.list() }),
  })
  const relay = relayPageWallets({
    discovery,
    now: () => window.performance.now(),
    onWalletEvent: (wallet, event, data) => link.emit('walletEvent', { wallet, event, data }),
  })
  const tabs = openTabs(window, prefix, () => {
    state.reload()
    if (link.attached) request('peerChanged', { stored: storage.under(`${prefix}host/`) }).catch(() => {})
    else if (isRemembered()) load()
  })

  /* ---- what the host asks and says */

  async function serve(method: string, params: unknown, signal: AbortSignal): Promise<unknown> {
    heardAt = window.performance.now()
    if (method === 'walletRequest') {
      if (!isWalletRequest(params)) throw failure('INVALID_PARAMS')
      return relay.request(params, signal)
    }
    if (method !== 'store') throw failure('METHOD_NOT_FOUND')
    if (!isStore(params)) throw failure('INVALID_PARAMS')
    storage.write(`${prefix}host/${params.key}`, params.value)
    return null
  }

  function onEvent(event: string, data: unknown): void {
    heardAt = window.performance.now()
    if (event === 'state') takeState(data)
    else if (event === 'sessionChanged') tabs.tell()
  }

  function takeState(data: unknown): void {
    if (!state.take(data)) return
    hostOpen = typeof data === 'object' && data !== null && 'open' in data && data.open === true
    if (hostOpen) asked = false
    draw()
  }

  /* ---- the frame */

  function load(): void {
    if (destroyed || phase() === 'loading' || phase() === 'ready') return
    closeAlert()
    if (projectId === '') {
      fail(failure('PROJECT_ID_NOT_CONFIGURED'))
      return
    }
    losses = 0
    state.set({ phase: 'loading' })
    startFrame()
    awaitReadiness(readiness)
  }

  function awaitReadiness(time: number): void {
    stopTimer()
    stopTimer = after(time, () => fail(failure('IFRAME_LOAD_FAILED')))
  }

  function startFrame(): void {
    const query = new URLSearchParams({ projectId, sv: sdk })
    let silence = () => {}
    const current = createFrame({
      document,
      src: `${origin}/?${query}`,
      onDismiss: dismiss,
      onLoad() {
        silence()
        if (link.attached || phase() !== 'loading') return
        silence = explainSilence({
          window,
          origin,
          projectId,
          onRefused: (error) => fail(error),
          onUnreachable: () => awaitReadiness(unreachable),
        })
      },
    })
    const stopKnocks = answerKnocks({
      window,
      iframe: current,
      origin,
      sdk,
      createChannel: () => new window.MessageChannel(),
      onKnock() {
        silence()
        if (link.attached) lose()
      },
      onWelcome: greet,
      onRefused: (error) => fail(error),
    })
    const onViolation = ({ blockedURI, effectiveDirective }: SecurityPolicyViolationEvent) => {
      if (/^(frame|child|default)-src$/.test(effectiveDirective) && blockedURI.startsWith(origin))
        fail(failure('IFRAME_LOAD_FAILED', new Error(`The page's ${effectiveDirective} does not allow ${origin}`)))
    }
    document.addEventListener('securitypolicyviolation', onViolation)
    frame = current
    stopFrame = () => {
      silence()
      stopKnocks()
      document.removeEventListener('securitypolicyviolation', onViolation)
      frame = undefined
      current.destroy()
    }
    draw()
  }

  function greet(port: MessagePort): void {
    stopTimer()
    state.restart()
    heardAt = window.performance.now()
    link.attach(port, init()).then(
      (result) => {
        state.set({ phase: 'ready' })
        takeState(result)
        draw()
      },
      (error: PosternError) => {
        // A frame that went away meanwhile is greeted again, or replaced.
        if (error.code !== 'LINK_CLOSED') fail(error)
      },
    )
  }

  function init(): HostParams<'init'> {
    const { metadata, featuredWallets, includeWallets, excludeWallets } = options
    const locale = options.locale ?? (document.documentElement.lang || window.navigator.language)
    return {
      projectId,
      networks: [...options.networks],
      metadata: metadata ?? { name: document.title.slice(0, 256) || window.location.host, url: window.location.origin },
      theme,
      colorScheme: colorScheme(),
      ...(locale !== '' && { locale: locale.slice(0, 35) }),
      ...(featuredWallets && { featuredWallets: [...featuredWallets] }),
      ...(includeWallets && { includeWallets: [...includeWallets] }),
      ...(excludeWallets && { excludeWallets: [...excludeWallets] }),
      pageWallets: discovery.list(),
      stored: storage.under(`${prefix}host/`),
    }
  }

  /** The port ended: the frame reloads by itself, or it crashed and is replaced. */
  function onLost(): void {
    hostOpen = false
    losses++
    if (losses > mostLosses) {
      fail(failure('IFRAME_LOAD_FAILED'))
      return
    }
    state.set({ phase: 'loading' })
    draw()
    stopTimer()
    stopTimer = after(comeback, () => {
      frame?.reload()
      awaitReadiness(readiness)
    })
  }

  function lose(): void {
    link.detach()
    onLost()
  }

  function fail(error: PosternError): void {
    const wanted = visitors.size > 0 || link.waiting > 0
    stopTimer()
    hostOpen = asked = false
    link.detach()
    stopFrame()
    state.set({ phase: 'failed', open: false })
    state.forget()
    link.fail(error)
    if (!wanted) return
    closeAlert()
    closeAlert = showAlert({
      document,
      error,
      values: { origin: window.location.origin, host: origin, projectId },
      mode: themeMode(),
      theme,
      onRetry: () => open().catch(() => {}),
      onClose: () => {
        closeAlert = () => {}
      },
    })
  }

  function draw(): void {
    if (frame === undefined) return
    frame.setTheme(phase() === 'ready' ? state.get().themeMode : themeMode(), theme)
    const loading = phase() !== 'ready'
    const visible = hostOpen || asked || (loading && visitors.size > 0)
    if (visible && loading) cold = true
    if (hostOpen || !visible) cold = false
    if (visible) frame.show(cold)
    else frame.hide()
    state.set({ open: visible })
  }

  function dismiss(): void {
    if (phase() === 'ready') {
      asked = false
      link.emit('dismiss', null)
      return
    }
    for (const visitor of visitors) visitor.abort(failure('USER_REJECTED'))
    draw()
  }

  /* ---- what the page asks */

  function request<M extends HostMethod>(method: M, params: HostParams<M>, signal?: AbortSignal): Promise<unknown> {
    if (destroyed) return Promise.reject(failure('DESTROYED'))
    checkPulse()
    return link.request(method, params, signal)
  }

  /** Where ports tell of their end there is nothing to do. */
  function checkPulse(): void {
    const now = window.performance.now()
    if ('onclose' in window.MessagePort.prototype || !link.attached || now - heardAt < quiet) return
    heardAt = now
    link.request('ping', null).catch((error: PosternError) => {
      if (error.code === 'TIMEOUT' && link.attached) lose()
    })
  }

  /** A request that shows the dialog at once, and that Escape ends while there is no host to ask. */
  async function visit<M extends HostMethod>(method: M, params: HostParams<M>, signal?: AbortSignal): Promise<unknown> {
    if (destroyed) throw failure('DESTROYED')
    const visitor = new AbortController()
    const forward = () => visitor.abort(signal?.reason)
    if (signal?.aborted === true) forward()
    signal?.addEventListener('abort', forward)
    visitors.add(visitor)
    asked = !visitor.signal.aborted
    try {
      const answer = request(method, params, visitor.signal)
      draw()
      return await answer
    } finally {
      signal?.removeEventListener('abort', forward)
      visitors.delete(visitor)
      asked = false
      draw()
    }
  }

  const open: Postern['open'] = async ({ view } = {}) => {
    try {
      await visit('open', view === undefined ? {} : { view })
    } catch (error) {
      // Leaving before it opened is no failure.
      if (!(error instanceof PosternError && error.code === 'USER_REJECTED')) throw error
    }
  }

  const connect: Postern['connect'] = async ({ namespace, signal } = {}) => {
    const connection = await visit('connect', namespace === undefined ? {} : { namespace }, signal)
    if (!isConnection(connection)) throw failure('INTERNAL')
    return connection
  }

  async function disconnect(namespace?: Namespace): Promise<void> {
    await request('disconnect', namespace === undefined ? {} : { namespace })
  }

  async function switchNetwork(network: string): Promise<void> {
    await request('switchNetwork', { network })
  }

  function setTheme(next: Theme): void {
    theme = next
    draw()
    if (link.attached) request('setTheme', { theme, colorScheme: colorScheme() }).catch(() => {})
  }

  const onColorScheme = () => setTheme(theme)
  darkScheme.addEventListener('change', onColorScheme)

  function isRemembered(): boolean {
    return Object.values(state.get().connections).some(isRestoring)
  }

  /** Resolves when the host has told the networks and no EVM connection is being restored; rejects when the frame fails. */
  function settled(): Promise<unknown> {
    load()
    return new Promise<void>((resolve, reject) => {
      const look = () => {
        const { phase, networks, connections } = state.get()
        const failed = phase === 'failed' || destroyed
        if (!failed && (networks.length === 0 || isRestoring(connections.eip155))) return
        end()
        if (failed) reject(failure(destroyed ? 'DESTROYED' : 'LINK_CLOSED'))
        else resolve()
      }
      const end = state.subscribe(look)
      look()
    })
  }

  const postern: Postern = {
    eip155: provider,
    open,
    connect,
    disconnect,
    switchNetwork,
    setTheme,
    async close() {
      if (phase() === 'ready') await request('close', null)
      else dismiss()
    },
    subscribe: state.subscribe,
    getSnapshot: state.get,
    getServerSnapshot: () => emptySnapshot,
    prewarm: load,
    async diagnose() {
      const { diagnose } = await import('./diagnose')
      return diagnose({ window, origin, projectId, wallets: discovery.list(), ask: () => request('diagnose', null) })
    },
    destroy() {
      if (destroyed) return
      destroyed = true
      closeAlert()
      link.detach()
      stopFrame()
      state.set({ ...emptySnapshot })
      link.fail(failure('DESTROYED'))
      stopAnnouncing()
      stopProvider()
      discovery.stop()
      relay.stop()
      tabs.close()
      state.stop()
      darkScheme.removeEventListener('change', onColorScheme)
      for (const timer of timers) window.clearTimeout(timer)
      timers.clear()
      onDestroy()
    },
  }

  const stopAnnouncing = options.announce === false ? () => {} : announceProvider(window, provider, randomId())
  if (isRemembered()) load()
  return postern
}

/** From the browser's cryptographic source; `randomUUID` exists in secure contexts only. */
export function createId(crypto: Crypto): string {
  const { randomUUID }: Partial<Crypto> = crypto
  if (randomUUID !== undefined) return Reflect.apply(randomUUID, crypto, [])
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
