/** How long a visitor waits for the first wallet row, cold and warm, and what the SDK costs the dapp's own thread. */
import type { Browser, Page } from '@playwright/test'
import * as z from 'zod/mini'
import { firstRowAt, modalFrame, newVisitor } from './browser'
import type { QuietBrowser } from './quiet-browser'
import { median } from './statistics'
import type { Line } from './table'

type Setting = { readonly browser: Browser; readonly dapp: string; readonly gateway: string; readonly samples: number }

const sdkReady = (page: Page) => page.waitForFunction(() => 'Postern' in window)

/** Opens by the same call that a click's handler makes, and gives the epoch ms of it. */
const open = (page: Page) =>
  page.evaluate(() => {
    const at = performance.timeOrigin + performance.now()
    document.getElementById('open')?.click()
    return at
  })

type ColdSetting = { readonly quiet: QuietBrowser; readonly dapp: string; readonly samples: number }

/** Each sample is a visitor who was never here; the SDK is on the page, and nothing else of ours is loaded. */
export const clickToFirstRow = (setting: ColdSetting): Promise<Line> =>
  coldOpening(setting, '/cold-click', 'click → first wallet row visible, nothing of ours loaded yet', 200)

export const navigationToFirstRow = (setting: ColdSetting): Promise<Line> =>
  coldOpening(setting, '/cold-navigation', 'navigation → first wallet row visible, clicked at once', 245)

async function coldOpening(
  { quiet, dapp, samples }: ColdSetting,
  path: string,
  what: string,
  budget: number,
): Promise<Line> {
  const times: number[] = []
  for (let sample = 0; sample < samples; sample += 1) {
    const { said } = await quiet.visit(`${dapp}${path}`)
    times.push(z.number().parse(said))
  }
  return { what, measured: median(times), unit: 'ms', budget, note: spread(times) }
}

/** One visitor who opens and closes again and again: the frame is loaded and its list is there. */
export async function warmOpen({ browser, dapp, gateway, samples }: Setting): Promise<Line> {
  const context = await newVisitor(browser)
  const page = await context.newPage()
  await page.goto(`${dapp}/dapp`)
  await sdkReady(page)
  await open(page)
  await firstRowAt(page, gateway)
  const times: number[] = []
  for (let sample = 0; sample < samples; sample += 1) {
    await page.evaluate(() => document.getElementById('close')?.click())
    await page.frameLocator('iframe').locator('[data-row]').first().waitFor({ state: 'hidden' })
    const frame = modalFrame(page, gateway)
    await frame.evaluate(() => window.benchWatchRow?.())
    const clicked = await open(page)
    times.push((await firstRowAt(page, gateway)) - clicked)
  }
  await context.close()
  return {
    what: 'open → first wallet row visible, frame warm',
    measured: median(times),
    unit: 'ms',
    budget: 33,
    note: spread(times),
  }
}

/** Time of the processor that the dapp's own thread spends in scripts until the first row shows, less that of the same page without the SDK. */
export async function pageScriptTime({ quiet, dapp, samples }: ColdSetting): Promise<Line> {
  const withSdk: number[] = []
  const without: number[] = []
  for (let sample = 0; sample < samples; sample += 1) {
    without.push((await quiet.visit(`${dapp}/without-sdk`)).scriptTime)
    withSdk.push((await quiet.visit(`${dapp}/cold-navigation`)).scriptTime)
  }
  return {
    what: "script time on the dapp's page until ready",
    measured: median(withSdk) - median(without),
    unit: 'ms',
    budget: 5,
    note: `of the processor; ${median(withSdk).toFixed(1)} ms with, ${median(without).toFixed(1)} ms without, medians of ${samples}`,
  }
}

/** The scripts that the modal frame had loaded when its first row showed, as paths. */
export async function initialScripts({ browser, dapp, gateway }: Setting): Promise<string[]> {
  const context = await newVisitor(browser)
  const page = await context.newPage()
  const asked: { readonly path: string; readonly at: number }[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.origin === gateway && request.frame() !== page.mainFrame() && url.pathname.endsWith('.js')) {
      asked.push({ path: url.pathname, at: Date.now() })
    }
  })
  await page.goto(`${dapp}/clicked-at-once`)
  const seen = await firstRowAt(page, gateway)
  await context.close()
  return [...new Set(asked.filter(({ at }) => at <= seen).map(({ path }) => path))]
}

const spread = (times: readonly number[]) =>
  `median of ${times.length}; ${Math.min(...times).toFixed(0)} to ${Math.max(...times).toFixed(0)} ms`
