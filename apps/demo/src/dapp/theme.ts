/** The page's theme and the modal's are one choice. Kept by the page; a page without storage follows the system again. */
import type { Theme } from '@postern/client'

export const modes = ['auto', 'light', 'dark'] as const
export type Mode = (typeof modes)[number]
export const modeWords: Readonly<Record<Mode, string>> = { auto: 'System', light: 'Light', dark: 'Dark' }

export const accents = ['verdigris', 'blue', 'plum'] as const
export type Accent = (typeof accents)[number]
export const accentWords: Readonly<Record<Accent, string>> = { verdigris: 'Verdigris', blue: 'Blue', plum: 'Plum' }
/** The same colours as in `demo.css`, for light and dark surfaces. */
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

export function keepLook(page: Window, { mode, accent }: Look): void {
  try {
    page.localStorage.setItem(key, `${mode} ${accent}`)
  } catch {
    // The choice then lasts until the next reload.
  }
}

const isDark = (page: Window, mode: Mode) =>
  mode === 'dark' || (mode === 'auto' && page.matchMedia('(prefers-color-scheme: dark)').matches)

/** Draws the page in a look. */
export function applyLook(page: Window, { mode, accent }: Look): void {
  const { dataset } = page.document.documentElement
  dataset.theme = isDark(page, mode) ? 'dark' : 'light'
  dataset.accent = accent
}

/** The same look for the modal. */
export function themeOf(page: Window, { mode, accent }: Look): Theme {
  if (accent === 'verdigris') return { mode }
  return { mode, accent: accentColours[accent][isDark(page, mode) ? 'dark' : 'light'] }
}

/** Calls back when the system's colour scheme changes; returns what ends it. */
export function onSchemeChange(page: Window, listener: () => void): () => void {
  const query = page.matchMedia('(prefers-color-scheme: dark)')
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}
