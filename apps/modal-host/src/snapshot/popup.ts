import type { Clock } from '@postern/protocol/clock'

/** As much of a window of ours as may be touched once it shows another origin. */
export type Popup = {
  readonly closed: boolean
  close(): void
  /** `href` can be read while the window is blank, and throws from its first page on. */
  readonly location: { readonly href?: string; replace(url: string): void }
}

/** What only the click itself may do, and so nothing that loads first. */
export type ClickPowers = {
  /** Null where the browser blocks it. */
  readonly openPopup: (url: string) => Popup | null
  /** Storage Access API: settles with the visitor's answer; rejects where the browser has none. */
  readonly requestStorageAccess: () => Promise<unknown>
}

/** Between two looks at the window, and until it is led on all the same. ms. */
const [pause, patience] = [25, 5_000]

/**
 * Leads a window to `url` once its first page is there: of two navigations that are under way, the page that arrives first ends the other one, and the
 * wallet's frame can answer before the window's first page came.
 */
export function leadPopup(popup: Popup, url: string, clock: Clock): Promise<void> {
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
