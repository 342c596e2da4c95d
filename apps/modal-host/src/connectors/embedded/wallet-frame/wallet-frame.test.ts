import { randomUUID } from 'node:crypto'
import { manualClock } from '@postern/base/testing/manual-clock'
import { limits, type WalletFrameRequestName, walletFrameRequests } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { heartbeatMs, maxMissedHeartbeats } from './heartbeat'
import { type FrameHandlers, testFrame, waits, walletOrigin } from './testing/test-frame'
import { type AskWallet, createWalletFrame } from './wallet-frame'

const onChain1: FrameHandlers = { GET_CHAIN_ID: () => ({ chainId: 1 }) }
const silent: FrameHandlers = { GET_CHAIN_ID: () => waits }

let cleanUp: () => void = () => {}
afterEach(() => cleanUp())

function setUp(handlers: FrameHandlers = {}, given: { isLively?: boolean } = {}) {
  const peer = testFrame(handlers, given)
  const clock = manualClock()
  const notices: string[] = []
  let losses = 0
  const greetings: AskWallet[] = []
  const frame = createWalletFrame({
    dom: peer.dom,
    clock,
    randomId: () => randomUUID(),
    origin: walletOrigin,
    projectId: 'demo',
    chainId: () => 8453,
    enableLogger: false,
    greet: (ask) => {
      greetings.push(ask)
      ask('SYNC_THEME', { themeMode: 'dark' }).catch(() => {})
    },
  })
  frame.onNotice(({ name }) => notices.push(name))
  frame.onLost(() => {
    losses += 1
  })
  cleanUp = frame.end
  async function ready(times = 1): Promise<void> {
    await peer.until(() => peer.ready() >= times)
    await peer.heard()
    clock.advance(limits.walletFrameReadyDelay)
  }
  return { peer, clock, frame, notices, greetings, ready, losses: () => losses }
}

function code(thrown: unknown): unknown {
  return thrown instanceof Failure ? thrown.code : thrown
}

