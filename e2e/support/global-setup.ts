import { devnetNetworks } from '@postern/devnet'
import { origins, ports, startStack } from '../../scripts/lib/development'
import { stopServices } from '../../scripts/lib/process'
import { buildDapps } from '../dapps/build'
import { isUp } from './gateway'

/** Starts chains, gateway and demo for all tests, or uses those of a running `npm start`; returns what stops them. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  await buildDapps()
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
  const up = await Promise.all([
    isUp(ports.gateway),
    isUp(ports.demo, new URL(origins.demo).host, '/'),
    ...devnetNetworks().map(({ rpcUrls }) => answersRpc(rpcUrls?.[0])),
  ])
  return up.every(Boolean)
}

async function answersRpc(url: string | undefined): Promise<boolean> {
  if (url === undefined) return false
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })
  return fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body }).then(
    ({ ok }) => ok,
    () => false,
  )
}
