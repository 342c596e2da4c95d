/** A request to the host and back, against a bare message channel between the same sites. */
import type { Browser } from '@playwright/test'
import { newVisitor } from './browser'
import { limits } from './limits'
import type { Line } from './table'

type Setting = {
  readonly browser: Browser
  readonly dapp: string
  readonly other: string
  readonly gateway: string
  readonly samples: number
}

/** Alternates, so that other load affects both alike. `bare`: of the channel alone, in ms. */
export async function roundTrip(setting: Setting): Promise<{ readonly bare: number; readonly lines: Line[] }> {
  const { browser, dapp, other, gateway, samples } = setting
  const context = await newVisitor(browser)
  const page = await context.newPage()
  await page.goto(`${dapp}/empty`)
  const { bare, ours } = await page.evaluate(
    async ({ other, gateway, samples }) => {
      const module = '/client/index.js'
      const { createPostern } = await import(module)
      const postern = createPostern({ projectId: 'bench', host: gateway, networks: ['ethereum'], announce: false })
      // Closing a closed modal: minimal work, all checks of the link.
      const request = () => postern.close()
      await postern.open()
      await postern.close()

      const iframe = document.createElement('iframe')
      const knocked = new Promise<void>((resolve) => {
        addEventListener('message', (event) => event.source === iframe.contentWindow && resolve())
      })
      iframe.src = `${other}/echo`
      document.body.append(iframe)
      await knocked
      const { port1, port2 } = new MessageChannel()
      iframe.contentWindow?.postMessage('port', other, [port2])
      const echo = () =>
        new Promise<void>((resolve) => {
          port1.onmessage = () => resolve()
          port1.postMessage({ v: 1, id: crypto.randomUUID(), kind: 'request', method: 'close', params: null })
        })

      const time = async (once: () => Promise<unknown>) => {
        const began = performance.now()
        await once()
        return performance.now() - began
      }
      for (let warm = 0; warm < 50; warm += 1) await Promise.all([request(), echo()])
      const bare: number[] = []
      const ours: number[] = []
      for (let sample = 0; sample < samples; sample += 1) {
        bare.push(await time(echo))
        ours.push(await time(request))
      }
      // The mean of the middle half: the browser's clock has steps of 0.1 ms, which a median keeps.
      const middle = (times: number[]) => {
        const half = times.sort((a, b) => a - b).slice(Math.floor(times.length / 4), Math.ceil((times.length * 3) / 4))
        return half.reduce((sum, time) => sum + time, 0) / half.length
      }
      return { bare: middle(bare), ours: middle(ours) }
    },
    { other, gateway, samples },
  )
  await context.close()
  const lines: Line[] = [
    {
      what: 'bare cross-site message channel, there and back',
      measured: bare,
      unit: 'ms',
      note: `mean of the middle half of ${samples}`,
    },
    {
      what: 'request page → host → page',
      measured: ours / bare,
      unit: '×',
      budget: limits.roundTrip,
      note: `${ours.toFixed(3)} ms against ${bare.toFixed(3)} ms bare, same run`,
    },
  ]
  return { bare, lines }
}
