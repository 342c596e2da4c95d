import { sepolia } from 'viem/chains'
import { describe, expect, test } from 'vitest'
import type { PosternOptions, SiweConfig, Siwx } from '../../types/index'
import { createInit, type InitOptions, isOn } from './init'

const never = () => Promise.reject(new Error('Not in this test'))
const siwx: Siwx = {
  createMessage: never,
  addSession: never,
  revokeSession: never,
  setSessions: never,
  getSessions: never,
}
const siweConfig: SiweConfig = {
  getNonce: never,
  createMessage: () => '',
  verifyMessage: never,
  getSession: never,
  signOut: never,
}

const fakes = {
  document: { title: 'A dapp', documentElement: { lang: 'en' } },
  location: { host: 'dapp.example', origin: 'https://dapp.example' },
  navigator: { language: 'en' },
}
const window: InitOptions['window'] = Object.setPrototypeOf(fakes, null)

function initOf(options: Partial<PosternOptions>) {
  const dapp = { projectId: 'demo', networks: ['ethereum'], ...options }
  return createInit({ window, dapp, theme: {}, colorScheme: 'light', pageWallets: [], stored: {}, isConnected: false })
}

test('a chain of viem becomes a definition whose endpoints are a fallback', () => {
  expect(initOf({ networks: ['base', sepolia] }).networks).toEqual([
    'base',
    {
      id: 'eip155:11155111',
      name: 'Sepolia',
      nativeCurrency: { name: 'Sepolia Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: [...sepolia.rpcUrls.default.http],
      blockExplorers: [{ name: 'Etherscan', url: 'https://sepolia.etherscan.io' }],
      testnet: true,
      fallback: true,
    },
  ])
})

test('options of the page alone are not sent', () => {
  const init = initOf({ prewarm: 'off', announce: false, host: 'https://modal.example', autoReconnect: true })
  for (const name of ['prewarm', 'announce', 'host']) expect(init).not.toHaveProperty(name)
})

describe('sign-in configuration', () => {
  test('is reported to the host, without any part of the plugin', () => {
    const init = initOf({ siwx })
    expect(init.signIn).toBe('siwx')
    expect(structuredClone(init)).toEqual(init)
    expect(initOf({ siweConfig }).signIn).toBe('siwe')
    expect(initOf({}).signIn).toBeUndefined()
  })

  test('a configuration with `enabled: false` counts as absent', () => {
    expect(initOf({ siweConfig: { ...siweConfig, enabled: false } }).signIn).toBeUndefined()
    expect(initOf({ siweConfig: { ...siweConfig, enabled: true } }).signIn).toBe('siwe')
    expect([undefined, siweConfig, { ...siweConfig, enabled: false }].map(isOn)).toEqual([false, true, false])
  })

  test('null counts as absent', () => {
    const absent: Partial<PosternOptions> = JSON.parse('{"siwx":null,"siweConfig":null}')
    expect(initOf(absent).signIn).toBeUndefined()
  })

  test('setting both is rejected with SIWX_CONFLICT (spec §5)', () => {
    for (const options of [{}, { siwx }, { siweConfig }]) expect(() => initOf(options)).not.toThrow()
    expect(() => initOf({ siwx, siweConfig })).toThrow(expect.objectContaining({ code: 'SIWX_CONFLICT' }))
  })

  test('setting both is rejected even if the older one is disabled, because the intent is unclear', () => {
    const off = { ...siweConfig, enabled: false }
    expect(() => initOf({ siwx, siweConfig: off })).toThrow(expect.objectContaining({ code: 'SIWX_CONFLICT' }))
  })
})

test('options that are unknown reach the host, which names them; functions and the page’s own options do not', () => {
  const more = { enableAnalytics: true, metadata: { name: 'A', onClick: () => {} }, connectors: [], announce: false }
  const init = initOf(more)
  expect(init).toMatchObject({ enableAnalytics: true, metadata: { name: 'A' } })
  expect(Object.keys(init)).not.toContain('connectors')
  expect(Object.keys(init)).not.toContain('announce')
  expect(structuredClone(init)).toEqual(init)
})

test('what a framework wraps in a proxy crosses as plain data', () => {
  const wrapped = new Proxy(['io.rabbit'], {})
  expect(() => structuredClone(wrapped)).toThrow()
  const init = initOf({ featuredWallets: wrapped, features: new Proxy({ swaps: false }, {}) })
  expect(structuredClone(init)).toMatchObject({ featuredWallets: ['io.rabbit'], features: { swaps: false } })
})
