/** Time to the first wallet row, cold and warm, and the SDK's cost on the dapp's thread. */
import type { Browser, Page } from '@playwright/test'
import { firstRowAt, modalFrame, newVisitor } from './browser'
import { limits } from './limits'
import { PageReport } from './pages'
import type { QuietBrowser } from './quiet-browser'
import { median } from './statistics'
import type { Line } from './table'

type Setting = { readonly browser: Browser; readonly dapp: string; readonly gateway: string; readonly samples: number }

const sdkReady = (page: Page) => page.waitForFunction(() => 'Postern' in window)

/** Like a click handler; returns the epoch ms. */
const open = (page: Page) =>
  page.evaluate(() => {
    const at = performance.timeOrigin + performance.now()
    document.getElementById('open')?.click()
    return at
  })

type ColdSetting = { readonly quiet: QuietBrowser; readonly dapp: string; readonly samples: number }

/** First-time visits, with only the SDK loaded; then those of a bare wagmi list, whose code is loaded before a click. */
export const clickToFirstRow = (setting: ColdSetting): Promise<Line[]> =>
  besideWagmi(
    setting,
    coldOpening(
      setting,
      '/cold-click',
      'click → first wallet row visible, nothing of ours loaded yet',
      limits.coldClick,
    ),
    ['/wagmi-click', 'the same of a bare list with wagmi and React, loaded'],
  )

export const presenceToFirstRow = (setting: ColdSetting): Promise<Line> =>
  coldOpening(
    setting,
    '/presence-click',
    'click → first wallet row visible, first scroll 1 s before',
    limits.presentClick,
  )

export const hoverToFirstRow = (setting: ColdSetting): Promise<Line> =>
  coldOpening(setting, '/hover-click', 'click → first wallet row visible, hover 150 ms before', limits.hoverClick)

export const navigationToFirstRow = (setting: ColdSetting): Promise<Line[]> =>
  besideWagmi(
    setting,
    coldOpening(
      setting,
      '/cold-navigation',
      'navigation → first wallet row visible, clicked at once',
      limits.navigation,
    ),
    ['/wagmi-navigation', 'the same of a bare list with wagmi and React'],
  )

/** Machines differ by more than two, a ratio of one run does not. */
async function besideWagmi(
  setting: ColdSetting,
  own: Promise<Line>,
  [path, what]: readonly [string, string],
): Promise<Line[]> {
  const line = await own
  const bare = await coldOpening(setting, path, what)
  const ratio = `${(line.measured / bare.measured).toFixed(2)} × a bare wagmi list`
  return [{ ...line, note: `${line.note}; ${ratio}` }, bare]
}

async function coldOpening(
  { quiet, dapp, samples }: ColdSetting,
  path: string,
  what: string,
  budget?: number,
): Promise<Line> {
  const times: number[] = []
  for (let sample = 0; sample < samples; sample += 1) {
    const { pageResult } = await quiet.visit(`${dapp}${path}`)
    const { began, row } = PageReport.parse(pageResult)
    times.push(row - began)
  }
  return { what, measured: median(times), unit: 'ms', ...(budget !== undefined && { budget }), note: spread(times) }
}

/** Repeated openings of a loaded frame. */
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
    budget: limits.warmOpen,
    note: spread(times),
  }
}

/**
 * CPU time until the first row, minus that of the page without the SDK.
 *
 * @param bare time of a bare channel on this machine, there and back, in ms: the budget is relative to it.
 */
export async function pageScriptTime({ quiet, dapp, samples }: ColdSetting, bare: number): Promise<Line> {
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
    budget: (limits.scriptTime * bare) / limits.bareChannel,
    note: `of the processor; ${median(withSdk).toFixed(1)} ms with, ${median(without).toFixed(1)} ms without, medians of ${samples}; ${limits.scriptTime} ms where a bare channel takes ${limits.bareChannel} ms`,
  }
}

/** Paths of the scripts loaded when the first row showed. */
export async function initialScripts({ browser, dapp, gateway }: Setting): Promise<string[]> {
  const context = await newVisitor(browser)
  const page = await context.newPage()
  const requests: { readonly path: string; readonly at: number }[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.origin === gateway && request.frame() !== page.mainFrame() && url.pathname.endsWith('.js')) {
      requests.push({ path: url.pathname, at: Date.now() })
    }
  })
  await page.goto(`${dapp}/clicked-at-once`)
  const seen = await firstRowAt(page, gateway)
  await context.close()
  return [...new Set(requests.filter(({ at }) => at <= seen).map(({ path }) => path))]
}

const spread = (times: readonly number[]) =>
  `median of ${times.length}; ${Math.min(...times).toFixed(0)} to ${Math.max(...times).toFixed(0)} ms`
