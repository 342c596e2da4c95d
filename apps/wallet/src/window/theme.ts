import { limits, type ThemeMode } from '@postern/protocol'

/** The browser's theme, until the returned function sets the modal's. */
export function followTheme(root: HTMLElement): (mode: ThemeMode) => void {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  let modal: ThemeMode | null = null
  const set = () => {
    root.dataset.theme = modal ?? (dark.matches ? 'dark' : 'light')
  }
  dark.addEventListener('change', set)
  set()
  return (mode) => {
    modal = mode
    set()
  }
}

/** By CSSOM, because the page's policy allows no inline styles. */
export function applyLimits({ style }: HTMLElement): void {
  style.setProperty('--limit-view', `${limits.viewTransition}ms`)
  style.setProperty('--limit-shake', `${limits.shake}ms`)
}
