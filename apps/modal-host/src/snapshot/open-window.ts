import type { Popup } from './popup'

/** A window of ours that shows somebody else's page. */
export type OpenedWindow = {
  isClosed(): boolean
  /** Leads it to an http(s) address. */
  lead(url: string): void
  close(): void
}

/** The page that is shown there gets no way back to this one: a stranger's page with an opener could lead the modal's frame elsewhere. */
export function openWindow(openPopup: (url: string) => Popup | null): OpenedWindow | null {
  const popup = openPopup('about:blank')
  if (popup === null) return null
  Reflect.set(popup, 'opener', null)
  return {
    isClosed: () => popup.closed,
    lead(url) {
      if (/^https?:\/\//i.test(url)) popup.location.replace(url)
    },
    close: () => popup.close(),
  }
}
