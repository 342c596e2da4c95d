/** Steps that the tests of the wallet share. */
import type { Recovery, RecoveryProof } from '@postern/protocol'
import { base64urlnopad } from '@scure/base'
import { expect } from 'vitest'
import type { testFrame } from './test-frame'
import { openedWindow } from './test-window'

export type Frame = ReturnType<typeof testFrame>

export const names = (frame: Frame) => frame.gateway.calls.map(({ name }) => name)
export const count = (frame: Frame, name: string) => names(frame).filter((one) => one === name).length

export const passphrase = {
  method: 'passphrase',
  publicKey: 'AAAA',
  wrappedKey: 'AAAA',
  salt: 'AAAA',
  memory: 65_536,
  passes: 3,
  lanes: 1,
} as const

export async function open(frame: Frame): Promise<string> {
  await frame.signIn()
  return (await frame.ask('GET_USER', undefined)).address
}

export async function sign(frame: Frame): Promise<string> {
  const { id, reply } = frame.send('RPC_REQUEST', { method: 'personal_sign', params: ['0x68656c6c6f'] })
  await Promise.race([
    frame.notice('APPROVAL_REQUEST'),
    reply.then((early) => {
      throw Object.assign(new Error('settled before it was shown'), early)
    }),
  ])
  await frame.approve(id)
  const answer = await reply
  if (!answer?.ok) throw Object.assign(new Error(answer?.message), { code: answer?.code })
  return String(answer.payload)
}

export async function ownersMethod(): Promise<Recovery> {
  const { publicKey } = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits'])
  const spki = new Uint8Array(await crypto.subtle.exportKey('spki', publicKey))
  return { ...passphrase, publicKey: base64urlnopad.encode(spki) }
}

/** Returns the proof sent to the gateway. */
export async function move(frame: Frame, recovery: Recovery): Promise<RecoveryProof> {
  const window = await openedWindow(frame, 'recovery')
  expect(await window.ask('setRecovery', { recovery, otp: '123456' })).toMatchObject({ ok: true })
  const proof = frame.gateway.user('alice@example.com').wallet?.recoveryProof
  if (proof === undefined || proof === null) throw new Error('a proof expected')
  return proof
}
