import { describe, expect, it, onTestFinished } from 'vitest'
import { openPort } from './port'

function setUp() {
  const { port1: other, port2 } = new MessageChannel()
  const seen: unknown[] = []
  const parsed: unknown[] = []
  let woken = () => {}
  const see = (what: unknown) => {
    seen.push(what)
    woken()
  }
  const port = openPort<string, string>({
    port: port2,
    codec: {
      parse(data) {
        parsed.push(data)
        if (typeof data === 'object' && data !== null && 'throws' in data) throw new TypeError('no comparison')
        return typeof data === 'string' ? data : null
      },
      parseHead: (data) => (Array.isArray(data) ? `head ${data[0]}` : null),
    },
    onMessage: see,
    onOversized: see,
    onClose: () => see('closed'),
  })
  onTestFinished(() => {
    port.close()
    other.close()
  })
  async function until(what: unknown) {
    while (!seen.includes(what)) await new Promise<void>((resolve) => (woken = resolve))
  }
  return { other, port, seen, parsed, until }
}

describe('openPort', () => {
  it('1. 2. never parses an oversized message, and drops one that does not parse', async () => {
    const { other, seen, parsed, until } = setUp()
    const large = 'x'.repeat(9_000_000)
    other.postMessage(['a', large])
    other.postMessage(large)
    other.postMessage({ not: 'a text' })
    other.postMessage('done')
    await until('done')
    expect(seen).toEqual(['head a', 'done'])
    expect(parsed).toEqual([{ not: 'a text' }, 'done'])
  })

  it('2. drops one whose parsing throws, and reads on', async () => {
    const { other, seen, until } = setUp()
    other.postMessage({ throws: true })
    other.postMessage('done')
    await until('done')
    expect(seen).toEqual(['done'])
  })

  it('3. reads and sends nothing after close', async () => {
    const { other, port, seen, until } = setUp()
    other.postMessage('a')
    await until('a')
    const heard: unknown[] = []
    const closed = new Promise<void>((resolve) => other.addEventListener('close', () => resolve()))
    other.onmessage = ({ data }) => heard.push(data)
    port.post('b')
    other.postMessage('c')
    port.close()
    port.post('d')
    port.close()
    await closed
    expect(heard).toEqual(['b'])
    expect(seen).toEqual(['a'])
  })

  it('reports that the other end closed', async () => {
    const { other, until } = setUp()
    other.close()
    await until('closed')
  })
})
