import { afterEach, describe, expect, it, vi } from 'vitest'
import { baseAccount, safe } from './index'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('safe', () => {
  const info = { safeAddress: '0x1' }
  const made: unknown[] = []
  const importSafe = (getInfo: () => Promise<typeof info>) => async () =>
    [
      {
        default: class {
          readonly safe = { getInfo }
          constructor(options: unknown) {
            made.push(options)
          }
        },
      },
      {
        SafeAppProvider: class {
          constructor(readonly of: typeof info) {}
          request = async ({ method, params }: { method: string; params?: unknown[] }) => ({
            of: this.of.safeAddress,
            method,
            params,
          })
        },
      },
    ] as const
  const framed = () => vi.stubGlobal('window', { parent: {} })

  it('is no connector on a server and outside a frame', () => {
    expect(safe(importSafe(async () => info))).toEqual([])
    const page: { parent?: unknown } = {}
    page.parent = page
    vi.stubGlobal('window', page)
    expect(safe(importSafe(async () => info))).toEqual([])
  })

  it('trusts only Safe’s own app unless the dapp names others, and asks for accounts without a prompt', async () => {
    framed()
    const [connector] = safe(importSafe(async () => info))
    const provider = await connector?.load()
    expect(await provider?.request({ method: 'eth_requestAccounts' })).toEqual({
      of: '0x1',
      method: 'eth_accounts',
      params: [],
    })
    const [options] = made.splice(0) as [{ allowedDomains: RegExp[] }]
    const isTrusted = (origin: string) => options.allowedDomains.some((pattern) => pattern.test(origin))
    expect(isTrusted('https://app.safe.global')).toBe(true)
    for (const origin of ['https://app.safe.global.evil.example', 'http://app.safe.global', 'https://evil.example'])
      expect(isTrusted(origin)).toBe(false)
    await safe(
      importSafe(async () => info),
      { allowedDomains: [/^https:\/\/own\.example$/] },
    )[0]?.load()
    expect(made.splice(0)).toEqual([{ allowedDomains: [/^https:\/\/own\.example$/] }])
  })

  it('says what to do if the page around it does not answer', async () => {
    framed()
    vi.useFakeTimers()
    const [connector] = safe(importSafe(() => new Promise(() => {})))
    const loading = expect(connector?.load()).rejects.toThrow('Open the dapp in Safe, or set `allowedDomains`')
    await vi.advanceTimersByTimeAsync(10_000)
    await loading
  })
})

describe('baseAccount', () => {
  it('loads the SDK with the wallet, without telemetry unless the dapp wants it', async () => {
    const provider = { request: async () => [] }
    const createBaseAccountSDK = vi.fn(() => ({ getProvider: () => provider }))
    const importSdk = vi.fn(async () => ({ createBaseAccountSDK }))
    const connector = baseAccount(importSdk, { appName: 'Shop', appChainIds: [8453] })
    expect(importSdk).not.toHaveBeenCalled()
    expect(await connector.load()).toBe(provider)
    expect(createBaseAccountSDK).toHaveBeenCalledExactlyOnceWith({
      appName: 'Shop',
      appChainIds: [8453],
      preference: { telemetry: false },
    })
    await baseAccount(importSdk, { preference: { telemetry: true } }).load()
    expect(createBaseAccountSDK).toHaveBeenLastCalledWith({ preference: { telemetry: true } })
  })
})
