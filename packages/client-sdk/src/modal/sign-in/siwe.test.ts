import { signInMethods } from '@postern/protocol'
import { describe, expect, test, vi } from 'vitest'
import type { SiweConfig, SiweMessageArguments } from '../../types/index'
import { createSignInPlugin } from './plugin'
import { siwxOfSiwe } from './siwe'

const now = Date.parse('2026-01-01T12:00:00.000Z')
const location = { host: 'dapp.example', origin: 'https://dapp.example' }
const address = '0xAbCdEf0123456789aBcDeF0123456789abcdef01'
const asked = { chainId: 'eip155:1', address } as const
const input = { chainId: 'eip155:1', accountAddress: address } as const

function setUp(change: Partial<SiweConfig> = {}) {
  const written: SiweMessageArguments[] = []
  const verified: unknown[] = []
  let current: { address: string; chainId: number } | null = { address: address.toLowerCase(), chainId: 1 }
  const config: SiweConfig = {
    getNonce: async () => 'abcdefgh',
    createMessage(args) {
      written.push(args)
      return `text for ${args.address}`
    },
    async verifyMessage(args) {
      verified.push(args)
      return true
    },
    getSession: async () => current,
    async signOut() {
      current = null
      return true
    },
    ...change,
  }
  return { plugin: siwxOfSiwe(config, location), written, verified }
}

async function sessionOf({ plugin }: ReturnType<typeof setUp>) {
  const created = await plugin.createMessage(input)
  const { toString: _, ...data } = created
  return { data, message: String(created), signature: '0x1' }
}

describe('1. the message', () => {
  test('is created by the configuration, with its nonce, for this page', async () => {
    const getNonce = vi.fn(async () => 'abcdefgh')
    const { plugin, written } = setUp({ getNonce })
    const created = await plugin.createMessage(input)
    expect(String(created)).toBe(`text for eip155:1:${address}`)
    expect(getNonce).toHaveBeenCalledExactlyOnceWith(address)
    const [args] = written
    expect(args).toMatchObject({
      ...{ address: `eip155:1:${address}`, chainId: 1, version: '1', nonce: 'abcdefgh' },
      ...{ domain: 'dapp.example', uri: 'https://dapp.example' },
    })
    expect(new Date(args?.iat ?? '').toISOString()).toBe(args?.iat)
    expect(created).toMatchObject({ accountAddress: address, chainId: 'eip155:1', issuedAt: args?.iat })
  })

  test('has the fields that the dapp sets', async () => {
    const params = {
      ...{ domain: 'login.example', uri: 'https://login.example', statement: 'Hi', requestId: 'r' },
      ...{
        exp: '2030-01-01T00:00:00.000Z',
        nbf: '2020-01-01T00:00:00.000Z',
        resources: ['https://login.example/terms'],
      },
    }
    const { plugin, written } = setUp({ getMessageParams: async () => ({ ...params, chains: [1, 8453] }) })
    const created = await plugin.createMessage(input)
    const { exp, nbf, ...same } = params
    expect(written[0]).toMatchObject(params)
    expect(written[0]).not.toHaveProperty('chains')
    expect(created).toMatchObject({ ...same, expirationTime: exp, notBefore: nbf })
  })

  test('matches the page link’s schema', async () => {
    const { plugin } = setUp()
    const answer = await createSignInPlugin(plugin, () => now)('siwxCreateMessage', input)
    expect(signInMethods.siwxCreateMessage.result.safeParse(answer).success).toBe(true)
  })

  test('is not created without a nonce', async () => {
    const { plugin, written } = setUp({ getNonce: () => Promise.reject(new Error('server away')) })
    await expect(plugin.createMessage(input)).rejects.toThrow('server away')
    expect(written).toEqual([])
  })
})

describe('2. the signature', () => {
  test('is passed to verifyMessage', async () => {
    const config = setUp()
    const session = await sessionOf(config)
    await config.plugin.addSession(session)
    await config.plugin.addSession({ ...session, cacao: { h: 1 } })
    const told = { message: session.message, signature: '0x1' }
    expect(config.verified).toEqual([told, { ...told, cacao: { h: 1 } }])
  })

  test.each([
    ['says no', async () => false],
    ['rejects', () => Promise.reject(new Error('The signature was not accepted'))],
  ])('verifyMessage that %s is an error, and onSignIn is not called', async (_, verifyMessage) => {
    const onSignIn = vi.fn()
    const config = setUp({ verifyMessage, onSignIn })
    await expect(config.plugin.addSession(await sessionOf(config))).rejects.toThrow('not accepted')
    expect(onSignIn).not.toHaveBeenCalled()
  })
})

