import { connect } from 'node:net'
import { origins, ports, startStack } from '../../scripts/lib/development'
import { stopServices } from '../../scripts/lib/process'
import { buildDapps } from '../dapps/build'
import { isUp, startDatabases } from './gateway'

/** Or reuses a running `npm start`; returns the stop function. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const isShared = !process.env.CI && (await isRunning())
  let stopDatabases = async () => {}
  const stop = async () => {
    await stopDatabases()
    if (!isShared) await stopServices()
  }
  try {
    await buildDapps()
    stopDatabases = await startDatabases()
    if (!isShared) await startStack()
  } catch (error) {
    await stop()
    throw error
  }
  return stop
}

async function isRunning(): Promise<boolean> {
  const up = await Promise.all([
    isUp(ports.gateway),
    isUp(ports.demo, new URL(origins.demo).host, '/'),
    ...Object.values(ports).map(isListening),
  ])
  return up.every(Boolean)
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
