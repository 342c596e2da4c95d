import type { I18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { activateLocale, textDirection, useLocale } from '@postern/ui/locales/text'
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
import { type Move, move, WayContext, wayTo } from '../view-kit/navigation'
import { forgetFailures } from './imported'
import { Shell } from './shell'
import { applyTheme } from './theme'
import { ViewBoundary } from './view-boundary'
import { StandalonePage } from './views'

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
          <Way host={host}>
            <Shell />
          </Way>
        )}
      </I18nProvider>
    </HostContext>
  )
}

/** While a view's code loads, the previous view stays (views.tsx). */
function Way({ host, children }: { readonly host: Host; readonly children: ReactNode }) {
  const [way, dispatch] = useReducer(move, host, (from) => {
    const { open, opening } = from.store.getState()
    return wayTo(open ? opening.view : 'Connect')
  })
  const take = useCallback((step: Move) => startTransition(() => dispatch(step)), [])
  const value = useMemo(() => ({ way, take }), [way, take])
  return <WayContext value={value}>{children}</WayContext>
}

function Appearance({ text, root }: { readonly text: I18n; readonly root: HTMLElement }) {
  const theme = useSnapshot((snapshot) => snapshot.theme)
  const mode = useSnapshot((snapshot) => snapshot.themeMode)
  const wanted = useSnapshot((snapshot) => snapshot.locale)
  const locale = useLocale()
  useLayoutEffect(() => {
    applyTheme(root, theme, mode, (value) => CSS.supports('color', value))
  }, [root, theme, mode])
  useLayoutEffect(() => {
    root.lang = locale
    root.dir = textDirection(locale)
  }, [root, locale])
  useEffect(() => {
    activateLocale(text, wanted).catch(() => undefined)
  }, [text, wanted])
  return null
}
