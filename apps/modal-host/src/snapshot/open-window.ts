import type { Popup } from './popup'

export type OpenedWindow = {
  isClosed(): boolean
  /** Navigates to an http(s) URL only. */
  navigate(url: string): void
  close(): void
}

/** Opens a window without an opener, through which its page could navigate the modal's frame. */
export function openWindow(openPopup: (url: string) => Popup | null): OpenedWindow | null {
  const popup = openPopup('about:blank')
  if (popup === null) return null
  Reflect.set(popup, 'opener', null)
  return {
    isClosed: () => popup.closed,
    navigate(url) {
      if (/^https?:\/\//i.test(url)) popup.location.replace(url)
    },
    close: () => popup.close(),
  }
}
