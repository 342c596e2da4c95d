import { origins, ports, startStack } from '../../scripts/lib/development'
import { stopServices } from '../../scripts/lib/process'
import { isUp } from './gateway'

/** Starts chains, gateway and demo for all tests, or uses those of a running `npm start`; returns what stops them. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  if (!process.env.CI && (await isRunning())) return async () => {}
  try {
    await startStack()
  } catch (error) {
    await stopServices()
    throw error
  }
  return stopServices
}

async function isRunning(): Promise<boolean> {
  const gateway = await isUp(ports.gateway)
  return gateway && (await isUp(ports.demo, new URL(origins.demo).host, '/'))
}
