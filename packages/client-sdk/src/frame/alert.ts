import type { PosternError } from '../errors'
import type { Theme } from '../types'
import { alertStyles, applyTheme, createRoot, deepActive } from './styles'

type AlertText = readonly [title: string, text: string]

const appConfiguration = 'Invalid App Configuration'

/** Titles and texts of the catalogue, held equal to it by `alert.test.ts`. */
export const alertTexts: Readonly<Record<string, AlertText>> = {
  IFRAME_LOAD_FAILED: [
    'Network Error - Could not load embedded wallet',
    'The wallet’s frame did not load. Check your connection, and whether the page’s policy or an extension blocks {host}.',
  ],
  ORIGIN_NOT_ALLOWED: [
    appConfiguration,
    'The origin {origin} is not on the allowlist of this project. Add it to the project’s allowed origins.',
  ],
  INVALID_PROJECT_ID: [appConfiguration, 'The project id {projectId} is not valid. Check it with your gateway.'],
  PROJECT_ID_NOT_CONFIGURED: [
    'Project ID Not Configured',
    'This app has no project id. Set projectId to the id of your project.',
  ],
}

export type AlertOptions = {
  readonly document: Document
  readonly error: PosternError
  /** Fill the braces of the texts. */
  readonly values: Readonly<Record<string, string>>
  readonly mode: 'light' | 'dark'
  readonly theme: Theme
  readonly onRetry: () => void
  readonly onClose: () => void
}

/**
 * Says in the page why the modal cannot be had, in a named alert dialog with a way forward and a way out (Escape, too). Focus goes to it
 * and returns. Returns what takes it away.
 */
export function showAlert({ document, error, values, mode, theme, onRetry, onClose }: AlertOptions): () => void {
  const [title, text] = alertTexts[error.code] ?? ['Something went wrong', error.message]
  const { host, root } = createRoot(document, 'postern-alert', alertStyles)
  const opener = deepActive(document)
  const dialog = document.createElement('div')
  const actions = document.createElement('div')

  function add(parent: HTMLElement, name: string, content: string): HTMLElement {
    const element = document.createElement(name)
    element.textContent = content
    parent.append(element)
    return element
  }

  function close(): void {
    if (!host.isConnected) return
    host.remove()
    if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true })
    onClose()
  }

  dialog.setAttribute('role', 'alertdialog')
  dialog.tabIndex = -1
  dialog.style.zIndex = String(theme.zIndex ?? 999)
  applyTheme(dialog, mode, theme)
  add(dialog, 'h2', title).id = 'title'
  add(
    dialog,
    'p',
    text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole),
  ).id = 'text'
  dialog.setAttribute('aria-labelledby', 'title')
  dialog.setAttribute('aria-describedby', 'text')
  add(actions, 'button', 'Try again').addEventListener('click', () => {
    close()
    onRetry()
  })
  add(actions, 'button', 'Dismiss').addEventListener('click', close)
  dialog.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') close()
  })
  dialog.append(actions)
  root.append(dialog)
  document.documentElement.append(host)
  dialog.focus({ preventScroll: true })
  return close
}
