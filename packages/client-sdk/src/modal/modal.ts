import type { HostMethod, HostParams, PageEvent } from '@postern/protocol'
import { failure, isPosternError, type PosternError } from '../errors'
import { answerKnocks } from '../link/handshake'
import { createLink } from '../link/link'
import type { Namespaces } from '../namespaces/namespaces'
import { isConnection, isHostState } from '../state-guards'
import { createChannel } from './channel'
import type { Modal, ModalOptions } from './contract'
import { modalFailure } from './failures'
import { createFrame, type Frame } from './frame'
import { answerForHost } from './host-rpc'
import { createInit } from './init'
import { collectPageWallets, tellOfSending } from './page-wallets'
import { isReceipt } from './receipt'
import { relayPageWallets } from './relay'
import { createServe } from './serve'
import { createSignInPlugin, followPlugin } from './sign-in/plugin'
import { siwxOf } from './sign-in/siwe'
import { askWhySilent, foreignAncestor } from './silence'
import { createTimers } from './timers'

/** In ms (spec §9 for the first). A lost frame has `comeback` ms to reload. */
export const readiness = 20_000
const comeback = 2_000
/** In ms. `silent`: before asking the gateway why no knock came. `unreachable`: what is left if that fails too. */
const silent = 250
const unreachable = 3_000
/** After this many losses in a row, the frame stays down until the next use. */
const mostLosses = 3
/** After this long without a loss, the counter resets (ms). */
const forgiven = 60_000
/** Delays work that a ready host does not need at first, in ms. */
const settling = 1_000
/** Health check interval while needed, in ms. Two misses mean that the host is lost. */
const pulse = 2_000

/**
 * The modal as the page sees it: the frame, the link to it, and its visibility (docs/reference/page-link.md).
 *
 * 1. A loaded frame has {@link readiness} ms to complete the handshake. Until then the dialog shows the outline of the
 *    card, and Escape closes it.
 * 2. A refused, blocked or silent frame ends as `failed`: every request rejects with the error, the page shows an alert
 *    if a request was waiting, and the next use tries again.
 * 3. A frame that reloads gets a new handshake and the unanswered requests. A lost frame is replaced: after {@link
 *    comeback} ms if the port reports its end, otherwise after two missed checks of {@link pulse} ms each. Checks run
 *    while a request waits or the dialog is visible.
 * 4. The dialog is visible while the host says so. Before the host can say anything, it is visible while a call that
 *    opens it waits.
 * 5. After `destroy` every request rejects with DESTROYED, and no listener, frame, timer or channel is left.
 * 6. If the code of other namespaces failed to load, load it again whenever the user is about to see wallets.
 */
