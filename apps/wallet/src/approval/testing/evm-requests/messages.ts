/** Messages and sign-ins. */

import type { ApprovalSubject } from '@postern/protocol'
import { approvalRequest } from '@postern/protocol/testing/approval-request'
import { own } from '../draw-card'

export const hexOf = (text: string) =>
  `0x${[...new TextEncoder().encode(text)].map((one) => one.toString(16).padStart(2, '0')).join('')}`

export function message(hex: string, account: 'eoa' | 'smartAccount' = 'eoa') {
  const subject: ApprovalSubject = { kind: 'eip155.message', address: own, account, message: hex }
  return approvalRequest(subject, { method: 'personal_sign' })
}

export const signIn = (account = own, tail = '') =>
  `app.example wants you to sign in with your Ethereum account:\n${account}\n\nHello\n\nURI: https://app.example\nVersion: 1\nChain ID: 1\nNonce: 12345678\nIssued At: 2026-11-30T00:00:00Z${tail}`
export const everything = `urn:recap:${btoa('{"att":{"https://x.example":{"crud/delete":[{}]}},"prf":[]}').replace(/=+$/, '')}`
