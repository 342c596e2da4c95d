import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isDropped, onceLoaded } from './once-loaded'

type Code = {
  add(a: number, b: number): number
  readonly pen: { color: string; draw(point: string): void; fail(): void }
}

/** The test decides when the code arrives or fails. */
function setUp() {
  const drawn: string[] = []
  const failures: unknown[] = []
  const loads: { arrive(): void; fail(reason: Error): void }[] = []
  const code: Code = {
    add: (a, b) => a + b,
    pen: {
      color: 'red',
      draw(point) {
        drawn.push(`${this.color} ${point}`)
      },
      fail() {
        throw new RangeError('no ink')
      },
    },
  }
  const loaded = onceLoaded(
    () => new Promise<Code>((resolve, reject) => loads.push({ arrive: () => resolve(code), fail: reject })),
    (reason) => failures.push(reason),
  )
  return { ...loaded, loads, drawn, failures, code }
}

describe('onceLoaded', () => {
  it('1. loads once, on first use', async () => {
    const { load, call, send, loads, code } = setUp()
    expect(loads).toHaveLength(0)
    const sum = call((code) => code.add(1, 2))
    send((code) => code.pen.draw('a'))
    const first = load()
    expect(loads).toHaveLength(1)
    loads[0]?.arrive()
    expect(await sum).toBe(3)
    expect(await first).toBe(code)
    // React suspends on the promise, and would again on another one.
    expect(load()).toBe(first)
    expect(loads).toHaveLength(1)
  })

  it('1. loads again after a failure', async () => {
    const { load, call, loads } = setUp()
    const failing = load()
    loads[0]?.fail(new Error('offline'))
    await expect(failing).rejects.toThrow('offline')
    const sum = call((code) => code.add(1, 2))
    loads[1]?.arrive()
    expect(await sum).toBe(3)
  })

  it('2. starts the calls that waited in their order, and later ones at once', async () => {
    const { load, call, send, notify, loads, drawn } = setUp()
    send((code) => code.pen.draw('a'))
    const b = call((code) => code.pen.draw('b'))
    notify((code) => code.pen.draw('c'))
    expect(drawn).toEqual([])
    loads[0]?.arrive()
    await b
    await load()
    expect(drawn).toEqual(['red a', 'red b', 'red c'])
    send((code) => code.pen.draw('d'))
    expect(drawn.at(-1)).toBe('red d')
  })

  it('2. keeps the order of calls that are made while the waiting ones run', async () => {
    const seen: string[] = []
    const loaded = onceLoaded(async () => ({
      first() {
        seen.push('first')
        loaded.send((code) => code.second('nested'))
      },
      second: (from: string) => void seen.push(`second ${from}`),
    }))
    loaded.send((code) => code.first())
    loaded.send((code) => code.second('outer'))
    await loaded.load()
    expect(seen).toEqual(['first', 'second outer', 'second nested'])
  })

  it('2. property: calls start in the order in which they were made, whatever kind they are and whenever the code arrives', async () => {
    const step = fc.constantFrom('call', 'send', 'notify', 'arrive', 'tick')
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const { load, call, send, notify, loads, drawn } = setUp()
        const made: string[] = []
        for (const [index, name] of ['send' as const, ...steps].entries()) {
          const point = String(index)
          if (name === 'arrive') loads[0]?.arrive()
          else if (name === 'tick') await Promise.resolve()
          else {
            made.push(`red ${point}`)
            if (name === 'call') void call((code) => code.pen.draw(point))
            if (name === 'send') send((code) => code.pen.draw(point))
            if (name === 'notify') notify((code) => code.pen.draw(point))
          }
        }
        loads[0]?.arrive()
        await load()
        expect(drawn).toEqual(made)
        expect(loads).toHaveLength(1)
      }),
    )
  })

  it('3. rejects each call that waited if the code cannot be loaded', async () => {
    const { call, loads } = setUp()
    const calls = Promise.allSettled([call((code) => code.add(1, 2)), call((code) => code.pen.draw('a'))])
    loads[0]?.fail(new Error('offline'))
    expect(await calls).toMatchObject([{ reason: { message: 'offline' } }, { reason: { message: 'offline' } }])
  })

  it('4. reports each send that waited if the code cannot be loaded', async () => {
    const { send, load, loads, failures, drawn } = setUp()
    send((code) => code.pen.draw('a'))
    send((code) => code.pen.draw('b'))
    const failing = load()
    loads[0]?.fail(new Error('offline'))
    await expect(failing).rejects.toThrow()
    expect(failures).toEqual([new Error('offline'), new Error('offline')])
    expect(drawn).toEqual([])
  })

  it('5. does not load for a notice, and drops notices before a load or with a failed one', async () => {
    const { notify, load, loads, failures, drawn } = setUp()
    notify((code) => code.pen.draw('a'))
    expect(loads).toHaveLength(0)
    const failing = load()
    notify((code) => code.pen.draw('b'))
    loads[0]?.fail(new Error('offline'))
    await expect(failing).rejects.toThrow()
    notify((code) => code.pen.draw('c'))
    const loading = load()
    notify((code) => code.pen.draw('d'))
    loads[1]?.arrive()
    await loading
    expect([drawn, failures]).toEqual([['red d'], []])
  })

  it('6. keeps only the newest call of one latest(), and all other calls', async () => {
    const { send, latest, load, loads, drawn, failures } = setUp()
    const choice = latest()
    const other = latest()
    const replaced = choice.call((code) => code.pen.draw('a'))
    send((code) => code.pen.draw('b'))
    other.send((code) => code.pen.draw('c'))
    choice.send((code) => code.pen.draw('d'))
    const reason = await replaced.catch((thrown: unknown) => thrown)
    expect(isDropped(reason)).toBe(true)
    loads[0]?.arrive()
    await load()
    expect(drawn).toEqual(['red b', 'red c', 'red d'])
    expect(failures).toEqual([])
  })

  it('6. drops the waiting call, and returns whether there was one', async () => {
    const { latest, load, loads, drawn, failures } = setUp()
    const choice = latest()
    expect(choice.drop()).toBe(false)
    choice.send((code) => code.pen.draw('a'))
    expect(choice.drop()).toBe(true)
    const failing = load()
    loads[0]?.fail(new Error('offline'))
    await expect(failing).rejects.toThrow()
    choice.send((code) => code.pen.draw('b'))
    loads[1]?.arrive()
    await load()
    expect(choice.drop()).toBe(false)
    expect([drawn, failures]).toEqual([['red b'], []])
  })

  it('7. goes on after a function that throws, before the code has loaded and after', async () => {
    const { call, send, load, loads, drawn } = setUp()
    const failing = call((code) => code.pen.fail())
    send((code) => code.pen.draw('a'))
    loads[0]?.arrive()
    await expect(failing).rejects.toThrow('no ink')
    await load()
    await expect(call((code) => code.pen.fail())).rejects.toThrow('no ink')
    expect(drawn).toEqual(['red a'])
  })
})
