/** A real Chromium and what is watched in each of its frames. */
import { type Browser, type BrowserContext, chromium, type Frame, type Page } from '@playwright/test'
import { chromiumArguments, findChromium } from '../../e2e/support/chromium'

declare global {
  interface Window {
    /** Epoch ms at which the first wallet row was on screen, once it was. */
    benchRowAt?: number
    /** Forgets the last sighting and watches from the next painted frame on. */
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

/** A visitor who was never here: nothing cached, nothing stored. Each frame notes when its first row was painted. */
export async function newVisitor(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  // Functions that travel to the page were compiled with a call to this.
  await context.addInitScript('globalThis.__name = (named) => named')
  await context.addInitScript(watchFirstRow)
  return context
}

/** Runs in every frame. A row counts once it has a box, nothing hides it, and the frame that shows it was handed on. */
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
  if (frame === undefined) throw new Error('The modal frame is not there')
  return frame
}

/** Epoch ms at which the first wallet row was on screen. Asks the frame alone and seldom: the waiting must not be what is measured. */
export async function firstRowAt(page: Page, gateway: string): Promise<number> {
  const isModal = (frame: Frame) => frame.url().startsWith(gateway)
  const frame = page.frames().find(isModal) ?? (await page.waitForEvent('framenavigated', isModal))
  const handle = await frame.waitForFunction(() => window.benchRowAt, undefined, { polling: 100 })
  const at = await handle.jsonValue()
  if (at === undefined) throw new Error('No row was seen')
  return at
}
