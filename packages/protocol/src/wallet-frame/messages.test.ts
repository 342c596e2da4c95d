import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  parseWalletFramePayload,
  parseWalletFrameReply,
  parseWalletFrameRequest,
  walletFrameReply,
  walletFrameRequest,
} from './messages'
import { walletFrameRequests } from './requests'

describe('messages to and from the wallet’s frame', () => {
  it('1. parsing returns what was written', () => {
    const message = walletFrameRequest('1', 'CONNECT_EMAIL', { email: 'a@example.com' })
    expect(message).toEqual({ id: '1', type: '@w3m-app/CONNECT_EMAIL', payload: { email: 'a@example.com' } })
    const request = parseWalletFrameRequest(message)
    expect(request).toEqual({ id: '1', name: 'CONNECT_EMAIL', payload: { email: 'a@example.com' } })
    expect(parseWalletFramePayload('CONNECT_EMAIL', request?.payload)).toEqual({ payload: { email: 'a@example.com' } })
    expect(walletFrameRequest('2', 'GET_USER', undefined)).toEqual({ id: '2', type: '@w3m-app/GET_USER' })
  })

  it('1. parsing drops other types, replies and object prototype members', () => {
    for (const type of [
      '@w3m-frame/GET_USER_SUCCESS',
      'GET_USER',
      '@w3m-app/',
      '@w3m-app/constructor',
      '@w3m-app/__proto__',
      '@w3m-app/get_user',
    ]) {
      expect(parseWalletFrameRequest({ id: '1', type })).toBeNull()
    }
    expect(parseWalletFrameRequest({ type: '@w3m-app/GET_USER' })).toBeNull()
  })

  it('1. a payload of another name is rejected (spec §5)', () => {
    expect(parseWalletFramePayload('CONNECT_EMAIL', {})).toBeNull()
    expect(parseWalletFramePayload('GET_SOCIAL_REDIRECT_URI', { provider: 'myspace' })).toBeNull()
    expect(parseWalletFramePayload('SIGN_OUT', { really: true })).toBeNull()
    expect(parseWalletFramePayload('SIGN_OUT', undefined)).toEqual({ payload: undefined })
  })

  it('2. a reply is accepted only for its own name (spec §5)', () => {
    const reply = walletFrameReply('GET_CHAIN_ID', { id: '7', ok: true, payload: { chainId: 1 } })
    expect(reply).toEqual({ id: '7', type: '@w3m-frame/GET_CHAIN_ID_SUCCESS', payload: { chainId: 1 } })
    expect(parseWalletFrameReply('GET_CHAIN_ID', reply)).toEqual({ id: '7', ok: true, payload: { chainId: 1 } })
    expect(parseWalletFrameReply('SWITCH_NETWORK', reply)).toBeNull()
    expect(parseWalletFrameReply('GET_CHAIN_ID', { ...reply, payload: {} })).toBeNull()
  })

  it('3. every request has an error reply (spec §7)', () => {
    const names = Object.keys(walletFrameRequests)
    expect(names.length).toBeGreaterThan(0)
    for (const name of names) {
      const message = { id: '1', type: `@w3m-app/${name}` }
      const request = parseWalletFrameRequest(message)
      expect(request?.name).toBe(name)
      if (request === null) continue
      const reply = walletFrameReply(request.name, { id: '1', ok: false, message: 'no' })
      expect(parseWalletFrameReply(request.name, reply)).toEqual({ id: '1', ok: false, message: 'no' })
    }
  })

  it('3. an error reply has its code and the chain’s error', () => {
    const error = { id: '1', ok: false, message: 'no', code: 'INTERNAL', rpc: 3, data: '0x08c379a0' } as const
    const reply = walletFrameReply('RPC_REQUEST', error)
    expect(parseWalletFrameReply('RPC_REQUEST', reply)).toEqual(error)
    const odd = {
      id: '1',
      type: '@w3m-frame/GET_USER_ERROR',
      payload: { message: 'no', code: 'constructor', rpc: '1' },
    }
    expect(parseWalletFrameReply('GET_USER', odd)).toEqual({ id: '1', ok: false, message: 'no' })
  })

  it('no value makes a parser throw', () => {
    const message = fc.record(
      {
        id: fc.anything(),
        type: fc.oneof(
          fc.constantFrom('@w3m-app/GET_USER', '@w3m-frame/GET_USER_SUCCESS', '@w3m-frame/GET_USER_ERROR'),
          fc.string(),
        ),
        payload: fc.anything(),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.oneof(fc.anything(), message), (value) => {
        const request = parseWalletFrameRequest(value)
        if (request) parseWalletFramePayload(request.name, request.payload)
        parseWalletFrameReply('GET_USER', value)
      }),
    )
  })
})
