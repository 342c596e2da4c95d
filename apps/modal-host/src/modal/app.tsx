import type { I18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { Suspense, useEffect, useLayoutEffect, useState } from 'react'
import { MemoryRouter } from 'react-router'
import { useStore } from 'zustand'
import { activateLocale, textDirection, useLocale } from '../locales/text'
import type { Host } from '../session/contract'
import { HostContext, useSnapshot } from '../views/host-context'
import { viewPath } from '../views/navigation'
import { Shell } from './shell'
import { applyTheme } from './theme'
import { ViewBoundary } from './view-boundary'
import { LaterView } from './views'

type AppProps = { readonly host: Host; readonly text: I18n; readonly root: HTMLElement }

const loadTopLevel = () => import('./top-level')

export function App({ host, text, root }: AppProps) {
  const alone = useStore(host.store, ({ topLevel }) => topLevel === true)
  // The router listens to nobody before its first render is over, so that one must be at the right view already.
  const [initialEntries] = useState(() => {
    const { open, opening } = host.store.getState()
    return [{ pathname: viewPath(open ? opening.view : 'Connect'), state: { depth: 0 } }]
  })
  return (
    <HostContext value={host}>
      <I18nProvider i18n={text}>
        <Appearance text={text} root={root} />
        {alone ? (
          <ViewBoundary place="top level">
            <Suspense>
              <LaterView load={loadTopLevel} />
            </Suspense>
          </ViewBoundary>
        ) : (
          <MemoryRouter initialEntries={initialEntries}>
            <Shell />
          </MemoryRouter>
        )}
      </I18nProvider>
    </HostContext>
  )
}

/** The dapp's theme and the page's language, put on the root element. */
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
    // A language that does not arrive leaves the one that is shown: English says the same.
    activateLocale(text, wanted).catch(() => undefined)
  }, [text, wanted])
  return null
}
