import { answerKnocks } from '../../link/handshake'
import { failure, PosternError } from '../../shared/errors'
import { blockedByPolicy, modalFailure } from '../failures'
import { createFrame, type Frame } from './frame'
import type { ModalEvent } from './machine'
import { checkOrigin, foreignAncestor } from './origin-check'
import type { Timers } from './timers'

/** Then the gateway is asked why the frame is silent. */
const knockGraceMs = 250

export type HostFrameOptions = {
  readonly window: Window & typeof globalThis
  readonly origin: string
  readonly projectId: string
  readonly sdk: string
  readonly timers: Pick<Timers, 'after'>
  readonly isAttached: () => boolean
  readonly dispatch: (event: ModalEvent) => void
}

export type HostFrame = Pick<Frame, 'show' | 'hide' | 'setTheme' | 'reload' | 'destroy'>

export function loadHostFrame(options: HostFrameOptions): HostFrame {
  const { window, origin, projectId, sdk, timers, dispatch } = options
  const { document } = window
  let hasKnocked = false
  let isDestroyed = false
  let stopKnockTimer = () => {}

  const frame = createFrame({
    document,
    src: `${origin}/?${new URLSearchParams({ projectId, sv: sdk })}`,
    onDismiss: () => dispatch({ type: 'dismiss' }),
    onRemoved: () => dispatch({ type: 'frameRemoved' }),
    onLoad() {
      stopKnockTimer()
      if (!hasKnocked) stopKnockTimer = timers.after(knockGraceMs, () => void explainSilence())
      hasKnocked = false
    },
  })
  const stopKnocks = answerKnocks({
    window,
    iframe: frame,
    origin,
    sdk,
    onKnock() {
      stopKnockTimer()
      hasKnocked = true
      dispatch({ type: 'knock' })
    },
    onWelcome: (port) => dispatch({ type: 'welcome', port }),
    onRefused: fail,
  })

  function fail(error: PosternError, foreign?: string): void {
    dispatch({ type: 'fail', error, ...(foreign !== undefined && { foreign }) })
  }

  function onViolation({ blockedURI, effectiveDirective }: SecurityPolicyViolationEvent): void {
    if (/^(frame|child|default)-src$/.test(effectiveDirective) && blockedURI.startsWith(origin))
      fail(policyFailure(`${effectiveDirective} does not allow ${origin}`))
  }
  document.addEventListener('securitypolicyviolation', onViolation)

  /** The browser does not report that `frame-ancestors` blocked the navigation. */
  async function explainSilence(): Promise<void> {
    const error = await checkOrigin(window, origin, projectId)
    if (isDestroyed || hasKnocked || options.isAttached()) return
    if (error === 'unreachable') dispatch({ type: 'unreachable' })
    else if (error !== undefined) fail(error)
    // This page is allowed, so the browser refused an ancestor.
    else if (window.top !== window) fail(modalFailure('ORIGIN_NOT_ALLOWED'), foreignAncestor(window))
    // Not a modal, or a script of the page blocks its messages.
    else dispatch({ type: 'unreachable' })
  }

  return {
    ...frame,
    destroy() {
      isDestroyed = true
      stopKnockTimer()
      stopKnocks()
      document.removeEventListener('securitypolicyviolation', onViolation)
      frame.destroy()
    },
  }
}

function policyFailure(cause: string): PosternError {
  const { code, message, fix } = failure('LOAD_FAILED')
  return new PosternError({ code, message, fix, data: blockedByPolicy }, new Error(cause))
}
