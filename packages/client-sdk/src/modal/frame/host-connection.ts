import { runMachine } from '@postern/base/run-machine'
import type { HostMethod, HostParams, PageEvent } from '@postern/protocol'
import { createLink, type Link, type LinkOptions, type LinkPort } from '../../link/link'
import { failure, isPosternError, type PosternError } from '../../shared/errors'
import { requestFailure } from '../../shared/failures'
import { noop } from '../../shared/noop'
import { isHostState, isWalletInfos } from '../../state/guards'
import type { ModalOptions } from '../contract'
import { modalFailure } from '../failures'
import { type HostFrame, loadHostFrame } from './host-frame'
import { createInit } from './init'
import {
  dialogOf,
  idleModal,
  type ModalCommand,
  type ModalEvent,
  type ModalState,
  type ModalTimer,
  publicPhase,
  reduceModal,
} from './machine'
import type { Timers } from './timers'

export type HostConnectionOptions = {
  readonly modal: ModalOptions
  readonly timers: Timers
  readonly serve: LinkOptions['serve']
  readonly pageWallets: () => HostParams<'init'>['pageWallets']
  readonly onReady: () => void
  readonly onSessionChanged: () => void
  readonly onLeave: () => void
  readonly onReopen: () => void
}

export type HostConnection = {
  load(): void
  request<M extends HostMethod>(method: M, params: HostParams<M>, signal?: AbortSignal): Promise<unknown>
  emit(event: PageEvent, data: unknown): void
  readonly isAttached: boolean
  startVisit(id: number): void
  endVisit(id: number): void
  dismiss(): void
  draw(): void
  destroy(): void
}

type CommandOf<T extends ModalCommand['type']> = ModalCommand & { readonly type: T }
type Effects = { readonly [T in ModalCommand['type']]: (command: CommandOf<T>) => void }

