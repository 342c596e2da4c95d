/** Measures the budgets of everything that is built, prints one table, writes `results.json`, and fails when one is missed. */
import { writeFileSync } from 'node:fs'
import { stopServices } from '../../scripts/lib/process'
import { step } from '../../scripts/lib/step'
import { launch } from './browser'
import { startGateway } from './gateway'
import { largeDirectory } from './measure-directory'
import { clickToFirstRow, initialScripts, navigationToFirstRow, pageScriptTime, warmOpen } from './measure-opening'
import { roundTrip } from './measure-round-trip'
import { measureSizes } from './measure-sizes'
import { addPages } from './pages'
import { serveSites } from './sites'
import { formatTable, isWithin, type Line } from './table'

const samples = 15

export async function bench(): Promise<void> {
  const sites = await serveSites()
  const dapp = sites.origin('dapp')
  const browser = await launch()
  try {
    const lines: Line[] = []
    const gateway = await startGateway(dapp)
    addPages(sites, gateway.origin)
    const setting = { browser, dapp, gateway: gateway.origin, samples, other: sites.origin('elsewhere') }
    // The first visitor of a browser pays for its start; nobody's figure.
    await initialScripts(setting)
    lines.push(...measureSizes(await step('Sizes', () => initialScripts(setting))))
    lines.push(await step('Opening, warm', () => warmOpen(setting)))
    lines.push(await step('Opening, cold', () => clickToFirstRow(setting)))
    lines.push(await step('Navigation, clicked at once', () => navigationToFirstRow(setting)))
    lines.push(await step("The page's own thread", () => pageScriptTime(setting)))
    lines.push(...(await step('Round trips', () => roundTrip({ ...setting, samples: 500 }))))
    await gateway.stop()
    const large = await startGateway(dapp, 1000)
    addPages(sites, large.origin)
    lines.push(...(await step('A large directory', () => largeDirectory({ ...setting, gateway: large.origin }))))
    await large.stop()

    console.log(`\n${formatTable(lines)}\n`)
    writeFileSync('bench/results.json', `${JSON.stringify(lines, null, 2)}\n`)
    if (!lines.every(isWithin)) process.exitCode = 1
  } finally {
    await browser.close()
    await sites.stop()
    await stopServices()
  }
}
