import { describe, expect, test } from 'vitest'
import { followInstance } from '../elements/instance'
import { deferProviders } from '../providers/deferred'
import { emptySnapshot } from '../state/state'
import type { Postern, PosternOptions } from '../types/index'
import { instanceOf, registryOf } from './registry'

const options: PosternOptions = { projectId: 'demo', networks: ['ethereum'] }

function setUp() {
  const page = {}
  const made: { postern: Postern; destroy(): void }[] = []
  const warnings: string[] = []
  const create = (wanted: PosternOptions) =>
    instanceOf(
      registryOf(page),
      wanted,
      (text) => warnings.push(text),
      (onDestroy) => {
        const postern = stub()
        made.push({ postern, destroy: onDestroy })
        return postern
      },
    )
  return { page, made, warnings, create }
}

function stub(): Postern {
  const nothing = () => {}
  const refuse = () => Promise.reject(new Error('Not in this test'))
  const provider: Postern['eip155'] = { request: refuse, on: () => provider, removeListener: () => provider }
  const never = () => Promise.reject(new Error('Not in this test'))
  return {
    eip155: provider,
    ...deferProviders(never, () => emptySnapshot),
    open: refuse,
    close: refuse,
    connect: refuse,
    pay: refuse,
    disconnect: refuse,
    switchNetwork: refuse,
    getIdentityToken: refuse,
    getWallets: refuse,
    getProfile: refuse,
    setTheme: nothing,
    setOptions: nothing,
    on: () => nothing,
    subscribe: () => nothing,
    getSnapshot: () => {
      throw new Error('Not in this test')
    },
    getServerSnapshot: () => {
      throw new Error('Not in this test')
    },
    prewarm: nothing,
    diagnose: refuse,
    destroy: nothing,
  }
}

describe('one instance per page and project', () => {
  test('a second call returns the first instance, without a warning for the same options', () => {
    const { create, made, warnings } = setUp()
    expect(create(options)).toBe(create({ ...options }))
    expect([made.length, warnings]).toEqual([1, []])
  })

  test('warns about different options', () => {
    const { create, warnings } = setUp()
    create(options)
    create({ ...options, networks: ['base'] })
    expect(warnings).toEqual([expect.stringContaining('"demo"')])
  })

  test('compares plugins only by their presence', () => {
    const { create, made, warnings } = setUp()
    const refuse = () => Promise.reject(new Error('Not in this test'))
    const plugin = (): NonNullable<PosternOptions['siwx']> => {
      const methods = { createMessage: refuse, addSession: refuse, revokeSession: refuse }
      const siwx = { ...methods, setSessions: refuse, getSessions: refuse, amount: 1n, self: {} }
      siwx.self = siwx
      return siwx
    }
    create({ ...options, siwx: plugin() })
    create({ ...options, siwx: plugin() })
    expect([made.length, warnings]).toEqual([1, []])
    create(options)
    expect(warnings).toHaveLength(1)
  })

  test('another project has another instance, and destroy allows a new one', () => {
    const { create, made } = setUp()
    create(options)
    create({ ...options, projectId: 'other' })
    made[0]?.destroy()
    create(options)
    expect(made).toHaveLength(3)
  })

  test('copies of this package share the page’s registry, but two pages do not', () => {
    const page = {}
    expect(registryOf(page)).toBe(registryOf(page))
    expect(registryOf({})).not.toBe(registryOf(page))
  })
})

describe('an element', () => {
  test('follows an instance that is created later, and releases one that ends', () => {
    const { page, create, made } = setUp()
    const seen: (Postern | undefined)[] = []
    const stop = followInstance(
      page,
      () => null,
      (postern) => seen.push(postern),
    )
    const postern = create(options)
    made[0]?.destroy()
    expect(seen).toEqual([postern, undefined])
    stop()
    create(options)
    expect(seen).toHaveLength(2)
  })

  test('ignores the instances of other projects', () => {
    const { page, create } = setUp()
    const seen: (Postern | undefined)[] = []
    followInstance(
      page,
      () => 'other',
      (postern) => seen.push(postern),
    )
    create(options)
    const other = create({ ...options, projectId: 'other' })
    expect(seen).toEqual([other])
  })
})