export function connectHost(options: HostConnectionOptions): HostConnection {
  const { timers, modal } = options
  const { window, origin, sdk, state } = modal
  const { projectId } = modal.dapp
  const timerStops = new Map<ModalTimer, () => void>()
  let frame: HostFrame | undefined

  const machine = runMachine<ModalState, ModalEvent, ModalCommand>({
    initial: idleModal,
    reduce: reduceModal,
    // The frame must exist before it is shown.
    carryOut({ before, state, commands }) {
      for (const command of commands) execute(command)
      if (state !== before) publish()
    },
  })
  const { dispatch } = machine
  const link = createLink({
    timers,
    randomId: modal.randomId,
    serve: options.serve,
    onEvent(event, data) {
      if (event === 'sessionChanged') options.onSessionChanged()
      if (event === 'walletInfo' && isWalletInfos(data)) state.set({ walletInfo: data })
      if (event === 'state' && isHostState(data) && state.take(data)) dispatch({ type: 'hostState', isOpen: data.open })
    },
    onLost: () => dispatch({ type: 'portClosed' }),
    onWanted: load,
  })

  function load(): void {
    // A prerendered page loads no frame of another site, and the timeout would end the user's sessions.
    if (isPrerendered(window.document)) window.document.addEventListener('prerenderingchange', load, { once: true })
    else if (projectId === '') fail(modalFailure('PROJECT_ID_NOT_CONFIGURED'))
    else dispatch({ type: 'load' })
  }

  function fail(error: PosternError): void {
    dispatch({ type: 'fail', error })
  }

  const effects: Effects = {
    startFrame() {
      try {
        frame = loadHostFrame({ window, origin, sdk, projectId, timers, isAttached: () => link.isAttached, dispatch })
      } catch (cause) {
        // The page has replaced something that the frame needs.
        fail(failure('LOAD_FAILED', cause))
      }
    },
    reloadFrame: () => frame?.reload(),
    removeFrame() {
      frame?.destroy()
      frame = undefined
    },
    attachLink: ({ port }) => attach(port),
    detachLink: () => link.detach(),
    startTimer({ timer, delayMs }) {
      timerStops.get(timer)?.()
      const stop = timers.after(delayMs, () =>
        dispatch(timer === 'heartbeat' ? { type: timer, isWaiting: link.pendingCount > 0 } : { type: timer }),
      )
      timerStops.set(timer, stop)
    },
    stopTimers() {
      for (const stop of timerStops.values()) stop()
    },
    ping: () => void link.request('ping', null).then(() => dispatch({ type: 'pong' }), noop),
    dismissHost: () => link.emit('dismiss', null),
    rejectVisits: () => options.onLeave(),
    reopen() {
      // The user would find another view than the lost approval.
      if (!link.hasLostApproval) options.onReopen()
    },
    showAlert({ error, foreign, wasOpen }) {
      if (link.pendingCount > 0 || wasOpen) modal.alert.show(error, foreign)
    },
    closeAlert: () => modal.alert.close(),
    suspendConnections: () => state.suspend(),
    failRequests: ({ error }) => link.fail(error),
  }

  function execute<T extends ModalCommand['type']>(command: CommandOf<T>): void {
    effects[command.type](command)
  }

  function attach(port: LinkPort): void {
    initialize(link, port, options).then(
      ({ result, changedTheme }) => {
        if (machine.state.phase !== 'initializing') return
        const isOpen = isHostState(result) && state.take(result) && result.open
        dispatch({ type: 'initialized', isOpen, isWaiting: link.pendingCount > 0 })
        if (changedTheme !== undefined) request('setTheme', changedTheme).catch(noop)
        options.onReady()
      },
      (error: unknown) => {
        if (!isPosternError(error)) fail(requestFailure('INVALID_PARAMS', error))
        // After LINK_CLOSED the frame gets a new handshake or is replaced.
        else if (error.code !== 'LINK_CLOSED') fail(error)
      },
    )
  }

  function publish(): void {
    if (machine.state.phase === 'destroyed') return
    draw()
    state.set({ phase: publicPhase(machine.state), open: dialogOf(machine.state) !== 'closed' })
  }

  function draw(): void {
    const isReady = machine.state.phase === 'ready'
    const dialog = dialogOf(machine.state)
    frame?.setTheme(isReady ? state.get().themeMode : modal.theme.mode(), modal.theme.get())
    if (dialog === 'closed') frame?.hide()
    else frame?.show(dialog === 'outline')
  }

  async function request<M extends HostMethod>(
    method: M,
    params: HostParams<M>,
    signal?: AbortSignal,
  ): Promise<unknown> {
    if (machine.state.phase === 'destroyed') throw failure('DESTROYED')
    const answer = link.request(method, params, signal)
    dispatch({ type: 'request' })
    return answer
  }

  return {
    load,
    request,
    emit: link.emit,
    get isAttached() {
      return link.isAttached
    },
    startVisit: (id) => dispatch({ type: 'visit', id }),
    endVisit: (id) => dispatch({ type: 'leave', id }),
    dismiss: () => dispatch({ type: 'dismiss' }),
    draw,
    destroy: () => dispatch({ type: 'destroy' }),
  }
}

const isPrerendered = (document: Document & { readonly prerendering?: boolean }) => document.prerendering === true

async function initialize(link: Link, port: LinkPort, { modal, pageWallets }: HostConnectionOptions) {
  const { window, dapp, state } = modal
  const theme = modal.theme.get()
  const colorScheme = modal.theme.colorScheme()
  const init = createInit({
    window,
    dapp,
    theme,
    colorScheme,
    pageWallets: pageWallets(),
    stored: modal.stored(),
    isConnected: Object.values(state.get().connections).some((connection) => connection?.status !== 'disconnected'),
  })
  state.restart()
  const result = await link.attach(port, init)
  const isSame = modal.theme.get() === theme && modal.theme.colorScheme() === colorScheme
  return {
    result,
    changedTheme: isSame ? undefined : { theme: modal.theme.get(), colorScheme: modal.theme.colorScheme() },
  }
}