export function createModal(options: ModalOptions): Modal {
  const { window, origin, dapp, state, randomId } = options
  const { projectId } = dapp
  const { document } = window
  const visitors = new Set<AbortController>()
  const timers = createTimers(window)
  const { after } = timers
  const now = () => window.performance.now()

  let frame: Frame | undefined
  let stopFrame = () => {}
  let stopTimer = () => {}
  let stopForgiving = () => {}
  /** `asked`: a call opened it, not yet confirmed by the host. `cold`: opened before the host was ready. */
  let hostOpen = false
  let asked = false
  let cold = false
  let losses = 0
  let beating = false
  let missed = 0
  let destroyed = false
  let others: Pick<Namespaces, 'list' | 'get'> | undefined

  const link = createLink({
    timers,
    randomId,
    serve: (...asked) => serve(...asked),
    onEvent,
    onLost: () => lose(comeback),
    onWanted: load,
  })
  const tellWallets = () => emit('pageWallets', { pageWallets: wallets.list() })
  const wallets = collectPageWallets({
    window,
    randomId,
    announced: options.announced,
    own: options.own,
    connectors: dapp.connectors ?? [],
    others: () => others,
    onChange: tellWallets,
  })
  const relay = relayPageWallets({
    wallets,
    now,
    onWalletEvent(wallet, event, data) {
      // Dropped without a host; a new one reads the wallet's state.
      if (link.attached) emit('walletEvent', { wallet, event, data })
      else load()
    },
  })
  const siwx = siwxOf(dapp, window.location)
  const stopSignIn = followPlugin(siwx, () => emit('signInChanged', null))
  const serve = createServe({ window, relay, signIn: createSignInPlugin(siwx, () => Date.now()), store: options.store })
  const channel = createChannel(window, options.prefix, options.onPeerChanged)
  const is = (phase: string) => state.get().phase === phase

  function emit(event: PageEvent, data: unknown): void {
    link.emit(event, data)
  }

  /* ---- requests and events from the host */

  function onEvent(event: string, data: unknown): void {
    if (event === 'state') takeState(data)
    else if (event === 'sessionChanged') channel.tell()
  }

  function takeState(data: unknown): void {
    if (!isHostState(data) || !state.take(data)) return
    hostOpen = data.open
    if (hostOpen) asked = false
    draw()
  }

  /* ---- the frame */

  function load(): void {
    if (destroyed || is('loading') || is('ready')) return
    options.onRetried()
    if (projectId === '') {
      fail(modalFailure('PROJECT_ID_NOT_CONFIGURED'))
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
    let knocked = false
    let stopAsking = () => {}
    const current = createFrame({
      document,
      src: `${origin}/?${new URLSearchParams({ projectId, sv: options.sdk })}`,
      onDismiss: dismiss,
      onLoad() {
        stopAsking()
        if (!knocked) stopAsking = after(silent, () => void explain(() => frame !== current || knocked))
        knocked = false
      },
    })
    const stopKnocks = answerKnocks({
      window,
      iframe: current,
      origin,
      sdk: options.sdk,
      onKnock() {
        stopAsking()
        knocked = true
        if (link.attached) lose(comeback)
      },
      onWelcome: greet,
      onRefused: fail,
    })
    const onViolation = ({ blockedURI, effectiveDirective }: SecurityPolicyViolationEvent) => {
      if (/^(frame|child|default)-src$/.test(effectiveDirective) && blockedURI.startsWith(origin))
        fail(failure('IFRAME_LOAD_FAILED', new Error(`${effectiveDirective} does not allow ${origin}`)))
    }
    document.addEventListener('securitypolicyviolation', onViolation)
    frame = current
    stopFrame = () => {
      stopAsking()
      stopKnocks()
      document.removeEventListener('securitypolicyviolation', onViolation)
      frame = undefined
      current.destroy()
    }
    draw()
  }

  /** `frame-ancestors` may have blocked the frame, which browsers do not report. `isOver`: it knocked, or is gone. */
  async function explain(isOver: () => boolean): Promise<void> {
    const error = await askWhySilent(window, origin, projectId)
    if (isOver() || link.attached) return
    if (error === 'unreachable') awaitReadiness(unreachable)
    else if (error !== undefined) fail(error)
    // This page is allowed, so the browser refused one of its ancestors.
    else if (window.top !== window) fail(modalFailure('ORIGIN_NOT_ALLOWED'), foreignAncestor(window))
  }

  function greet(port: MessagePort): void {
    const theme = options.theme()
    const colorScheme = options.colorScheme()
    let init: HostParams<'init'>
    try {
      init = createInit({
        window,
        dapp,
        theme,
        colorScheme,
        pageWallets: wallets.list(),
        stored: options.stored(),
      })
    } catch (cause) {
      fail(isPosternError(cause) ? cause : failure('INVALID_PARAMS', cause))
      return
    }
    stopTimer()
    state.restart()
    link.attach(port, init).then(
      (result) => {
        state.set({ phase: 'ready' })
        takeState(result)
        // Changed while the host was starting.
        const now = { theme: options.theme(), colorScheme: options.colorScheme() }
        if (now.theme !== theme || now.colorScheme !== colorScheme) request('setTheme', now).catch(ignore)
        after(settling, channel.listen)
        stopForgiving = after(forgiven, () => {
          losses = 0
        })
      },
      (error: PosternError) => {
        // A lost frame gets a new handshake or is replaced.
        if (error.code !== 'LINK_CLOSED' && !destroyed) fail(error)
      },
    )
  }

  /** Gives the frame `patience` ms to reload, then replaces it. */
  function lose(patience: number): void {
    link.detach()
    stopForgiving()
    hostOpen = false
    missed = 0
    if (++losses > mostLosses) {
      fail(failure('IFRAME_LOAD_FAILED'))
      return
    }
    state.set({ phase: 'loading' })
    draw()
    stopTimer()
    stopTimer = after(patience, () => {
      frame?.reload()
      awaitReadiness(readiness)
    })
  }

  function fail(error: PosternError, foreign?: string): void {
    const wanted = visitors.size > 0 || link.waiting > 0
    end()
    state.set({ phase: 'failed', open: false })
    state.forget()
    link.fail(error)
    if (wanted) options.onFailed(error, foreign)
  }

  function end(): void {
    stopTimer()
    hostOpen = asked = false
    link.detach()
    stopFrame()
  }

  function draw(): void {
    if (frame === undefined) return
    const loading = !is('ready')
    const visible = hostOpen || asked || (loading && visitors.size > 0)
    cold = visible && !hostOpen && (cold || loading)
    frame.setTheme(loading ? options.themeMode() : state.get().themeMode, options.theme())
    if (visible) frame.show(cold)
    else frame.hide()
    state.set({ open: visible })
    watch()
  }

  function dismiss(): void {
    asked = false
    if (is('ready')) emit('dismiss', null)
    else for (const visitor of visitors) visitor.abort(failure('USER_REJECTED'))
  }

  /* ---- requests from the page */

  async function request<M extends HostMethod>(
    method: M,
    params: HostParams<M>,
    signal?: AbortSignal,
  ): Promise<unknown> {
    if (destroyed) throw failure('DESTROYED')
    const answer = link.request(method, params, signal)
    watch()
    return answer
  }

  /**
   * Not every browser reports the end of a port. Two misses are allowed: a frozen page may run its timer before it
   * reads messages.
   */
  function watch(): void {
    if (beating || !link.attached || (link.waiting === 0 && !hostOpen)) return
    beating = true
    link.request('ping', null).then(() => {
      missed = 0
    }, ignore)
    after(pulse, () => {
      beating = false
      if (link.attached && ++missed > 1) lose(0)
      else watch()
    })
  }

  /** 6: retry on each visit. */
  function wakeOthers(): void {
    if (others === undefined && options.others)
      options.others().then((found) => {
        if (others === undefined && !destroyed) {
          others = found
          tellWallets()
        }
      }, ignore)
  }

  async function visit<M extends HostMethod>(method: M, params: HostParams<M>, signal?: AbortSignal): Promise<unknown> {
    wakeOthers()
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

  wakeOthers()
  return {
    load,
    request,
    // By name: a click handler may pass its event.
    async open({ view, swap }) {
      try {
        await visit('open', { view, swap })
      } catch (error) {
        // Leaving early is not an error.
        if (!isPosternError(error) || error.code !== 'USER_REJECTED') throw error
      }
    },
    async pay(params) {
      const receipt = await visit('pay', params)
      if (!isReceipt(receipt)) throw failure('INTERNAL')
      return receipt
    },
    async connect(params, signal) {
      const connection = await visit('connect', params, signal)
      if (!isConnection(connection)) throw failure('INTERNAL')
      return connection
    },
    rpc: ({ namespace, method, params, networkId }) => {
      const switchNetwork = (network: string) => request('switchNetwork', { network })
      const own =
        namespace === 'eip155' ? answerForHost(method, params, { getSnapshot: state.get, switchNetwork }) : undefined
      return own ?? request('rpc', { namespace, method, params, networkId })
    },
    wallets: wallets.list,
    wallet(id) {
      const provider = wallets.get(id)
      const namespace = wallets.namespaceOf(id)
      if (provider === undefined || namespace === undefined) return undefined
      return tellOfSending(provider, () => emit('transacted', { namespace }))
    },
    tellWallets,
    dismiss,
    draw,
    destroy() {
      destroyed = true
      end()
      link.fail(failure('DESTROYED'))
      channel.close()
      relay.stop()
      stopSignIn()
      wallets.stop()
      timers.stop()
    },
  }
}

function ignore(): void {}
