import type { PosternError } from '../../shared/errors'
import { noop } from '../../shared/noop'
import type { State } from '../../state/state'
import type { Theme } from '../../types/index'
import { blockedByPolicy } from '../failures'
import { developmentOrigin } from '../host-warning'
import { applyTheme, createRoot, rememberFocus, tokens } from '../styles'

type AlertText = readonly [title: string, text: string]

const appConfiguration = 'Invalid App Configuration'

/** `errors.test.ts` compares these with the catalogue. */
export const alertTexts: Readonly<Record<string, AlertText>> = {
  LOAD_FAILED: [
    'Network Error - Could not load embedded wallet',
    'Couldn’t load the wallet. Check your connection, and whether the page’s policy, a script or an extension blocks {host}.',
  ],
  ORIGIN_NOT_ALLOWED: [
    appConfiguration,
    '{origin} is not on the allowlist of this project. Add it to the project’s allowed origins.',
  ],
  INVALID_PROJECT_ID: [appConfiguration, 'The project id {projectId} isn’t valid. Check it with your gateway.'],
  PROJECT_ID_NOT_CONFIGURED: [
    'Project ID Not Configured',
    'This app has no project id. Set projectId to the id of your project.',
  ],
}

const policyTexts: AlertText = [
  appConfiguration,
  'The page’s Content-Security-Policy does not allow {host}. Add it to frame-src.',
]

const sandboxTexts: AlertText = [
  appConfiguration,
  'This page has no origin. Add allow-same-origin to the sandbox of its frame.',
]

export const oldBrowserText =
  'This browser is too old. Update it, or use Chrome 111, Firefox 121, Safari 16.4 or newer.'

/** Both features are newer than the oldest supported browsers. */
const isOldBrowser = () =>
  globalThis.CSS?.supports?.('selector(:has(a)) and (color: color-mix(in srgb, red, red))') === false

const styles = `${tokens}
div{position:fixed;inset:16px 0 auto;margin:auto;width:min(360px,100vw - 32px);padding:16px;color:#55605a;overflow-wrap:anywhere;outline:0;font:450 14px/1.45 var(--pt-font,"Inter Variable"),Inter,system-ui,sans-serif;--t1:#0f1512}
div[data-theme=dark]{color:#a6b1ab;--t1:#eef3f0}
h2{margin:0 0 4px;color:var(--t1);font-size:15px;font-weight:600}
p{margin:0 0 16px}
span{display:flex;gap:8px}
button{flex:1;min-height:44px;border:0;border-radius:calc(16px*var(--pt-r,1));background:var(--s2);color:var(--t1);font:inherit;font-weight:550;cursor:pointer}
button:first-child{background:var(--t1);color:var(--s1)}
button:focus-visible{outline:2px solid var(--pt-accent,#0d7565);outline-offset:2px}
`

export type AlertOptions = {
  readonly document: Document
  readonly error: PosternError
  readonly values: Readonly<Record<string, string>>
  readonly mode: 'light' | 'dark'
  readonly theme: Theme
  readonly state: Pick<State, 'get'>
  readonly onRetry: () => void
}

/** Set in the script tag, which has no other languages. */
declare const __POSTERN_INTEGRITY__: unknown

function textsOf({ code, message, data }: PosternError, origin = ''): AlertText {
  const [title, text] = alertTexts[code] ?? ['Something went wrong', message]
  // The message names each wrong option, for developers.
  if (code === 'INVALID_PARAMS')
    return developmentOrigin.test(origin) ? [appConfiguration, text] : [title, text.replace(/:.*/s, '')]
  if (code === 'SWITCH_NETWORK_NOT_FOUND') return ['Network Not Found', message]
  if (code === 'ORIGIN_NOT_ALLOWED' && origin === 'null') return sandboxTexts
  if (code !== 'LOAD_FAILED') return [title, text]
  if (data === blockedByPolicy) return policyTexts
  return [title, isOldBrowser() ? oldBrowserText : text]
}

/** Returns a function that removes the alert. */
export function showAlert({ document, error, values, mode, theme, state, onRetry }: AlertOptions): () => void {
  const [title, text] = textsOf(error, values.origin)
  const { host, root } = createRoot(document, 'postern-alert', styles)
  const restoreFocus = rememberFocus(document)
  const dialog = document.createElement('div')

  function add(parent: HTMLElement, name: string, content: string): HTMLElement {
    const element = document.createElement(name)
    element.textContent = content
    parent.append(element)
    return element
  }

  function close(): void {
    if (!host.isConnected) return
    host.remove()
    restoreFocus()
  }

  dialog.role = 'alertdialog'
  dialog.tabIndex = -1
  dialog.ariaLabel = title
  dialog.style.zIndex = `${theme.zIndex ?? 999}`
  applyTheme(dialog, mode, theme)
  add(dialog, 'h2', title)
  add(
    dialog,
    'p',
    text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole),
  ).id = 'p'
  dialog.setAttribute('aria-describedby', 'p')
  const actions = add(dialog, 'span', '')
  add(actions, 'button', 'Try again').onclick = () => {
    close()
    onRetry()
  }
  add(actions, 'button', 'Dismiss').onclick = close
  dialog.onkeydown = ({ key }) => {
    if (key === 'Escape') close()
  }
  if (typeof __POSTERN_INTEGRITY__ === 'undefined')
    import('./alert-words').then(({ translateAlert }) => translateAlert(dialog, text, values, state), noop)
  root.append(dialog)
  // An open modal dialog makes everything outside it inert.
  ;[...document.querySelectorAll('html,dialog[open]')].pop()?.append(host)
  dialog.focus({ preventScroll: true })
  return close
}
