/** Chromium with observers in each frame. */
import { type Browser, type BrowserContext, chromium, type Frame, type Page } from '@playwright/test'
import { chromiumArguments, findChromium } from '../../e2e/support/chromium'

declare global {
  interface Window {
    /** Epoch ms of the first visible wallet row. */
    benchRowAt?: number
    /** Resets, and watches from the next painted frame on. */
    benchWatchRow?: () => void
  }
}

export async function launch(): Promise<Browser> {
  const executablePath = findChromium()
  return chromium.launch({
    args: chromiumArguments('allowed'),
    ...(executablePath === undefined ? {} : { executablePath }),
  })
}

/** Nothing cached, nothing stored; each frame records its first row. */
export async function newVisitor(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  // Compiled functions call this helper.
  await context.addInitScript('globalThis.__name = (named) => named')
  await context.addInitScript(watchFirstRow)
  return context
}

/** A row counts once it has a box, is not hidden, and its frame was presented. */
function watchFirstRow(): void {
  if (window === window.top) return
  const look = () => {
    const row = document.querySelector('[data-row]')
    const seen =
      row !== null &&
      row.getBoundingClientRect().height > 0 &&
      row.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    if (!seen) return void requestAnimationFrame(look)
    const painted = new MessageChannel()
    painted.port1.onmessage = () => {
      window.benchRowAt = performance.timeOrigin + performance.now()
    }
    painted.port2.postMessage(null)
  }
  window.benchWatchRow = () => {
    delete window.benchRowAt
    requestAnimationFrame(look)
  }
  window.benchWatchRow()
}

export function modalFrame(page: Page, gateway: string): Frame {
  const frame = page.frames().find((candidate) => candidate.url().startsWith(gateway))
  if (frame === undefined) throw new Error('The page has no modal frame')
  return frame
}

/** Epoch ms. Polls rarely, so as not to distort the measurement. */
export async function firstRowAt(page: Page, gateway: string): Promise<number> {
  const isModal = (frame: Frame) => frame.url().startsWith(gateway)
  const frame = page.frames().find(isModal) ?? (await page.waitForEvent('framenavigated', isModal))
  const handle = await frame.waitForFunction(() => window.benchRowAt, undefined, { polling: 100 })
  const at = await handle.jsonValue()
  if (at === undefined) throw new Error('No wallet row was painted')
  return at
}
