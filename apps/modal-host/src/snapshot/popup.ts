import type { Clock } from '@postern/base/clock'

export type Popup = {
  readonly closed: boolean
  close(): void
  /** Access throws once the popup's first page has loaded. */
  readonly location: { readonly href?: string; replace(url: string): void }
}

/** Allowed only inside the click. */
export type ClickPowers = {
  readonly openPopup: (url: string) => Popup | null
  readonly requestStorageAccess: () => Promise<unknown>
}

/** In ms. */
const [pause, patience] = [25, 5_000]

/** Waits for the window's first page: of two pending navigations, the first to load cancels the other. */
export function navigatePopup(popup: Popup, url: string, clock: Clock): Promise<void> {
  const until = clock.now() + patience
  return new Promise((resolve) => {
    const look = () => {
      if (!popup.closed && isBlank(popup) && clock.now() < until) return void clock.after(pause, look)
      if (!popup.closed) popup.location.replace(url)
      resolve()
    }
    look()
  })
}

function isBlank({ location }: Popup): boolean {
  try {
    return location.href === 'about:blank'
  } catch {
    return false
  }
}

export type OpenedWindow = {
  isClosed(): boolean
  /** An http(s) URL only. */
  navigate(url: string): void
  close(): void
}

/** Without an opener, through which its page could navigate the modal's frame. */
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
