import * as protocol from '@postern/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { isAddSession, isCreateMessage, isSetSessions, isSignedInAs } from '../modal/sign-in/guards'
import { isConnection, isHostState, isWalletInfos } from '../state/guards'
import { nearly } from '../testing/near-valid'
import * as valid from '../testing/valid'
import { isEnvelope, isLinkError, isOpenLink, isRefusal, isStore, isWalletRequest, isWelcome } from './guards'

const pairs: [string, (value: unknown) => boolean, z.ZodMiniType, fc.Arbitrary<unknown>][] = [
  ['Envelope', isEnvelope, protocol.Envelope, valid.envelope],
  ['LinkError', isLinkError, protocol.LinkError, valid.linkError],
  ['Welcome', isWelcome, protocol.Welcome, valid.welcome],
  ['Refusal', isRefusal, protocol.Refusal, valid.refusal],
  ['Connection', isConnection, protocol.Connection, valid.connection],
  ['HostState', isHostState, protocol.HostState, valid.hostState],
  ['walletInfo', isWalletInfos, protocol.hostEvents.walletInfo, valid.walletInfos],
  ['walletRequest', isWalletRequest, protocol.pageMethods.walletRequest.params, valid.walletRequest],
  ['store', isStore, protocol.pageMethods.store.params, valid.store],
  ['openLink', isOpenLink, protocol.pageMethods.openLink.params, valid.openLink],
  ['siwxCreateMessage', isCreateMessage, protocol.signInMethods.siwxCreateMessage.params, valid.createMessage],
  ['siwxAddSession', isAddSession, protocol.signInMethods.siwxAddSession.params, valid.addSession],
  ['siwxSetSessions', isSetSessions, protocol.signInMethods.siwxSetSessions.params, valid.setSessions],
  ['siwxRevokeSession', isSignedInAs, protocol.signInMethods.siwxRevokeSession.params, valid.signedInAs],
  ['siwxGetState', isSignedInAs, protocol.signInMethods.siwxGetState.params, valid.signedInAs],
]

describe('each guard accepts exactly what the protocol schema accepts', () => {
  test.each(pairs)('%s', (_, guard, schema, arbitrary) => {
    let accepted = 0
    let refused = 0
    const property = fc.property(nearly(arbitrary), (value) => {
      const expected = schema.safeParse(value).success
      if (expected) accepted++
      else refused++
      expect(guard(value)).toBe(expected)
    })
    fc.assert(property, { numRuns: 2_000 })
    // Agreement is meaningless unless both outcomes occur often.
    expect(Math.min(accepted, refused)).toBeGreaterThan(100)
  })

  test('accepts every wallet method the host may call, and no other', () => {
    const wallet = 'w'
    for (const method of protocol.walletRequestMethods) expect(isWalletRequest({ wallet, method })).toBe(true)
    for (const method of ['eth_sign', 'constructor', '__proto__', ''])
      expect(isWalletRequest({ wallet, method })).toBe(false)
  })

  test('text length limits match the schemas', () => {
    const { openLink, store, walletRequest } = protocol.pageMethods
    for (const length of [1_048_576, 1_048_577]) {
      const value = { key: 'k', value: 'x'.repeat(length) }
      expect(isStore(value)).toBe(store.params.safeParse(value).success)
    }
    for (const length of [8192, 8193]) {
      const value = { url: 'x'.repeat(length), target: 'app' }
      expect(isOpenLink(value)).toBe(openLink.params.safeParse(value).success)
    }
    for (const length of [64, 65]) {
      const value = { wallet: 'x'.repeat(length), method: 'eth_chainId' }
      expect(isWalletRequest(value)).toBe(walletRequest.params.safeParse(value).success)
    }
  })

  const message = { accountAddress: 'a', chainId: 'eip155:1', domain: 'd', uri: 'u', version: '1', nonce: 'n' }
  const longest: [string, number, (text: string) => object][] = [
    ['accountAddress', 128, (accountAddress) => ({ accountAddress })],
    ['domain', 2048, (domain) => ({ domain })],
    ['uri', 2048, (uri) => ({ uri })],
    ['version', 16, (version) => ({ version })],
    ['nonce', 512, (nonce) => ({ nonce })],
    ['statement', 4096, (statement) => ({ statement })],
    ['issuedAt', 64, (issuedAt) => ({ issuedAt })],
    ['expirationTime', 64, (expirationTime) => ({ expirationTime })],
    ['notBefore', 64, (notBefore) => ({ notBefore })],
    ['requestId', 512, (requestId) => ({ requestId })],
    ['a resource', 2048, (resource) => ({ resources: [resource] })],
    ['resources', 128, (text) => ({ resources: [...text] })],
  ]
  test.each(longest)('the limit for %s in a sign-in message matches the schema', (_, most, withText) => {
    for (const [length, isGood] of [
      [most, true],
      [most + 1, false],
    ] as const) {
      const session = { data: { ...message, ...withText('x'.repeat(length)) }, message: 'm', signature: 's' }
      expect(protocol.signInMethods.siwxAddSession.params.safeParse({ session }).success).toBe(isGood)
      expect(isAddSession({ session })).toBe(isGood)
    }
  })

  test('limits for text length and session count in sign-in sessions match the schemas', () => {
    const session = { data: message, message: 'm', signature: 's' }
    const long = 'x'.repeat(16_384)
    for (const change of [{ message: long }, { signature: long }, { message: `${long}x` }, { signature: `${long}x` }]) {
      const params = { session: { ...session, ...change } }
      expect(isAddSession(params)).toBe(protocol.signInMethods.siwxAddSession.params.safeParse(params).success)
    }
    for (const length of [0, 64, 65]) {
      const params = { sessions: Array.from({ length }, () => session) }
      expect(isSetSessions(params)).toBe(protocol.signInMethods.siwxSetSessions.params.safeParse(params).success)
    }
  })
})
