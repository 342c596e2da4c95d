import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { freePorts } from './free-ports'
import { close, listen } from './listen'

test('every port is free, with the next one, and is chosen once', async () => {
  const [ports, others] = await Promise.all([freePorts('evm', 'solana'), freePorts('evm', 'solana')])
  const all = [...Object.values(ports), ...Object.values(others)].flatMap((port) => [port, port + 1])
  expect(new Set(all).size).toBe(8)
  for (const port of all) {
    const server = createServer()
    await listen(server, port)
    await close(server)
  }
})

test('a taken port is skipped, also if only the next one is taken', async () => {
  const { port } = await freePorts('port')
  const servers = [port + 2, port + 5].map((taken) => ({ taken, server: createServer() }))
  for (const { server, taken } of servers) await listen(server, taken)
  const next = Object.values(await freePorts('first', 'second'))
  expect(next).not.toContain(port + 2)
  expect(next).not.toContain(port + 4)
  for (const { server } of servers) await close(server)
})
