/** 1,000 wallets: rows in the document, and paint time after a keystroke. */
import type { Browser } from '@playwright/test'
import { modalFrame, newVisitor } from './browser'
import { limits } from './limits'
import { median } from './statistics'
import type { Line } from './table'

type Setting = { readonly browser: Browser; readonly dapp: string; readonly gateway: string }

export async function largeDirectory({ browser, dapp, gateway }: Setting): Promise<Line[]> {
  const context = await newVisitor(browser)
  const page = await context.newPage()
  await page.goto(`${dapp}/clicked-at-once`)
  const modal = page.frameLocator('iframe')
  await modal.getByRole('button', { name: /all wallets/i }).click()
  await modal.getByRole('button', { name: 'Wallet 0000' }).waitFor()
  const frame = modalFrame(page, gateway)

  let max = 0
  const count = async () => {
    max = Math.max(max, await frame.evaluate(() => document.querySelectorAll('[data-row]').length))
  }
  await count()
  const list = modal.getByRole('list', { name: /wallets/i })
  await list.hover()
  // Page by page as it loads.
  while ((await modal.getByRole('button', { name: 'Wallet 0999' }).count()) === 0) {
    await page.mouse.wheel(0, 1500)
    await frame.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    await count()
  }

  await modal.getByRole('searchbox').click()
  await frame.evaluate(() => {
    const times: number[] = []
    Object.assign(window, { benchKeystrokes: times })
    document.addEventListener(
      'beforeinput',
      (event) => {
        const began = event.timeStamp
        requestAnimationFrame(() => {
          const painted = new MessageChannel()
          painted.port1.onmessage = () => times.push(performance.now() - began)
          painted.port2.postMessage(null)
        })
      },
      { capture: true },
    )
  })
  const text = 'wallet 0999'
  let keystrokes: readonly number[] = []
  for (const key of text) {
    await page.keyboard.press(key === ' ' ? 'Space' : key)
    // Otherwise the next one would include its queueing time.
    const handle = await frame.waitForFunction((wanted) => {
      const times: unknown = Reflect.get(window, 'benchKeystrokes')
      return Array.isArray(times) && times.length >= wanted ? times : undefined
    }, keystrokes.length + 1)
    keystrokes = (await handle.jsonValue()) ?? []
  }
  await modal.getByRole('button', { name: 'Wallet 0999' }).waitFor()
  await count()
  await context.close()
  return [
    {
      what: 'directory of 1,000 wallets: rows in the document',
      measured: max,
      unit: 'rows',
      budget: limits.rowsInDocument,
      note: 'maximum while scrolling through all',
    },
    {
      what: 'directory of 1,000 wallets: a search keystroke paints',
      measured: median(keystrokes),
      unit: 'ms',
      budget: limits.step,
      note: `median of ${keystrokes.length}; ${Math.min(...keystrokes).toFixed(0)} to ${Math.max(...keystrokes).toFixed(0)} ms`,
    },
  ]
}
