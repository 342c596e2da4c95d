import type { Theme } from '../types/index'

export type ColorScheme = 'light' | 'dark'

export type ThemeSource = {
  get(): Theme
  colorScheme(): ColorScheme
  /** The theme's mode, or the system's preference for `auto`. */
  mode(): ColorScheme
  set(theme: Theme): void
  stop(): void
}

export function createThemeSource(
  // jsdom lacks `matchMedia`.
  window: Partial<Pick<Window, 'matchMedia'>>,
  initial: Theme,
  onChange: () => void,
): ThemeSource {
  const darkScheme = window.matchMedia?.('(prefers-color-scheme: dark)')
  const colorScheme = () => (darkScheme?.matches ? 'dark' : 'light')
  let theme = initial
  darkScheme?.addEventListener('change', onChange)
  return {
    get: () => theme,
    colorScheme,
    mode: () => (theme.mode === 'light' || theme.mode === 'dark' ? theme.mode : colorScheme()),
    set(next) {
      theme = next
      onChange()
    },
    stop: () => darkScheme?.removeEventListener('change', onChange),
  }
}
