/** Draws approvals and code entry in the wallet's frame. Loads with the first one. */
import '@postern/ui/theme.css'
import { I18nProvider } from '@lingui/react'
import { textDirection } from '@postern/base/text-direction'
import { type FrameExit, limits, type Theme, type ThemeMode } from '@postern/protocol'
import { CopyFailureContext } from '@postern/ui/copy'
import { activateLocale, createText, useText } from '@postern/ui/locales/text'
import { applyTheme } from '@postern/ui/theme'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { followPointer, type WatchArming, watchArming } from './arming/arming'
import { ApprovalCard, type ApprovalCardProps } from './card/approval-card'
import type { ContinueInWindowProps } from './card/continue-in-window'
import { CodeCard, type DrawnCode } from './code/code-card'
import styles from './drawing.module.css'
import { frameExit } from './frame-exit'

export type Look = { readonly mode: ThemeMode; readonly theme: Omit<Theme, 'mode'>; readonly locale: string }

export type DrawnApproval = Omit<ApprovalCardProps, 'onApprove' | 'onReject' | 'retry' | 'watch' | 'elsewhere'> & {
  readonly isPreparing: boolean
  readonly elsewhere: Omit<ContinueInWindowProps, 'onContinue' | 'onReject'> | null
}

export type DrawingHandlers = {
  /** The request that was on screen at the press. */
  readonly onApprove: (request: DrawnApproval['request']) => void
  readonly onReject: (request: DrawnApproval['request']) => void
  readonly onRetry: (request: DrawnApproval['request']) => void
  /** Called inside the click, so that the window may open. */
  readonly onContinue: () => void
  readonly onHeight: (id: string, height: number) => void
  readonly onLeft: (by: FrameExit) => void
}

export type Drawing = {
  draw(shown: DrawnApproval | DrawnCode | null): void
  /** Resolves once the language has loaded. */
  setLook(look: Look): Promise<void>
  end(): void
}

export function createDrawing(document: Document, handlers: DrawingHandlers): Drawing {
  const page = document.documentElement
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  const text = createText()
  page.style.setProperty('--limit-view', `${limits.viewTransition}ms`)
  return {
    draw(shown) {
      root.render(
        shown === null ? null : (
          <I18nProvider i18n={text}>
            {'request' in shown ? (
              <FramedApproval shown={shown} handlers={handlers} />
            ) : (
              <FramedCode key={shown.id} code={shown} handlers={handlers} />
            )}
          </I18nProvider>
        ),
      )
    },
    async setLook({ mode, theme, locale }) {
      applyTheme(page, theme, mode, (value) => CSS.supports('color', value))
      await activateLocale(text, locale).catch(() => {})
      page.lang = text.locale
      page.dir = textDirection(text.locale)
    },
    end() {
      root.unmount()
      place.remove()
    },
  }
}

/** Followed since before the first request. */
const pointer = followPointer(window)

/** True with IntersectionObserver v2. */
const reportsCovers = 'IntersectionObserverEntry' in window && 'isVisible' in IntersectionObserverEntry.prototype

/** All of the frame must be visible, not only the button. If the browser reports no covers, a code counts at once. */
const watchFrame: WatchArming = (button, onArmed, onVisible) => {
  if (onVisible !== undefined && !reportsCovers) {
    onVisible(true)
    onArmed(true)
    return () => undefined
  }
  const frame = button.closest('main')
  return watchArming(frame === null ? [button] : [frame, button], onArmed, pointer, onVisible)
}

function FramedApproval({ shown, handlers }: { readonly shown: DrawnApproval; readonly handlers: DrawingHandlers }) {
  const t = useText()
  const [copyFailure, setCopyFailure] = useState('')
  const { elsewhere, isPreparing, ...card } = shown
  const { request } = shown
  return (
    <Framed id={request.id} label={t('title.ApproveTransaction')} handlers={handlers}>
      <CopyFailureContext value={setCopyFailure}>
        <ApprovalCard
          {...card}
          elsewhere={elsewhere === null ? undefined : { ...elsewhere, onContinue: handlers.onContinue }}
          onApprove={() => handlers.onApprove(request)}
          onReject={() => handlers.onReject(request)}
          retry={
            request.blocked === 'NETWORK_UNREACHABLE'
              ? { isBusy: isPreparing, onRetry: () => handlers.onRetry(request) }
              : undefined
          }
          watch={watchFrame}
        />
      </CopyFailureContext>
      <p className={styles.copyFailure} role="status">
        {copyFailure}
      </p>
    </Framed>
  )
}

function FramedCode({ code, handlers }: { readonly code: DrawnCode; readonly handlers: DrawingHandlers }) {
  const t = useText()
  return (
    <Framed id={code.id} label={t('code.title', { purpose: code.purpose.kind })} handlers={handlers}>
      <CodeCard code={code} watch={watchFrame} />
    </Framed>
  )
}

type FramedProps = {
  readonly id: string
  readonly label: string
  readonly handlers: DrawingHandlers
  readonly children: ReactNode
}

function Framed({ id, label, handlers, children }: FramedProps) {
  const frame = useRef<HTMLElement>(null)
  const content = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (id !== '' && frame.current !== null) frame.current.scrollTop = 0
  }, [id])
  useLayoutEffect(() => {
    const measured = content.current
    if (measured === null) return
    const report = () => handlers.onHeight(id, measured.offsetHeight)
    // Browsers do not draw a frame outside of the view, so observers would wait.
    report()
    const observer = new ResizeObserver(report)
    observer.observe(measured)
    return () => observer.disconnect()
  }, [id, handlers])
  useEffect(() => {
    const main = frame.current
    if (main === null) return
    const { ownerDocument } = main
    let timer = 0
    const enter = () => {
      if (ownerDocument.activeElement === ownerDocument.body) firstStop(main).focus({ preventScroll: true })
    }
    // For typing a code or scrolling with arrow keys. Deferred: in Firefox it would end the focus of a press.
    const onFocus = () => {
      timer = window.setTimeout(enter)
    }
    const onKeyDown = (event: KeyboardEvent) => {
      // WebKit lets the frame move the focus only after a key or press in it.
      enter()
      const by = frameExit(main, event)
      if (by === null) return
      event.preventDefault()
      handlers.onLeft(by)
    }
    ownerDocument.defaultView?.addEventListener('focus', onFocus)
    ownerDocument.addEventListener('keydown', onKeyDown)
    if (ownerDocument.hasFocus()) onFocus()
    return () => {
      clearTimeout(timer)
      ownerDocument.defaultView?.removeEventListener('focus', onFocus)
      ownerDocument.removeEventListener('keydown', onKeyDown)
    }
  }, [handlers])
  return (
    <main ref={frame} className={styles.frame} tabIndex={-1} aria-label={label}>
      <div ref={content} className={styles.content}>
        {children}
      </div>
    </main>
  )
}

/** Avoids an on-screen keyboard. In Firefox, the field cannot focus itself while the modal hides the frame. */
function firstStop(main: HTMLElement): HTMLElement {
  const field = matchMedia('(pointer: coarse)').matches ? null : main.querySelector<HTMLElement>('[data-first]')
  return field ?? main
}