describe('3. the session', () => {
  const isSignedIn = async (change: Partial<SiweConfig>, params: object) => {
    const state = await createSignInPlugin(setUp(change).plugin, () => now)('siwxGetState', { ...asked, ...params })
    return Object(state).isSignedIn
  }
  const other = { address: '0x0000000000000000000000000000000000000002' }
  const otherChain = { chainId: 'eip155:8453' }

  test('is valid for its account on its chain', async () => {
    expect(await isSignedIn({}, {})).toBe(true)
    expect(await isSignedIn({}, other)).toBe(false)
    expect(await isSignedIn({}, otherChain)).toBe(false)
    expect(await isSignedIn({ getSession: async () => null }, {})).toBe(false)
  })

  test('is valid for another account or chain if configured so', async () => {
    const anyAccount = { signOutOnAccountChange: false }
    const anyChain = { signOutOnNetworkChange: false }
    expect(await isSignedIn(anyAccount, other)).toBe(true)
    expect(await isSignedIn(anyAccount, otherChain)).toBe(false)
    expect(await isSignedIn(anyChain, otherChain)).toBe(true)
    expect(await isSignedIn(anyChain, other)).toBe(false)
    expect(await isSignedIn({ ...anyAccount, ...anyChain }, { ...other, ...otherChain })).toBe(true)
  })

  test('is never valid for another namespace', async () => {
    const all = { signOutOnAccountChange: false, signOutOnNetworkChange: false }
    const solana = { chainId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', address: 'a' }
    expect(await isSignedIn(all, solana)).toBe(false)
  })

  test('signOut ends it once, and a failed sign-out is an error', async () => {
    const onSignOut = vi.fn()
    const { plugin } = setUp({ onSignOut })
    await plugin.revokeSession('eip155:1', address)
    await plugin.revokeSession('eip155:1', address)
    expect(onSignOut).toHaveBeenCalledOnce()
    expect(await plugin.getSessions('eip155:1', address)).toEqual([])
    await expect(setUp({ signOut: async () => false }).plugin.setSessions([])).rejects.toThrow()
  })

  test('ends once even if it covers all chains and they are revoked at the same time', async () => {
    const onSignOut = vi.fn()
    const signOut = vi.fn(async () => true)
    let isThere = true
    const { plugin } = setUp({
      signOutOnNetworkChange: false,
      onSignOut,
      signOut: () => signOut().finally(() => (isThere = false)),
      getSession: async () => (isThere ? { address, chainId: 1 } : null),
    })
    await Promise.all([plugin.revokeSession('eip155:1', address), plugin.revokeSession('eip155:10', address)])
    expect([signOut.mock.calls.length, onSignOut.mock.calls.length]).toEqual([1, 1])
    isThere = true
    await plugin.revokeSession('eip155:1', address)
    expect(signOut).toHaveBeenCalledTimes(2)
  })

  test('the configuration decides whether sign-in is required and whether it ends with the connection', () => {
    const lax = setUp({ required: false, signOutOnDisconnect: false }).plugin
    expect([lax.getRequired?.(), lax.signOutOnDisconnect]).toEqual([false, false])
    const { plugin } = setUp()
    expect([plugin.getRequired?.(), plugin.signOutOnDisconnect]).toEqual([true, true])
  })
})

describe('4. listeners', () => {
  test('onSignIn receives account and chain', async () => {
    const onSignIn = vi.fn()
    const config = setUp({ onSignIn })
    await config.plugin.addSession(await sessionOf(config))
    expect(onSignIn).toHaveBeenCalledExactlyOnceWith({ address, chainId: 1 })
  })

  test('errors they throw are reported as uncaught and change nothing', async () => {
    const uncaught: unknown[] = []
    vi.stubGlobal('queueMicrotask', (task: () => void) => {
      try {
        task()
      } catch (error) {
        uncaught.push(error)
      }
    })
    try {
      const fail = (what: string) => () => {
        throw new Error(what)
      }
      const config = setUp({ onSignIn: fail('in'), onSignOut: fail('out') })
      await config.plugin.addSession(await sessionOf(config))
      await config.plugin.revokeSession('eip155:1', address)
      expect(uncaught).toEqual([new Error('in'), new Error('out')])
    } finally {
      vi.unstubAllGlobals()
    }
  })
})
