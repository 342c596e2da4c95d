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

/** How long the frame may take until it answers, in ms (spec §9), and how long a lost one has to come back by itself. */
export const readiness = 20_000
const comeback = 2_000
/** A frame that ended its navigation has this long to knock until the gateway is asked why, and this long left if that is silent too; in ms. */
const silent = 250
const unreachable = 3_000
/** A frame that ends this often in a row is not tried again until somebody asks for it. */
const mostLosses = 3
/** A frame that lives this long has made good for those before it, in ms. */
const forgiven = 60_000
/** What a host that is there can do without at first waits this long, in ms: an opening is over by then. */
const settling = 1_000
/** While it matters, the host is asked this often whether it lives, in ms; it is given up after two beats without an answer. */
const pulse = 2_000

/**
 * The modal as the page sees it: the frame, the link to it, and when it shows (docs/reference/page-link.md).
 *
 * 1. Loaded, the frame has {@link readiness} ms to answer. Until then the dialog shows the outline of the card, and Escape leaves it.
 * 2. A frame that is refused, blocked or silent ends as `failed`: every request settles with the error, the page says why in an alert if
 *    somebody was waiting, and the next use tries anew.
 * 3. A frame that reloads is greeted again and gets the unanswered requests. One that is gone is replaced: after {@link comeback} ms where
 *    the port tells of its end, else after two beats of {@link pulse} ms without an answer, counted while somebody waits or the dialog shows.
 * 4. The dialog shows while the host says so, and before the host can say anything, while somebody asks for it.
 * 5. After `destroy` every request is refused with DESTROYED, and no listener, frame, timer or channel is left.
 * 6. The code of other namespaces is asked for again, where it did not come, whenever the visitor is to see wallets.
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
  /** The host shows its modal; somebody asked for it and the host has not said so yet; and that began before there was a host. */
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
      // Without a host nobody hears it; a new one asks the wallet how things stand.
      if (link.attached) emit('walletEvent', { wallet, event, data })
      else load()
    },
  })
  const siwx = siwxOf(dapp, window.location)
  const stopSignIn = followPlugin(siwx, () => emit('signInChanged', null))
  const serve = createServe({ window, relay, signIn: createSignInPlugin(siwx, () => Date.now()), store: options.store })
  const channel = createChannel(window, options.prefix, options.onPeerChanged)
  const is = (phase: string) => state.get().phase === phase

  /** Told to the host if there is one. */
  function emit(event: PageEvent, data: unknown): void {
    link.emit(event, data)
  }

  /* ---- what the host asks and says */

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

  /** The navigation ended and nobody knocked: the browser may have blocked it by `frame-ancestors`, which it tells no page. `isOver`: it knocked meanwhile, or is gone. */
  async function explain(isOver: () => boolean): Promise<void> {
    const error = await askWhySilent(window, origin, projectId)
    if (isOver() || link.attached) return
    if (error === 'unreachable') awaitReadiness(unreachable)
    else if (error !== undefined) fail(error)
    // This page may; so where it is framed itself, the browser refused one of the pages around it.
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
        // What the page changed while the host made itself ready, nobody told it.
        const now = { theme: options.theme(), colorScheme: options.colorScheme() }
        if (now.theme !== theme || now.colorScheme !== colorScheme) request('setTheme', now).catch(ignore)
        after(settling, channel.listen)
        stopForgiving = after(forgiven, () => {
          losses = 0
        })
      },
      (error: PosternError) => {
        // A frame that went away meanwhile is greeted again, or replaced.
        if (error.code !== 'LINK_CLOSED' && !destroyed) fail(error)
      },
    )
  }

  /** The frame is gone. One that reloads comes back by itself within `patience` ms; else it is replaced. */
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

  /* ---- what the page asks */

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
   * Not every browser tells of a port's end, so the host is asked while it matters: somebody waits, or the dialog lies over the page.
   * Two beats, because a page that was frozen may hear its timer before its messages.
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

  /** 6. */
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
    // The members by name: a handler that hands over its event has asked for nothing.
    async open({ view, swap }) {
      try {
        await visit('open', { view, swap })
      } catch (error) {
        // Leaving before it opened is no failure.
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
