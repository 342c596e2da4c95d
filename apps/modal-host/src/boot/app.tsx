import type { I18n } from '@lingui/core'
import { I18nProvider, useLingui } from '@lingui/react'
import { textDirection } from '@postern/base/text-direction'
import { CopyFailureContext } from '@postern/ui/copy'
import { activateLocale } from '@postern/ui/locales/text'
import { applyTheme } from '@postern/ui/theme'
import {
  type ReactNode,
  Suspense,
  startTransition,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useReducer,
} from 'react'
import { useStore } from 'zustand'
import type { Host } from '../snapshot/contract'
import { HostContext, useSnapshot } from '../view-kit/host-context'
import { createHistory, type HistoryAction, HistoryContext, historyReducer } from '../view-kit/navigation'
import { forgetFailures } from './navigation/imported'
import { ViewBoundary } from './navigation/view-boundary'
import { StandalonePage } from './navigation/views'
import { Shell } from './shell/shell'

type AppProps = { readonly host: Host; readonly text: I18n; readonly root: HTMLElement }

export function App({ host, text, root }: AppProps) {
  const alone = useStore(host.store, ({ topLevel }) => topLevel === true)
  return (
    <HostContext value={host}>
      <I18nProvider i18n={text}>
        <Appearance text={text} root={root} />
        {alone ? (
          <ViewBoundary place="top level" onFailure={forgetFailures}>
            <Suspense>
              <StandalonePage />
            </Suspense>
          </ViewBoundary>
        ) : (
          <HistoryProvider host={host}>
            <CopyFailureContext value={(text) => host.actions.notify(text, 'bad')}>
              <Shell />
            </CopyFailureContext>
          </HistoryProvider>
        )}
      </I18nProvider>
    </HostContext>
  )
}

/** The previous view stays while a view's code loads (navigation/views.tsx). */
function HistoryProvider({ host, children }: { readonly host: Host; readonly children: ReactNode }) {
  const [history, dispatchNow] = useReducer(historyReducer, host, (from) => {
    const { open, opening } = from.store.getState()
    return createHistory(open ? opening.view : 'Connect')
  })
  const dispatch = useCallback((action: HistoryAction) => startTransition(() => dispatchNow(action)), [])
  const value = useMemo(() => ({ history, dispatch }), [history, dispatch])
  return <HistoryContext value={value}>{children}</HistoryContext>
}

function Appearance({ text, root }: { readonly text: I18n; readonly root: HTMLElement }) {
  const theme = useSnapshot((snapshot) => snapshot.theme)
  const mode = useSnapshot((snapshot) => snapshot.themeMode)
  const wanted = useSnapshot((snapshot) => snapshot.locale)
  const overrides = useSnapshot((snapshot) => snapshot.brand.overrides)
  const { locale } = useLingui().i18n
  useLayoutEffect(() => {
    applyTheme(root, theme, mode, (value) => CSS.supports('color', value))
  }, [root, theme, mode])
  useLayoutEffect(() => {
    root.lang = locale
    root.dir = textDirection(locale)
  }, [root, locale])
  useEffect(() => {
    activateLocale(text, wanted, overrides).catch(() => undefined)
  }, [text, wanted, overrides])
  return null
}
