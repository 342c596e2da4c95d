import { createServer } from 'node:http'
import { close, listen } from './listen'

/**
 * Each process has a block, so that two never choose the same port before either listens. All are below the ports that
 * Linux and macOS give to outgoing connections.
 */
const [firstPort, blockSize, blocks] = [10_000, 64, 340]

let chosen = 0

/**
 * Free ports on loopback, for services whose clients must know the port first. With fixed ports, two checkouts cannot
 * run their tests at the same time. The port after each is free too: Solana's subscriptions use it.
 *
 * @example
 * const ports = await freePorts('evm', 'evmTwo')
 * const devnet = await startDevnet({ ports })
 */
export async function freePorts<Name extends string>(...names: Name[]): Promise<Readonly<Record<Name, number>>> {
  const entries: [string, number][] = []
  for (const name of names) entries.push([name, await nextFree()])
  return Object.fromEntries(entries) as Record<Name, number>
}

async function nextFree(): Promise<number> {
  const block = firstPort + (process.pid % blocks) * blockSize
  for (let tries = 0; tries < blockSize; tries += 2) {
    const port = block + (chosen % blockSize)
    chosen += 2
    if ((await isFree(port)) && (await isFree(port + 1))) return port
  }
  throw new Error(`No two free ports from ${block} to ${block + blockSize - 1}.`)
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    await listen(server, port)
  } catch {
    return false
  }
  await close(server)
  return true
}
