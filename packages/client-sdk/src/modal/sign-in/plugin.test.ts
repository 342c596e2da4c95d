import { type SignInMethod, signInMethods } from '@postern/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toLinkError } from '../../link/link-error'
import type { SignInMessage, SignInSession, Siwx } from '../../types/index'
import { createSignInPlugin, followPlugin } from './plugin'

const now = Date.parse('2026-01-01T12:00:00.000Z')
const at = (minutes: number) => new Date(now + minutes * 60_000).toISOString()
const evm = '0xAbCdEf0123456789aBcDeF0123456789abcdef01'
const solana = {
  chainId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  address: 'So11111111111111111111111111111111111111112',
} as const
const asked = { chainId: 'eip155:1', address: evm } as const

function message(change: Partial<SignInMessage> = {}): SignInMessage {
  const where = { domain: 'dapp.example', uri: 'https://dapp.example' }
  return { accountAddress: evm, chainId: 'eip155:1', version: '1', nonce: 'abcdefgh', ...where, ...change }
}

function session(change: Partial<SignInMessage> = {}): SignInSession {
  return { data: message(change), message: 'the text', signature: '0xsecret', cacao: { s: '0xsecret' } }
}

function setUp(change: Partial<Siwx> = {}) {
  const calls: unknown[][] = []
  const plugin: Siwx = {
    async createMessage(input) {
      calls.push(['createMessage', input])
      return { ...message(input), toString: () => 'the text' }
    },
    async addSession(added) {
      calls.push(['addSession', added])
    },
    async revokeSession(...which) {
      calls.push(['revokeSession', ...which])
    },
    async setSessions(sessions) {
      calls.push(['setSessions', sessions])
    },
    async getSessions(...which) {
      calls.push(['getSessions', ...which])
      return []
    },
  }
  Object.defineProperties(plugin, Object.getOwnPropertyDescriptors(change))
  return { calls, ask: createSignInPlugin(plugin, () => now) }
}

function stateWith(sessions: unknown, change: Partial<Siwx> = {}, params: unknown = asked) {
  const { ask } = setUp({ getSessions: async () => JSON.parse(JSON.stringify(sessions)), ...change })
  return ask('siwxGetState', params)
}

const good: { readonly [M in SignInMethod]: unknown } = {
  siwxCreateMessage: { chainId: 'eip155:1', accountAddress: evm },
  siwxAddSession: { session: session() },
  siwxRevokeSession: asked,
  siwxSetSessions: { sessions: [session()] },
  siwxGetState: asked,
}
const methods = Object.entries(good)

describe('1. only methods of the table are called', () => {
  test('every method of the table reaches the plugin with its own parameters', async () => {
    const { ask, calls } = setUp()
    for (const [method, params] of methods) await ask(method, params)
    expect(calls).toEqual([
      ['createMessage', { chainId: 'eip155:1', accountAddress: evm }],
      ['addSession', session()],
      ['revokeSession', 'eip155:1', evm],
      ['setSessions', [session()]],
      ['getSessions', 'eip155:1', evm],
    ])
    expect(Object.keys(good)).toEqual(Object.keys(signInMethods))
  })

  test('other names are not handled: the plugin’s own members, prototype members', () => {
    const { ask, calls } = setUp()
    const names = ['addSession', 'getSessions', 'constructor', '__proto__', 'toString', 'hasOwnProperty', '', 'siwx']
    for (const name of names) expect(ask(name, good.siwxAddSession)).toBeUndefined()
    expect(calls).toEqual([])
  })

  test.each(methods)('%s with invalid parameters does not reach the plugin', async (method, params) => {
    const { ask, calls } = setUp()
    const wrong = [undefined, null, [], 'x', {}, { ...Object(params), more: 1 }, { chainId: 'eip155:x', address: evm }]
    for (const each of wrong) await expect(ask(method, each)).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
    expect(calls).toEqual([])
  })

  test('without a plugin, exactly these methods are SIWX_NOT_ENABLED (spec §8)', async () => {
    const ask = createSignInPlugin(undefined, () => now)
    for (const [method, params] of methods)
      await expect(ask(method, params)).rejects.toMatchObject({ code: 'SIWX_NOT_ENABLED' })
    expect(ask('walletRequest', {})).toBeUndefined()
  })
})

