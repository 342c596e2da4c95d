import { configureNetworks } from '@postern/chains/networks'
import { Failure } from '@postern/protocol/failure'
import { describe, expect, it } from 'vitest'
import type { SignInEvent } from '../../snapshot/contract'
import type { Session } from '../walletconnect/client/client'
import { evmAccount, hostOptions, otherEvmAccount } from '../walletconnect/testing/set-up'
import { createOneClick, placeholderAccount } from './one-click'

const networks = configureNetworks(['ethereum', 'base'], {
  additional: [],
  gatewayEndpoint: (id) => `https://gateway.example/${id}`,
  imageUrl: () => '',
})
const payload = {
  ...{ iss: `did:pkh:eip155:1:${evmAccount}`, domain: 'dapp.example', aud: 'https://dapp.example', version: '1' },
  ...{ nonce: 'abcdefgh', iat: '2026-01-01T00:00:00.000Z' },
}
type Cacao = NonNullable<Session['authentication']>[number]

function cacao(change: Partial<Cacao['p']> = {}): Cacao {
  return { h: { t: 'caip122' }, p: { ...payload, ...change }, s: { t: 'eip191', s: '0x12' } }
}

async function savedOf(authentication: Cacao[], hold = () => Promise.resolve<unknown>(null), more: object = {}) {
  const controller = new AbortController()
  const saved: unknown[] = []
  const notices: string[] = []
  const events: SignInEvent[] = []
  const { options, clock } = hostOptions('ws://unused', {
    networks,
    page: {
      init: { signIn: 'siwx' },
      modal: { notify: (text) => notices.push(text) },
      onSignIn: (event) => events.push(event),
      link: {
        async ask(method, params) {
          if (method !== 'siwxCreateMessage') {
            saved.push(params)
            return hold()
          }
          const { domain, aud: uri, nonce } = payload
          return {
            data: {
              accountAddress: placeholderAccount,
              chainId: 'eip155:1',
              domain,
              uri,
              nonce,
              version: '1',
              ...more,
            },
            message: 'm',
          }
        },
      },
    },
  })
  const oneClick = createOneClick(options)
  if (oneClick === null) throw new Error('It is tried here')
  const request = await oneClick.request()
  const accounts = [`eip155:1:${evmAccount}`]
  const session: Pick<Session, 'namespaces' | 'authentication'> = {
    namespaces: { eip155: { accounts, methods: ['personal_sign'], events: [] } },
    authentication,
  }
  const client = { formatAuthMessage: () => 'header\naddress\n\nWelcome\n\nURI: …' }
  const saving = oneClick.save(client, session, controller.signal)
  return { saved, notices, events, request, saving, clock, oneClick, cancel: () => controller.abort() }
}

describe('signed messages', () => {
  it('are saved if they belong to the connection and the request', async () => {
    const { saved, saving, request } = await savedOf([cacao()])
    await saving
    expect(saved).toMatchObject([
      {
        sessions: [
          { data: { chainId: 'eip155:1', accountAddress: evmAccount, statement: 'Welcome' }, signature: '0x12' },
        ],
      },
    ])
    expect(request).toMatchObject({ chains: ['eip155:1', 'eip155:8453'], nonce: 'abcdefgh', domain: 'dapp.example' })
    expect(request).not.toHaveProperty('statement')
  })

  const foreign: [string, Partial<Cacao['p']>][] = [
    ['another account’s', { iss: `did:pkh:eip155:1:${otherEvmAccount}` }],
    ['of a chain that the connection lacks', { iss: `did:pkh:eip155:8453:${evmAccount}` }],
    [
      'another namespace’s',
      { iss: 'did:pkh:solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:4fYNw3dojWmQ4dXtSGE9epjRGy9pFSx62YypT7avPYvA' },
    ],
    ['of no account', { iss: 'did:pkh:eip155:1:' }],
    ['for another domain', { domain: 'evil.example' }],
    ['for another address of the page', { aud: 'https://evil.example' }],
    ['with a nonce of no request', { nonce: 'zzzzzzzz' }],
    ['out of all proportion', { statement: 'x'.repeat(5_000) }],
  ]
  it.each(foreign)('are all ignored if one is %s', async (_, change) => {
    for (const authentication of [[cacao(change)], [cacao(), cacao(change)]]) {
      const { saved, saving, notices } = await savedOf(authentication)
      await saving
      expect([saved, notices]).toEqual([[], []])
    }
  })

  it('may be missing: the visitor signs in after connecting', async () => {
    const { saved, saving } = await savedOf([])
    await saving
    expect(saved).toEqual([])
  })

  it('5. show a notice while the page saves', async () => {
    let answer: (value: unknown) => void = () => {}
    const { saving, notices, saved, clock } = await savedOf(
      [cacao()],
      () =>
        new Promise((resolve) => {
          answer = resolve
        }),
    )
    while (saved.length === 0) await Promise.resolve()
    clock.advance(8_000)
    expect(notices).toEqual(['Authenticating...', 'Authenticating...', 'Authenticating...'])
    answer(null)
    await saving
    expect(clock.pending()).toBe(0)
  })

  it('5. are revoked if the visitor cancels while the page saves', async () => {
    const { saving, saved, cancel } = await savedOf([cacao()])
    cancel()
    await saving
    expect(saved).toMatchObject([{ sessions: [{ signature: '0x12' }] }, { sessions: [] }])
  })

  it('6. report success or failure once for all networks, and nothing for a cancel or an ignored message', async () => {
    const about = { networkId: 'eip155:1', address: evmAccount }
    const taken = await savedOf([cacao(), cacao()])
    await taken.saving
    expect(taken.events).toEqual([{ ...about, kind: 'signed' }])
    const refused = await savedOf([cacao()], () => Promise.reject(new Failure('INTERNAL', { message: 'Not here' })))
    await expect(refused.saving).rejects.toThrow('Not here')
    expect(refused.events).toEqual([{ ...about, kind: 'failed', code: 'SIWX_CALLBACK_FAILED' }])
    for (const hold of [undefined, () => Promise.reject(new Failure('TIMEOUT'))]) {
      const cancelled = await savedOf([cacao()], hold)
      cancelled.cancel()
      await Promise.allSettled([cancelled.saving])
      expect(cancelled.events).toEqual([])
    }
    const foreign = await savedOf([cacao({ domain: 'evil.example' })])
    await foreign.saving
    expect(foreign.events).toEqual([])
  })

  it('2. skips a message with a request id, which the wallet would not receive', async () => {
    const { request, saving } = await savedOf([], undefined, { requestId: 'r' })
    await saving
    expect(request).toBeNull()
  })

  it('1. passes the page’s fields to the wallet', async () => {
    const times = { expirationTime: '2030-01-01T00:00:00.000Z', notBefore: '2020-01-01T00:00:00.000Z' }
    const { request, saving } = await savedOf([], undefined, { ...times, statement: 'Hi', resources: ['https://a.b'] })
    await saving
    const { expirationTime: exp, notBefore: nbf } = times
    expect(request).toMatchObject({ exp, nbf, statement: 'Hi', resources: ['https://a.b'], uri: payload.aud })
  })

  it('2. asks the page for nothing more after a failure', async () => {
    const { oneClick, saving } = await savedOf([])
    await saving
    oneClick.giveUp()
    expect(await oneClick.request()).toBeNull()
  })
})
