// @vitest-environment happy-dom

import { approvalRequest } from '@postern/protocol/testing/approval-request'
import { loadEnglish } from '@postern/ui/locales/text'
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, it, vi } from 'vitest'
import type { Intent } from '../../intent/intent'
import { TestCard } from '../testing/test-card'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

const friend = `0x${'2'.repeat(40)}`
const request = approvalRequest(
  { kind: 'eip155.message', address: `0x${'1'.repeat(40)}`, account: 'eoa', message: '0x68656c6c6f' },
  { method: 'personal_sign', origin: 'https://evil.example' },
)

async function drawn(dappName: string | undefined, more: Partial<Intent> = {}): Promise<string> {
  await loadEnglish()
  const intent: Intent = { steps: [], warnings: [], fee: null, changes: { kind: 'unknown' }, raw: [], ...more }
  const place = document.createElement('div')
  const root = createRoot(place)
  const card = <TestCard request={request} intent={intent} dappName={dappName} />
  await act(async () => root.render(card))
  const text = place.textContent ?? ''
  await act(async () => root.unmount())
  return text
}

it('names the real origin before and above what the dapp calls itself', async () => {
  const text = await drawn('https://bank.example')
  expect(text.trimStart().startsWith('evil.example')).toBe(true)
  expect(text).toContain('Calls itself “https://bank.example”')
})

it('does not let a dapp’s name hide characters', async () => {
  expect(await drawn('Bank\u202Eelpmaxe')).not.toContain('\u202E')
})

it('says what a sign-in lets the site do, and what cannot be read', async () => {
  const grants = [
    { resource: 'https://storage.example', abilities: ['crud/delete', 'crud/update'] },
    { resource: 'urn:recap:!!!', abilities: null },
  ]
  const text = await drawn(undefined, {
    steps: [{ kind: 'signIn', domain: 'evil.example', account: friend, fields: [], grants }],
    warnings: [{ kind: 'signInGrants' }],
  })
  expect(text).toContain('crud/delete, crud/update on https://storage.example')
  expect(text).toContain('Unreadable: urn:recap:!!!')
  expect(text).toContain('Signing in also lets the site act for you.')
})

it('says that steps are missing, and who was named to pay', async () => {
  const paymaster = `0x${'5'.repeat(40)}`
  const text = await drawn(undefined, {
    warnings: [
      { kind: 'tooLong', more: 19_936 },
      { kind: 'pagePaymaster', paymaster },
    ],
  })
  expect(text).toMatch(/19,?936 more steps or warnings/)
  expect(text).toContain('The app chose who pays the fee.')
  expect(text.replace(/\s/g, '')).toContain(paymaster)
})

it('calls the creation of a contract by its name, with the size of its code', async () => {
  const value = { raw: '1500000000000000000', decimals: 18, symbol: 'ETH' }
  const text = await drawn(undefined, {
    steps: [{ kind: 'create', bytes: 1_234, value }],
    warnings: [{ kind: 'unreadCode' }],
  })
  expect(text).toContain('Create a contract')
  expect(text).not.toContain('smart account')
  expect(text).toContain('1,234 bytes')
  expect(text).toContain('1.5\u00A0ETH')
  expect(text).toContain('We didn’t read the contract’s code.')
})

it('names the address and the account that a sign-in names', async () => {
  const text = await drawn(undefined, {
    warnings: [
      { kind: 'otherUri', uri: 'http://evil.example:1', origin: 'https://evil.example' },
      { kind: 'otherAccount', named: friend, signer: `0x${'1'.repeat(40)}` },
    ],
  })
  expect(text).toContain('It’s for evil.example, but also names http://evil.example:1.')
  expect(text.replace(/\s/g, '')).toContain(friend)
})

it('names an item (ERC-721) by its number', async () => {
  const amount = { raw: '1', token: friend, tokenId: '0', decimals: 0, symbol: 'TDN' }
  expect(await drawn(undefined, { steps: [{ kind: 'approve', spender: friend, amount }] })).toContain('Allow moving #0')
  const noOne = `0x${'0'.repeat(40)}`
  expect(await drawn(undefined, { steps: [{ kind: 'approve', spender: noOne, amount }] })).toContain(
    'Revoke permission',
  )
})