describe('2. errors and results of the plugin', () => {
  const fails: [string, () => never | Promise<never>][] = [
    [
      'throws at once',
      () => {
        throw new Error('no database')
      },
    ],
    ['rejects', () => Promise.reject(new Error('no database'))],
  ]
  test.each(fails)('a plugin that %s causes an error with its own message', async (_, fail) => {
    const { ask } = setUp({
      createMessage: fail,
      addSession: fail,
      revokeSession: fail,
      setSessions: fail,
      getSessions: fail,
    })
    for (const [method, params] of methods) {
      const thrown = await Promise.resolve(ask(method, params)).catch(toLinkError)
      expect(thrown).toEqual({ code: 'INTERNAL', message: 'no database' })
    }
  })

  test('any thrown value becomes an error that can cross', async () => {
    const bad = {
      get message() {
        throw new Error('never shown')
      },
      get code() {
        throw new Error('never shown')
      },
    }
    for (const value of [undefined, null, 4001, Symbol('x'), () => {}, bad, Object.create(null)]) {
      const { ask } = setUp({ getSessions: () => Promise.reject(value) })
      const thrown = await Promise.resolve(ask('siwxGetState', asked)).catch(toLinkError)
      expect(thrown).toMatchObject({ code: 'INTERNAL', message: 'Internal error' })
    }
  })

  test('a member whose getter throws fails only the method that needs it', async () => {
    const { ask } = setUp({
      get getSessions(): Siwx['getSessions'] {
        throw new Error('not yet')
      },
    })
    await expect(setUp().ask('siwxRevokeSession', asked)).resolves.toBeNull()
    await expect(ask('siwxGetState', asked)).rejects.toThrow('not yet')
  })

  test('a message whose getters throw is an error', async () => {
    const { ask } = setUp({
      createMessage: async () => ({
        ...message(),
        get nonce(): string {
          throw new Error('spent')
        },
        toString: () => 'the text',
      }),
    })
    await expect(ask('siwxCreateMessage', good.siwxCreateMessage)).rejects.toThrow('spent')
  })

  test('a message crosses as its fields and text, without its methods', async () => {
    const { ask } = setUp({
      createMessage: async () => ({
        ...message({ statement: 'Hi' }),
        resources: ['https://dapp.example/terms'],
        toString: () => 'the very text',
        verify: () => true,
        secret: 'of the page',
      }),
    })
    const answer = await ask('siwxCreateMessage', good.siwxCreateMessage)
    expect(answer).toEqual({
      data: message({ statement: 'Hi', resources: ['https://dapp.example/terms'] }),
      message: 'the very text',
    })
    expect(signInMethods.siwxCreateMessage.result.safeParse(answer).success).toBe(true)
  })

  test('any result is an error or can be posted, so no request stays pending', async () => {
    const nonsense = fc.oneof(
      fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }),
      fc.constantFrom(() => 1, Symbol('x'), Promise.resolve(1)),
    )
    await fc.assert(
      fc.asyncProperty(nonsense, nonsense, async (value, member) => {
        const odd: Siwx = Object.assign(Object.create(null), {
          createMessage: async () => ({ ...Object(value), nonce: member, toString: () => member }),
          addSession: async () => value,
          revokeSession: async () => value,
          setSessions: async () => value,
          getSessions: async () => [session()],
          getRequired: () => value,
          signOutOnDisconnect: member,
        })
        const ask = createSignInPlugin(odd, () => now)
        for (const [method, params] of methods) {
          const answer = await Promise.resolve(ask(method, params)).catch(toLinkError)
          expect(structuredClone(answer)).toEqual(answer)
        }
      }),
      { numRuns: 200 },
    )
  })

  test('malformed sessions are an error, not "signed out", so the user is not asked to sign again', async () => {
    for (const nonsense of [
      null,
      5,
      'sessions',
      {},
      [null],
      [{}],
      [{ data: null }],
      [{ data: { chainId: 'eip155:1' } }],
    ])
      await expect(stateWith(nonsense)).rejects.toThrow(TypeError)
  })
})

