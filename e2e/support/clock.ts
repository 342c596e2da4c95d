import type { Page } from '@playwright/test'

/**
 * Playwright's clock for the frames of the page, before the first visit. The page's own timers keep their time: when the
 * clock jumps, the SDK would take the heartbeats of the jump for unanswered and load the modal again.
 */
export async function installClock(page: Page): Promise<void> {
  await page.context().addInitScript(() => {
    if (window.top !== window) return
    for (const name of ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const) {
      const own = window[name].bind(window)
      Object.defineProperty(window, name, { get: () => own, set: () => undefined, configurable: true })
    }
  })
  await page.clock.install()
}
