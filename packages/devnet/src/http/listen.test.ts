import { createServer, type Server } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { close, endWith, listen } from './listen'

const servers = new Set<Server>()
function server(): Server {
  const made = createServer((_, response) => response.end('ok'))
  servers.add(made)
  return made
}
afterEach(async () => {
  for (const each of servers) if (each.listening) await close(each)
  servers.clear()
})

describe('listen', () => {
  test('port 0 takes a free port on loopback only, and close frees it', async () => {
    const first = server()
    const port = await listen(first, 0)
    expect(port).toBeGreaterThan(0)
    expect(first.address()).toMatchObject({ address: '127.0.0.1', port })
    await expect(listen(server(), port)).rejects.toMatchObject({ code: 'EADDRINUSE' })
    await close(first)
    expect(await listen(server(), port)).toBe(port)
  })

  test('closes keep-alive connections', async () => {
    const one = server()
    const port = await listen(one, 0)
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('ok')
    await close(one)
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow()
  })
})

describe('endWith', () => {
  const counted = () => {
    const ended = { times: 0 }
    return { ended, end: async () => void ended.times++ }
  }

  test('ends once, by call or by signal', async () => {
    const { ended, end } = counted()
    const controller = new AbortController()
    const stop = await endWith(controller.signal, end)
    await Promise.all([stop(), stop()])
    controller.abort()
    expect(ended.times).toBe(1)
    const second = counted()
    await endWith(controller.signal, second.end).catch(() => undefined)
    expect(second.ended.times).toBe(1)
  })

  test('rejects with the reason of an already aborted signal, after ending', async () => {
    const { ended, end } = counted()
    await expect(endWith(AbortSignal.abort(new Error('enough')), end)).rejects.toThrow('enough')
    expect(ended.times).toBe(1)
  })
})
