import { manualClock } from '@postern/base/testing/manual-clock'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { bundlerOf, paymasterOf } from '../chains/eip155/endpoints/endpoints'
import { testWallet } from '../chains/eip155/testing/wallet'
import { randomSecret } from '../random'
import { newKey, readProof } from '../testing/fake-proofs'
import type { StoredSession } from '../window-messages'
import { createDpop } from './dpop'
import { createSessionFetch } from './session-fetch'

const ownOrigin = 'https://wallet.example'
const key = await newKey()
const bundler = `${ownOrigin}/v1/bundler?chainId=eip155:31337&projectId=demo`

function gateway(answer: () => Response = () => Response.json({ jsonrpc: '2.0', id: 1, result: 'ok' })) {
  const sent: { url: string; authorization: string | null; proof: string | null; contentType: string | null }[] = []
  const lost: unknown[] = []
  let stored: StoredSession | null = {
    token: 'secret',
    key,
    expiresAt: 1,
    user: { id: 'ada', provider: 'email', email: null, userName: null },
  }
  const outward: typeof fetch = async (input, init) => {
    const headers = new Headers(init?.headers)
    sent.push({
      url: String(input),
      authorization: headers.get('authorization'),
      proof: headers.get('dpop'),
      contentType: headers.get('content-type'),
    })
    return answer()
  }
  const sessionFetch = createSessionFetch({
    ownOrigin,
    fetch: outward,
    dpop: createDpop({ fetch: outward, ownOrigin, randomSecret, clock: manualClock() }),
    session: {
      current: async () => stored,
      async lost(...reason) {
        lost.push(reason)
      },
    },
  })
  return {
    fetch: sessionFetch,
    sent,
    lost,
    signOut() {
      stored = null
    },
  }
}

describe('the chains’ fetch', () => {
  it('sends the session with the wallet’s own bundler and paymaster calls', async () => {
    const { fetch, sent } = gateway()
    const { context } = await testWallet('session', fetch)
    await bundlerOf(context)('eth_supportedEntryPoints', [], z.unknown())
    await paymasterOf(context)('pm_getPaymasterData', [], z.unknown())
    expect(sent.map(({ authorization }) => authorization)).toEqual(['DPoP secret', 'DPoP secret'])
    expect(sent[0]?.contentType).toBe('application/json')
    const proofs = await Promise.all(sent.map(({ proof }) => readProof(proof ?? '')))
    expect(proofs.map(({ payload }) => payload.htu)).toEqual([`${ownOrigin}/v1/bundler`, `${ownOrigin}/v1/paymaster`])
    expect(proofs.every(({ isSigned }) => isSigned)).toBe(true)
  })

  it.each([
    `${ownOrigin}/v1/?chainId=eip155:1`,
    'https://evil.example/v1/bundler',
    'http://wallet.example/v1/bundler',
    `${ownOrigin}/v1/bundler/x`,
    `${ownOrigin}/x?/v1/bundler`,
  ])('1. sends no token to %s', async (url) => {
    const { fetch, sent } = gateway()
    await fetch(url)
    expect(sent).toMatchObject([{ url, authorization: null, proof: null }])
  })

  it('2. sends nothing while signed out', async () => {
    const { fetch, sent, signOut } = gateway()
    signOut()
    await expect(fetch(bundler)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    expect(sent).toEqual([])
  })

  it.each([
    ['SESSION_EXPIRED', 401],
    ['DEVICE_REVOKED', 403],
  ])('3. ends the session on %s', async (name, status) => {
    const problem = { status: 'error', reasons: [{ name, description: 'x' }] }
    const { fetch, lost } = gateway(() => Response.json(problem, { status }))
    const { context } = await testWallet('session', fetch)
    await expect(bundlerOf(context)('eth_supportedEntryPoints', [], z.unknown())).rejects.toMatchObject({ code: name })
    expect(lost).toEqual([['secret']])
  })

  it('passes on a refusal in the gateway’s words, and keeps the session', async () => {
    const error = { code: -32_005, message: 'The daily limit is reached' }
    const { fetch, lost } = gateway(() => Response.json({ jsonrpc: '2.0', id: 1, error }, { status: 429 }))
    const { context } = await testWallet('session', fetch)
    await expect(bundlerOf(context)('eth_sendUserOperation', [], z.unknown())).rejects.toMatchObject({
      message: 'The daily limit is reached',
      rpc: -32_005,
    })
    expect(lost).toEqual([])
  })
})
