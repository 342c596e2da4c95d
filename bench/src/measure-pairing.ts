/** Time from the press to the QR code: first, and with a prepared pairing. */
import type { Browser } from '@playwright/test'
import { modalFrame, newVisitor } from './browser'
import { median } from './statistics'
import type { Line } from './table'

type Setting = {
  readonly browser: Browser
  readonly dapp: string
  readonly gateway: string
  readonly samples: number
}

export async function rowToCode({ browser, dapp, gateway, samples }: Setting): Promise<Line[]> {
  const context = await newVisitor(browser)
  const page = await context.newPage()
  await page.goto(`${dapp}/clicked-at-once`)
  const modal = page.frameLocator('iframe')
  const row = modal.getByRole('button', { name: /^walletconnect/i })
  const press = async () => {
    await row.waitFor()
    // Inside the frame, without the driver's latency.
    return row.evaluate(
      (element) =>
        new Promise<number>((resolve) => {
          const began = performance.now()
          const look = () => {
            const code = document.querySelector('svg[role="img"]')
            if (code === null || code.getBoundingClientRect().height === 0) return void requestAnimationFrame(look)
            const painted = new MessageChannel()
            painted.port1.onmessage = () => resolve(performance.now() - began)
            painted.port2.postMessage(null)
          }
          if (element instanceof HTMLElement) element.click()
          requestAnimationFrame(look)
        }),
    )
  }
  const first = await press()
  const frame = modalFrame(page, gateway)
  const times: number[] = []
  for (let sample = 0; sample < samples; sample += 1) {
    await modal.getByRole('button', { name: /back/i }).click()
    await frame.waitForFunction(() => document.querySelector('svg[role="img"]') === null)
    times.push(await press())
  }
  await context.close()
  return [
    {
      what: 'WalletConnect row → code to scan, the first time',
      measured: first,
      unit: 'ms',
      note: 'library, relay on loopback, pairing',
    },
    {
      what: 'WalletConnect row → code to scan, pairing ready',
      measured: median(times),
      unit: 'ms',
      note: `median of ${times.length}`,
    },
  ]
}
