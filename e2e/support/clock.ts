import type { Locator, Page } from '@playwright/test'
import { limits } from '@postern/protocol'
import { expect } from './expect'

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

/**
 * The frames' timers stand still, until `page.clock.resume()`. `frame` is the root of one of them. The clock cannot go back,
 * and a slow machine may take long between the look at it and the pause: so it stops a second later, or at the next try.
 */
export async function pauseClock(page: Page, frame: Locator): Promise<void> {
  await expect(async () => {
    // real time: the frame’s own clock, where it stands
    await page.clock.pauseAt((await frame.evaluate(() => Date.now())) + 1_000)
  }).toPass({ timeout: 20_000 })
}

/**
 * Waits for what the frames learn by polling, and skips the time between two polls. Needs {@link installClock}.
 *
 * It jumps half a pause at a time, and lets the frames answer each other's heartbeats in between.
 */
export async function skipPolls<R>(page: Page, wait: () => Promise<R>): Promise<R> {
  let isDone = false
  const end = () => {
    isDone = true
  }
  const done = wait()
  done.then(end, end)
  await expect(async () => {
    await page.clock.fastForward(limits.rpcPollingInterval / 2)
    await expect.poll(() => isDone, { timeout: 500 }).toBe(true)
  }).toPass({ intervals: [0], timeout: 60_000 })
  return done
}
