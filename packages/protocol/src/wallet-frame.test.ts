import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  parseWalletFrameNotice,
  parseWalletFramePayload,
  parseWalletFrameReply,
  parseWalletFrameRequest,
  walletFrameNotice,
  walletFrameReply,
  walletFrameRequest,
  walletFrameRequests,
} from './wallet-frame'

describe('the wallet frame’s events', () => {
  it('1. have the names of interop §1', () => {
    expect(Object.keys(walletFrameRequests)).toEqual([
      'SWITCH_NETWORK',
      'CONNECT_EMAIL',
      'CONNECT_DEVICE',
      'CONNECT_OTP',
      'GET_SOCIAL_REDIRECT_URI',
      'CONNECT_SOCIAL',
      'GET_FARCASTER_URI',
      'CONNECT_FARCASTER',
      'GET_USER',
      'SIGN_OUT',
      'IS_CONNECTED',
      'GET_CHAIN_ID',
      'GET_SMART_ACCOUNT_ENABLED_NETWORKS',
      'INIT_SMART_ACCOUNT',
      'SET_PREFERRED_ACCOUNT',
      'RPC_REQUEST',
      'UPDATE_EMAIL',
      'UPDATE_EMAIL_PRIMARY_OTP',
      'UPDATE_EMAIL_SECONDARY_OTP',
      'SYNC_THEME',
      'SYNC_DAPP_DATA',
      'RPC_ABORT',
      'RELOAD',
      // Beyond interop §1.
      'APPROVE',
      'REJECT',
      'SOCIAL_CODE',
      'GET_SECURITY',
      'REVOKE_DEVICE',
      'USE_GRANTED_STORAGE',
      'GET_WINDOW_URI',
      'AWAIT_WINDOW',
      'REQUEST_CODE',
      'DELETE_ACCOUNT',
    ])
  })

  it('wait 30 s for email, code and social sign-in', () => {
    const timed = Object.entries(walletFrameRequests).flatMap(([name, { timeout }]) =>
      timeout === 30_000 ? [name] : [],
    )
    expect(timed.sort()).toEqual([
      'CONNECT_DEVICE',
      'CONNECT_EMAIL',
      'CONNECT_OTP',
      'CONNECT_SOCIAL',
      'DELETE_ACCOUNT',
      'GET_SECURITY',
      'GET_SOCIAL_REDIRECT_URI',
      'GET_WINDOW_URI',
      'REQUEST_CODE',
      'REVOKE_DEVICE',
      'SOCIAL_CODE',
      'USE_GRANTED_STORAGE',
    ])
  })

  it('1. read back what was written', () => {
    const message = walletFrameRequest('1', 'CONNECT_EMAIL', { email: 'a@example.com' })
    expect(message).toEqual({ id: '1', type: '@w3m-app/CONNECT_EMAIL', payload: { email: 'a@example.com' } })
    const request = parseWalletFrameRequest(message)
    expect(request).toEqual({ id: '1', name: 'CONNECT_EMAIL', payload: { email: 'a@example.com' } })
    expect(parseWalletFramePayload('CONNECT_EMAIL', request?.payload)).toEqual({ payload: { email: 'a@example.com' } })
    expect(walletFrameRequest('2', 'GET_USER', undefined)).toEqual({ id: '2', type: '@w3m-app/GET_USER' })
  })

  it('1. drop other types, replies, and the names that every object has', () => {
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

  it('1. refuse a payload that is not the name’s', () => {
    expect(parseWalletFramePayload('CONNECT_EMAIL', {})).toBeNull()
    expect(parseWalletFramePayload('GET_SOCIAL_REDIRECT_URI', { provider: 'myspace' })).toBeNull()
    expect(parseWalletFramePayload('SIGN_OUT', { really: true })).toBeNull()
    expect(parseWalletFramePayload('SIGN_OUT', undefined)).toEqual({ payload: undefined })
  })

  it('2. a reply counts only for its own name', () => {
    const reply = walletFrameReply('GET_CHAIN_ID', { id: '7', ok: true, payload: { chainId: 1 } })
    expect(reply).toEqual({ id: '7', type: '@w3m-frame/GET_CHAIN_ID_SUCCESS', payload: { chainId: 1 } })
    expect(parseWalletFrameReply('GET_CHAIN_ID', reply)).toEqual({ id: '7', ok: true, payload: { chainId: 1 } })
    expect(parseWalletFrameReply('SWITCH_NETWORK', reply)).toBeNull()
    expect(parseWalletFrameReply('GET_CHAIN_ID', { ...reply, payload: {} })).toBeNull()
  })

  it('3. every request has an error reply', () => {
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

  it('3. an error reply has its code, and what a chain said', () => {
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

  it('say that they are ready and that the session changed', () => {
    for (const notice of [
      { name: 'SOCIAL_CODE_WANTED' },
      { name: 'READY', version: '1.0.0' },
      { name: 'SESSION_UPDATE', token: 't' },
    ] as const) {
      expect(parseWalletFrameNotice(walletFrameNotice(notice))).toEqual(notice)
    }
    expect(parseWalletFrameNotice({ type: '@w3m-frame/READY' })).toEqual({ name: 'READY', version: undefined })
    expect(parseWalletFrameNotice({ type: '@w3m-frame/SESSION_UPDATE' })).toBeNull()
  })

  it('never make a reader throw', () => {
    const message = fc.record(
      {
        id: fc.anything(),
        type: fc.oneof(fc.constantFrom('@w3m-app/GET_USER', '@w3m-frame/READY'), fc.string()),
        payload: fc.anything(),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.oneof(fc.anything(), message), (value) => {
        const request = parseWalletFrameRequest(value)
        if (request) parseWalletFramePayload(request.name, request.payload)
        parseWalletFrameReply('GET_USER', value)
        parseWalletFrameNotice(value)
      }),
    )
  })
})
