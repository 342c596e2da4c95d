/** The page's theme, which the modal follows. The page stores it. */
import type { Theme } from '@postern/client'

export const modes = ['auto', 'light', 'dark'] as const
export type Mode = (typeof modes)[number]
export const modeWords: Readonly<Record<Mode, string>> = { auto: 'System', light: 'Light', dark: 'Dark' }

export const accents = ['verdigris', 'blue', 'plum'] as const
export type Accent = (typeof accents)[number]
export const accentWords: Readonly<Record<Accent, string>> = { verdigris: 'Verdigris', blue: 'Blue', plum: 'Plum' }
const accentColours: Readonly<Record<Exclude<Accent, 'verdigris'>, { light: string; dark: string }>> = {
  blue: { light: '#2457d6', dark: '#8fb0ff' },
  plum: { light: '#8b3a8f', dark: '#e29be6' },
}

export type Look = { readonly mode: Mode; readonly accent: Accent }

const key = 'demo/look'

export function readLook(page: Window): Look {
  try {
    const [mode, accent] = (page.localStorage.getItem(key) ?? '').split(' ')
    return {
      mode: modes.find((one) => one === mode) ?? 'auto',
      accent: accents.find((one) => one === accent) ?? 'verdigris',
    }
  } catch {
    return { mode: 'auto', accent: 'verdigris' }
  }
}

export function storeLook(page: Window, { mode, accent }: Look): void {
  try {
    page.localStorage.setItem(key, `${mode} ${accent}`)
  } catch {
    // Without storage, the choice lasts until the next reload.
  }
}

const isDark = (page: Window, mode: Mode) =>
  mode === 'dark' || (mode === 'auto' && page.matchMedia('(prefers-color-scheme: dark)').matches)

export function applyLook(page: Window, { mode, accent }: Look): void {
  const { dataset } = page.document.documentElement
  dataset.theme = isDark(page, mode) ? 'dark' : 'light'
  dataset.accent = accent
}

export function themeOf(page: Window, { mode, accent }: Look): Theme {
  if (accent === 'verdigris') return { mode }
  return { mode, accent: accentColours[accent][isDark(page, mode) ? 'dark' : 'light'] }
}

export function onSchemeChange(page: Window, listener: () => void): () => void {
  const query = page.matchMedia('(prefers-color-scheme: dark)')
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}
