import { describe, expect, it } from 'vitest'
import { WalletEntry } from '../entities/wallet-entry'
import { JsonRpcBody, JsonRpcResponse, WalletPage } from './http'
import { ProjectPage } from './project-page'

describe('wallet directory', () => {
  it('accepts null and absent links, and drops unknown members', () => {
    const wire = { id: 'a', name: 'A', mobile_link: null, desktop_link: 'a://', image_id: null, rank: 7 }
    const { rank, ...known } = wire
    expect(WalletEntry.parse(wire)).toEqual(known)
    expect(rank).toBe(7)
  })

  it('rejects a page with an entry that lacks an id or a name (spec §3)', () => {
    expect(WalletPage.safeParse({ data: [{ id: 'a', name: 'A' }], count: 1 }).success).toBe(true)
    for (const entry of [{ id: '', name: 'A' }, { id: 'a' }, { id: 1, name: 'A' }, null]) {
      expect(WalletPage.safeParse({ data: [entry], count: 1 }).success).toBe(false)
    }
  })
})

describe('JSON-RPC', () => {
  it('a response has a result or an error', () => {
    const frame = { jsonrpc: '2.0', id: 1 }
    expect(JsonRpcResponse.safeParse({ ...frame, result: null }).success).toBe(true)
    expect(JsonRpcResponse.safeParse({ ...frame, error: { code: -32000, message: 'no' } }).success).toBe(true)
    for (const wrong of [frame, { ...frame, error: 'no' }, { id: 1, result: 1 }, { jsonrpc: '2.0', result: 1 }]) {
      expect(JsonRpcResponse.safeParse(wrong).success).toBe(false)
    }
  })

  it('a body is one request or a batch of at most 1,000', () => {
    const request = { jsonrpc: '2.0', id: 1, method: 'eth_chainId' }
    expect(JsonRpcBody.safeParse(request).success).toBe(true)
    expect(JsonRpcBody.safeParse([request, request]).success).toBe(true)
    expect(JsonRpcBody.safeParse([]).success).toBe(false)
    expect(JsonRpcBody.safeParse(Array(1_001).fill(request)).success).toBe(false)
  })
})

describe('ProjectPage', () => {
  it('matches what the gateway writes into the page', () => {
    const page = {
      projectId: 'demo',
      name: 'Demo',
      allowedOrigins: ['https://app.example.com'],
      defaultAncestors: true,
      features: { swaps: false },
      networks: [],
      wallets: [{ id: 'a', name: 'A' }],
      walletCount: 1,
      gatewayVersion: '0.0.0',
      walletConnect: { relayUrl: 'wss://relay.example', projectId: 'demo' },
      wallet: {
        origin: 'https://wallet.example',
        email: true,
        socials: ['google'],
        farcaster: false,
        smartAccountChainIds: [1],
      },
      money: { swapChainIds: ['eip155:1'], onramp: true, nameSuffix: '.postern' },
    }
    expect(ProjectPage.parse(JSON.parse(JSON.stringify(page)))).toEqual(page)
    expect(ProjectPage.safeParse({ ...page, walletCount: -1 }).success).toBe(false)
  })
})
