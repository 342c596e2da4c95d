import { manualClock } from '@postern/base/testing/manual-clock'
import { Failure } from '@postern/protocol/failure'
import { expect, it } from 'vitest'
import type { Client } from '../client/client'
import type { ClientHolder } from '../client/client-holder'
import { followEarlierRequests, type SessionRequest } from '../client/earlier-requests'
import { askWallet } from './ask'

const request: SessionRequest = {
  topic: 't',
  chainId: 'eip155:1',
  method: 'eth_sendTransaction',
  params: [{ to: '0x01', value: '0x1' }],
}
const record = (expiryTimestamp: number) => ({
  id: 1,
  topic: 't',
  request: {
    method: 'wc_sessionRequest',
    params: {
      chainId: 'eip155:1',
      request: { method: request.method, params: request.params, expiryTimestamp },
    },
  },
})

function clientWith(values: readonly object[]): Client {
  return { core: { history: { values, on() {} } } } as never
}

it('2. a request of an earlier frame that has expired at the wallet is asked again, however often it was left', () => {
  const clock = manualClock(1_000_000)
  // Asked before a reload: the wallet shows it until 1,300 s.
  const earlier = followEarlierRequests(clientWith([record(1_300)]), clock.now)
  clock.advance(290_000)
  const joined = earlier.take(request)
  if (joined === null) throw new Error('is joined')
  // The dapp gives up, and tries again when the wallet has dropped it.
  earlier.leave(request, joined)
  clock.advance(60_000)
  const again = earlier.take(request)
  expect(again, '50 s after the expiry nothing is left to join').toBeNull()
})

it.each([
  ['whose session ends while the wallet shows it', 'ends'],
  ['whose publish has no acknowledgement, although the relay may have delivered it', 'unacknowledged'],
  ['that the user cancels on the page while the wallet shows it', 'cancelled'],
] as const)('a payment %s is not reported as failed', async (_, how) => {
  const clock = manualClock(1_000_000)
  const { requestInSession } = await import('./session-request')
  const { dialects } = await import('../dialects/dialects')
  let end = () => {}
  const card = new AbortController()
  let isAsked = false
  const client = {
    session: { keys: ['t'] },
    request() {
      isAsked = true
      if (how === 'unacknowledged')
        return Promise.reject(new Error('Failed to publish payload, please try again. id:1 tag:1108'))
      return new Promise(() => {})
    },
    core: { history: { values: [], on() {} } },
  } as never as Client
  const holder = {
    openFor: async () => client,
    takeEarlier: () => null,
    leaveRequest() {},
    listen(_topic: string, listener: (change: { kind: 'ended' }) => void) {
      end = () => listener({ kind: 'ended' })
      return () => {}
    },
  } as never as ClientHolder
  const ask = (chainId: string, method: string, params: unknown, signal: AbortSignal) =>
    askWallet({ holder, clock, topic: 't', chainId, method, params, signals: [signal] })
  const account = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
  const asked = requestInSession(
    {
      dialect: dialects.eip155,
      grant: {
        networks: [{ networkId: 'eip155:1', chainId: 'eip155:1', addresses: [account] }],
        methods: new Set(['eth_sendTransaction']),
      },
      state: {
        accounts: [{ namespace: 'eip155', address: account, type: 'eoa' }],
        networkId: 'eip155:1',
        methods: new Set(['eth_sendTransaction']),
        properties: undefined,
      },
      ask,
    } as never,
    'eth_sendTransaction',
    [{ from: account, to: account, value: '0x1' }],
    card.signal,
  )
  const told = asked.catch((error: unknown) => (error instanceof Failure ? error.code : error))
  await expect.poll(() => isAsked).toBe(true)
  // Another tab disconnects, or the owner does in the wallet after they approved.
  if (how === 'ends') end()
  if (how === 'cancelled') card.abort(new Failure('USER_REJECTED'))
  expect(await told).toBe('OUTCOME_UNKNOWN')
})

it.each([
  ['personal_sign', 'is sent', 'USER_REJECTED', {}],
  ['eth_sendTransaction', 'is not sent yet', 'USER_REJECTED', {}],
  ['eth_sendTransaction', 'is sent', 'OUTCOME_UNKNOWN', {}],
  ['sendTransfer', 'is sent', 'OUTCOME_UNKNOWN', {}],
  ['signPsbt', 'is sent', 'OUTCOME_UNKNOWN', { broadcast: true }],
  // A signature that no one gets moves nothing.
  ['signPsbt', 'is sent', 'USER_REJECTED', { broadcast: false }],
  ['signPsbt', 'is sent', 'USER_REJECTED', {}],
] as const)('%s that the user cancels on the page when it %s ends with %s: %j', async (method, when, code, params) => {
  const card = new AbortController()
  let isAsked = false
  const client = {
    session: { keys: ['t'] },
    request() {
      isAsked = true
      return new Promise(() => {})
    },
  } as never as Client
  const holder = {
    openFor: () => (when === 'is sent' ? Promise.resolve(client) : new Promise(() => {})),
    takeEarlier: () => null,
    leaveRequest() {},
    listen: () => () => {},
  } as never as ClientHolder
  const clock = manualClock(1_000_000)
  const asked = askWallet({ ...request, holder, clock, method, params, signals: [card.signal] })
  if (when === 'is sent') await expect.poll(() => isAsked).toBe(true)
  card.abort(new Failure('USER_REJECTED'))
  await expect(asked).rejects.toMatchObject({ code })
})
