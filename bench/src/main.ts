/** Measures all budgets, writes `results.json`, and fails if one is missed. */
import { writeFileSync } from 'node:fs'
import { startRelay } from '../../packages/devnet/src/relay/start-relay'
import { stopServices } from '../../scripts/lib/process'
import { step } from '../../scripts/lib/step'
import { launch } from './browser'
import { startGateway } from './gateway'
import { largeAccount } from './measure-account'
import { largeDirectory } from './measure-directory'
import { measureNetwork } from './measure-network'
import {
  clickToFirstRow,
  hoverToFirstRow,
  initialScripts,
  navigationToFirstRow,
  pageScriptTime,
  presenceToFirstRow,
  warmOpen,
} from './measure-opening'
import { rowToCode } from './measure-pairing'
import { roundTrip } from './measure-round-trip'
import { measureSizes } from './measure-sizes'
import { type ProfileName, profileNames } from './network/profiles'
import { addPages } from './pages'
import { launchQuietly } from './quiet-browser'
import { serveSites } from './sites'
import { formatTable, isWithin, type Line } from './table'
import { buildWagmiList } from './wagmi-list/build'
import { watchModal } from './watched-modal'

const samples = 15
/** Of each page and profile: a visit takes seconds. */
const networkSamples = 5

export async function bench(): Promise<void> {
  const sites = await serveSites()
  const dapp = sites.origin('dapp')
  const browser = await launch()
  const quiet = await launchQuietly()
  const watched = await watchModal()
  try {
    const lines: Line[] = []
    sites.pages.set('/wagmi-list.js', { type: 'text/javascript', body: await buildWagmiList() })
    const gateway = await startGateway(dapp)
    addPages(sites, gateway.origin)
    const setting = { browser, dapp, gateway: gateway.origin, samples, other: sites.origin('elsewhere') }
    // The first visit pays for the browser's start.
    await initialScripts(setting)
    lines.push(...(await measureSizes(await step('Sizes', () => initialScripts(setting)))))
    lines.push(await step('Opening, warm', () => warmOpen(setting)))
    const trips = await step('Round trips', () => roundTrip({ ...setting, samples: 3_000 }))
    lines.push(...trips.lines)
    await gateway.stop()
    const seen = await startGateway(dapp, { modalDir: watched.folder })
    addPages(sites, seen.origin)
    const cold = { quiet, dapp, samples }
    await quiet.visit(`${dapp}/cold-click`)
    lines.push(...(await step('Opening, cold', () => clickToFirstRow(cold))))
    lines.push(await step('Opening, after a scroll', () => presenceToFirstRow(cold)))
    lines.push(await step('Opening, after a hover', () => hoverToFirstRow(cold)))
    lines.push(...(await step('Navigation, clicked at once', () => navigationToFirstRow(cold))))
    lines.push(await step("The page's own thread", () => pageScriptTime(cold, trips.bare)))
    await seen.stop()
    const relay = await startRelay({ port: 0 })
    const paired = await startGateway(dapp, { relayUrl: relay.url })
    addPages(sites, paired.origin)
    lines.push(...(await step('Pairing', () => rowToCode({ ...setting, gateway: paired.origin }))))
    await paired.stop()
    await relay.stop()
    const large = await startGateway(dapp, { wallets: 1000 })
    addPages(sites, large.origin)
    lines.push(...(await step('A large directory', () => largeDirectory({ ...setting, gateway: large.origin }))))
    lines.push(...(await step('A large account', () => largeAccount({ ...setting, sites, gateway: large.origin }))))
    await large.stop()

    lines.push(...(await measureNetwork(profileNames, networkSamples)))
    report(lines)
  } finally {
    await browser.close()
    await quiet.stop()
    await watched.remove()
    await sites.stop()
    await stopServices()
  }
}

/** Only across the network. `wanted`: names of profiles; default: all. */
export async function benchNetwork(wanted: readonly string[] | undefined, samplesOfEach: number): Promise<void> {
  const names = profileNames.filter((name): name is ProfileName => wanted?.includes(name) ?? true)
  try {
    report(await measureNetwork(names, samplesOfEach))
  } finally {
    await stopServices()
  }
}

function report(lines: readonly Line[]): void {
  console.log(`\n${formatTable(lines)}\n`)
  writeFileSync('bench/results.json', `${JSON.stringify(lines, null, 2)}\n`)
  if (!lines.every(isWithin)) process.exitCode = 1
}