describe('3. of sessions, only existence and expiry cross', () => {
  test('the state has the expiry but no signature', async () => {
    const { ask } = setUp({ getSessions: async () => [session({ expirationTime: at(5) })] })
    const state = await ask('siwxGetState', asked)
    expect(state).toEqual({ isSignedIn: true, expiresAt: now + 300_000, isRequired: true, endsWithConnection: true })
    expect(JSON.stringify(state)).not.toContain('secret')
    expect(signInMethods.siwxGetState.result.safeParse(state).success).toBe(true)
  })

  test('results of adding and setting sessions stay in the page', async () => {
    const leak = async (): Promise<void> => JSON.parse(JSON.stringify(session()))
    const { ask } = setUp({ addSession: leak, setSessions: leak })
    expect(await ask('siwxAddSession', good.siwxAddSession)).toBeNull()
    expect(await ask('siwxSetSessions', good.siwxSetSessions)).toBeNull()
  })

  test('the plugin decides whether sign-in is required and whether it ends with the connection (spec §4)', async () => {
    const lax = { getRequired: () => false, signOutOnDisconnect: false }
    expect(await stateWith([], lax)).toMatchObject({ isSignedIn: false, isRequired: false, endsWithConnection: false })
    expect(await stateWith([])).toMatchObject({ isRequired: true, endsWithConnection: true })
  })
})

describe('4. a session is valid for its own account and chain until it expires', () => {
  const isSignedIn = async (change: Partial<SignInMessage>, params: unknown = asked) => {
    const state = await stateWith([session(change)], {}, params)
    return Object(state).isSignedIn === true
  }

  test('compares EVM accounts without case and all others exactly', async () => {
    expect(await isSignedIn({ accountAddress: evm.toLowerCase() })).toBe(true)
    expect(await isSignedIn({ accountAddress: evm.replace(/01$/, '02') })).toBe(false)
    const own = { chainId: solana.chainId, accountAddress: solana.address }
    expect(await isSignedIn(own, solana)).toBe(true)
    expect(await isSignedIn({ ...own, accountAddress: solana.address.toLowerCase() }, solana)).toBe(false)
  })

  test('a session for another chain is ignored, whatever the plugin returns', async () => {
    expect(await isSignedIn({ chainId: 'eip155:8453' })).toBe(false)
    expect(await isSignedIn({ chainId: solana.chainId })).toBe(false)
  })

  test('is valid from notBefore until expirationTime', async () => {
    expect(await isSignedIn({ notBefore: at(0) })).toBe(true)
    expect(await isSignedIn({ notBefore: at(1) })).toBe(false)
    expect(await isSignedIn({ expirationTime: at(1) })).toBe(true)
    expect(await isSignedIn({ expirationTime: at(0) })).toBe(false)
    expect(await isSignedIn({ expirationTime: at(-1) })).toBe(false)
    expect(await isSignedIn({ notBefore: at(-2), expirationTime: at(-1) })).toBe(false)
  })

  test('an unparseable time makes the session invalid', async () => {
    for (const nonsense of ['', 'never', 'Infinity', '2026-13-01T00:00:00Z']) {
      expect(await isSignedIn({ expirationTime: nonsense })).toBe(false)
      expect(await isSignedIn({ notBefore: nonsense })).toBe(false)
    }
  })

  test('the latest expiry wins, and a session without one never expires', async () => {
    const several = [
      session({ expirationTime: at(-5) }),
      session({ expirationTime: at(9) }),
      session({ expirationTime: at(3) }),
    ]
    expect(await stateWith(several)).toMatchObject({ isSignedIn: true, expiresAt: now + 540_000 })
    expect(await stateWith([...several, session()])).toMatchObject({ isSignedIn: true, expiresAt: null })
    expect(await stateWith([session({ chainId: 'eip155:8453' })])).toMatchObject({ isSignedIn: false, expiresAt: null })
  })
})

describe('a plugin with a subscribe function', () => {
  test('is listened to until stop', () => {
    const listeners = new Set<() => void>()
    let heard = 0
    const plugin: Siwx = Object.assign(Object.create(null), {
      subscribe(listener: () => void) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    })
    const stop = followPlugin(plugin, () => heard++)
    for (const listener of listeners) listener()
    stop()
    expect([heard, listeners.size]).toEqual([1, 0])
  })

  test('never prevents creating or destroying the modal, whatever its subscribe does', () => {
    const throws = () => {
      throw new Error('no')
    }
    const odd = [throws, () => throws, () => undefined, () => 5, 5, null]
    for (const subscribe of odd) {
      const plugin: Siwx = Object.assign(Object.create(null), { subscribe })
      expect(() => followPlugin(plugin, () => {})()).not.toThrow()
    }
    const locked: Siwx = Object.defineProperty(Object.create(null), 'subscribe', { get: throws })
    expect(() => followPlugin(locked, () => {})()).not.toThrow()
    expect(() => followPlugin(undefined, () => {})()).not.toThrow()
  })
})