describe('createWalletFrame', () => {
  it('1. adds no frame before the first request, and one for all requests (spec §7, §9)', async () => {
    const { peer, frame, ready } = setUp(onChain1)
    expect(peer.frames).toEqual([])
    const both = Promise.all([frame.ask('GET_CHAIN_ID', undefined), frame.ask('GET_CHAIN_ID', undefined)])
    await ready()
    expect(await both).toEqual([{ chainId: 1 }, { chainId: 1 }])
    expect(peer.frames.map(({ src }) => src)).toEqual([
      `${walletOrigin}/sdk?projectId=demo&chainId=8453&version=4&enableLogger=false`,
    ])
  })

  it('1. accepts a knock only from its own frame at the wallet’s origin', async () => {
    const { peer, frame } = setUp({}, { isLively: false })
    frame.ask('GET_CHAIN_ID', undefined).catch(() => {})
    const posted = () => peer.frames[0]?.posted
    peer.knock({ source: null })
    peer.knock({ source: new MessageChannel().port1 })
    peer.knock({ origin: 'http://evil.example' })
    peer.knock({ origin: 'null' })
    peer.knock({ data: 'postern:ready' })
    peer.knock({ data: { type: 'postern:wallet-ready' } })
    expect(posted()).toEqual([])
    peer.knock()
    expect(posted()).toEqual([{ message: { type: 'postern:wallet-hello', v: 1 }, targetOrigin: walletOrigin }])
  })

  it('2. waits 500 ms after the frame reports ready, greets it first, and keeps the request order (spec §4, §9)', async () => {
    const { peer, clock, frame } = setUp()
    frame.ask('GET_CHAIN_ID', undefined).catch(() => {})
    frame.ask('GET_FARCASTER_URI', undefined).catch(() => {})
    await peer.until(() => peer.ready() === 1)
    await peer.heard()
    clock.advance(limits.walletFrameReadyDelay - 1)
    await peer.heard()
    expect(peer.names()).toEqual([])
    clock.advance(1)
    await peer.until(() => peer.asked.length === 3)
    expect(peer.names()).toEqual(['SYNC_THEME', 'GET_CHAIN_ID', 'GET_FARCASTER_URI'])
  })

  it('2. fails with IFRAME_LOAD_FAILED after 20 s, removes the frame, and retries on the next request (spec §9)', async () => {
    const { peer, clock, frame } = setUp({}, { isLively: false })
    const asked = frame.ask('GET_CHAIN_ID', undefined).catch(code)
    peer.knock()
    clock.advance(limits.iframeReadyTimeout)
    expect(await asked).toBe('IFRAME_LOAD_FAILED')
    expect(peer.frames.map(({ isRemoved }) => isRemoved)).toEqual([true])
    frame.ask('GET_CHAIN_ID', undefined).catch(() => {})
    await peer.until(() => peer.frames.length === 2)
  })

  it('3. aborts a request in the frame when it times out', async () => {
    const { peer, clock, frame, ready } = setUp()
    const asked = frame.ask('CONNECT_DEVICE', undefined, { id: 'mine' }).catch(code)
    await ready()
    await peer.until(() => peer.count('CONNECT_DEVICE') === 1)
    await peer.heard()
    clock.advance(limits.walletFrameRequestTimeout)
    expect(await asked).toBe('IFRAME_REQUEST_TIMEOUT')
    await peer.until(() => peer.count('RPC_ABORT') === 1)
    expect(peer.payload('RPC_ABORT')).toEqual({ id: 'mine' })
    peer.answer('CONNECT_DEVICE', undefined, 'mine')
    await peer.heard()
  })

  it('3. aborts a request by its signal, before and after the frame is ready, with the signal’s reason', async () => {
    const { peer, frame, ready } = setUp()
    const early = new AbortController()
    const waitsForFrame = frame.ask('GET_CHAIN_ID', undefined, { signal: early.signal }).catch(code)
    early.abort(new Failure('USER_REJECTED'))
    expect(await waitsForFrame).toBe('USER_REJECTED')
    const late = new AbortController()
    const asked = frame.ask('RPC_REQUEST', { method: 'personal_sign' }, { signal: late.signal }).catch(code)
    await ready()
    await peer.until(() => peer.count('RPC_REQUEST') === 1)
    late.abort(new Failure('USER_REJECTED'))
    expect(await asked).toBe('USER_REJECTED')
    await peer.until(() => peer.count('RPC_ABORT') === 1)
    expect(await frame.ask('GET_CHAIN_ID', undefined, { signal: late.signal }).catch(code)).toBe('USER_REJECTED')
    expect(peer.count('GET_CHAIN_ID')).toBe(0)
  })

  it('3. reports a frame failure by its code, or by the code of its message', async () => {
    const { peer, frame, ready } = setUp()
    const asked = () => frame.ask('CONNECT_OTP', undefined).catch((thrown: unknown) => thrown)
    const first = asked()
    await ready()
    await peer.until(() => peer.count('CONNECT_OTP') === 1)
    peer.refuse('CONNECT_OTP', new Failure('CODE_SPENT'))
    expect(await first).toMatchObject({
      code: 'CODE_SPENT',
      message: 'This code was already used, or we sent a newer one',
    })
    for (const [message, expected] of [
      ['The code has expired', 'CODE_EXPIRED'],
      ['Please try again after 7 seconds', 'EMAIL_COOLDOWN'],
      ['JWT validation error: JWT Token is not yet valid', 'SESSION_EXPIRED'],
      ['execution reverted', 'INTERNAL'],
    ]) {
      peer.asked.length = 0
      const next = asked()
      await peer.until(() => peer.names().at(-1) === 'CONNECT_OTP' && peer.asked.at(-1))
      peer.post({ id: peer.asked.at(-1)?.id, type: '@w3m-frame/CONNECT_OTP_ERROR', payload: { message } })
      expect(await next).toMatchObject({ code: expected, message })
    }
  })

  it('4. accepts a reply only under its request’s id and name; one that breaks its schema rejects', async () => {
    const { peer, frame, ready } = setUp()
    const asked = frame.ask('GET_CHAIN_ID', undefined, { id: 'a' }).catch(code)
    await ready()
    await peer.until(() => peer.count('GET_CHAIN_ID') === 1)
    peer.post({ id: 'b', type: '@w3m-frame/GET_CHAIN_ID_SUCCESS', payload: { chainId: 7 } })
    peer.post({ id: 'a', type: '@w3m-frame/SWITCH_NETWORK_SUCCESS', payload: { chainId: 7 } })
    peer.post({ id: 'a', type: '@w3m-app/GET_CHAIN_ID_SUCCESS', payload: { chainId: 7 } })
    peer.post({ id: 'a', type: '@w3m-frame/GET_CHAIN_ID_SUCCESS', payload: { chainId: {} } })
    expect(await asked).toBe('INTERNAL')
  })

  it('4. no message from the frame can break the modal’s end', async () => {
    const { peer, frame, ready } = setUp()
    const asked = frame.ask('GET_CHAIN_ID', undefined, { id: 'a' })
    await ready()
    await peer.until(() => peer.count('GET_CHAIN_ID') === 1)
    const names = Object.keys(walletFrameRequests)
    const message = fc.record(
      {
        id: fc.oneof(fc.constantFrom('b', '__proto__', ''), fc.anything()),
        type: fc.oneof(
          fc.constantFrom(...names).map((name) => `@w3m-frame/${name}_SUCCESS`),
          fc
            .constantFrom('READY', 'SESSION_UPDATE', 'APPROVAL_REQUEST', 'APPROVAL_CLOSED')
            .map((n) => `@w3m-frame/${n}`),
          fc.string(),
        ),
        payload: fc.object(),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.oneof(message, fc.anything()), (data) => {
        try {
          peer.post(structuredClone(data))
        } catch {
          // Not cloneable, so not sendable.
        }
      }),
      { numRuns: 300 },
    )
    peer.answer('GET_CHAIN_ID', { chainId: 9 }, 'a')
    expect(await asked).toEqual({ chainId: 9 })
  })

  it('5. a frame that reloads ends pending requests and serves later ones', async () => {
    const { peer, clock, frame, ready, losses, greetings } = setUp()
    const asked = frame.ask('RPC_REQUEST', { method: 'personal_sign' }).catch(code)
    await ready()
    await peer.until(() => peer.count('RPC_REQUEST') === 1)
    peer.knock()
    expect(await asked).toBe('LINK_CLOSED')
    expect(losses()).toBe(1)
    const next = frame.ask('GET_CHAIN_ID', undefined)
    await peer.heard()
    expect(peer.count('GET_CHAIN_ID')).toBe(0)
    clock.advance(limits.walletFrameReadyDelay)
    await peer.until(() => peer.count('GET_CHAIN_ID') === 1)
    peer.answer('GET_CHAIN_ID', { chainId: 3 })
    expect(await next).toEqual({ chainId: 3 })
    expect(greetings).toHaveLength(2)
    expect(peer.frames).toHaveLength(1)
  })

  it('5. a closed port ends pending requests; the next request loads a fresh frame', async () => {
    const { peer, frame, ready, losses } = setUp(onChain1)
    const asked = frame.ask('RPC_REQUEST', { method: 'personal_sign' }).catch(code)
    await ready()
    await peer.until(() => peer.count('RPC_REQUEST') === 1)
    peer.current()?.port?.close()
    expect(await asked).toBe('LINK_CLOSED')
    expect(losses()).toBe(1)
    expect(peer.frames[0]?.isRemoved).toBe(true)
    const next = frame.ask('GET_CHAIN_ID', undefined)
    await ready(2)
    expect(await next).toEqual({ chainId: 1 })
  })

  it('5. detects a silent frame only while a request is pending (spec §7)', async () => {
    const { peer, clock, frame, ready } = setUp(silent)
    const asked = frame.ask('RPC_REQUEST', { method: 'personal_sign' }).catch(code)
    await ready()
    await peer.until(() => peer.count('RPC_REQUEST') === 1)
    await peer.heard()
    for (let beat = 0; beat <= maxMissedHeartbeats; beat++) clock.advance(heartbeatMs)
    expect(await asked).toBe('LINK_CLOSED')
    expect(clock.pending()).toBe(0)
  })

  it('5. a frame that answers the heartbeat may take as long as it needs', async () => {
    const { peer, clock, frame, ready } = setUp(onChain1)
    const asked = frame.ask('RPC_REQUEST', { method: 'personal_sign' })
    await ready()
    for (let beat = 1; beat <= 6; beat++) {
      await peer.until(() => peer.count('RPC_REQUEST') === 1)
      clock.advance(heartbeatMs)
      await peer.until(() => peer.count('GET_CHAIN_ID') === beat)
      await peer.heard()
    }
    peer.answer('RPC_REQUEST', '0xsigned')
    expect(await asked).toBe('0xsigned')
  })

  it('6. settles every request and leaves no frame, timer or listener', async () => {
    const { peer, clock, frame, ready } = setUp()
    const names: WalletFrameRequestName[] = ['GET_CHAIN_ID', 'GET_FARCASTER_URI', 'SIGN_OUT']
    const asked = names.map((name) => frame.ask(name, undefined as never).catch(code))
    await ready()
    await peer.until(() => peer.asked.length === 4)
    frame.end()
    expect(await Promise.all(asked)).toEqual(['LINK_CLOSED', 'LINK_CLOSED', 'LINK_CLOSED'])
    expect(peer.listenerCount()).toBe(0)
    expect(clock.pending()).toBe(0)
    expect(peer.frames[0]?.isRemoved).toBe(true)
    expect(await frame.ask('GET_CHAIN_ID', undefined).catch(code)).toBe('LINK_CLOSED')
  })
})
