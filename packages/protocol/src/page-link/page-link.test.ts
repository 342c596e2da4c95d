import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { CustomWallet } from '../entities/custom-wallet'
import { Envelope, LinkError } from './envelope'
import { hostEvents, hostMethods, pageMethods, Refusal, Welcome } from './from-host'
import { Hello, Init, pageEvents } from './from-page'
import { signInMethods } from './sign-in'

const schema = (type: z.ZodMiniType) => z.toJSONSchema(type, { unrepresentable: 'any', io: 'input' })

describe('the published messages', () => {
  it('match the snapshot; a change here is a decision, because older SDKs and newer hosts depend on it (guarantee 7)', async () => {
    const method = ({
      params,
      result,
      timeout,
    }: {
      params: z.ZodMiniType
      result: z.ZodMiniType
      timeout: number
    }) => ({
      params: schema(params),
      result: schema(result),
      timeout,
    })
    const each = <T, U>(table: Readonly<Record<string, T>>, write: (entry: T) => U) =>
      Object.fromEntries(Object.entries(table).map(([name, entry]) => [name, write(entry)]))
    const contract = {
      handshake: { Hello: schema(Hello), Welcome: schema(Welcome), Refusal: schema(Refusal) },
      Envelope: schema(Envelope),
      hostMethods: each<(typeof hostMethods)[keyof typeof hostMethods], unknown>(hostMethods, method),
      pageMethods: each<{ params: z.ZodMiniType; result: z.ZodMiniType; timeout: number }, unknown>(
        { ...pageMethods, ...signInMethods },
        method,
      ),
      hostEvents: each<z.ZodMiniType, unknown>(hostEvents, schema),
      pageEvents: each<z.ZodMiniType, unknown>(pageEvents, schema),
    }
    await expect(`${JSON.stringify(contract, null, 1)}\n`).toMatchFileSnapshot('./page-link.contract.snap')
  })

  it('limit text lengths and reject unknown members', () => {
    const long = 'x'.repeat(1_000_000)
    const request = { v: 1, id: 'a', kind: 'request', method: 'ping' }
    expect(Envelope.safeParse(request).success).toBe(true)
    expect(Envelope.safeParse({ ...request, id: long }).success).toBe(false)
    expect(Envelope.safeParse({ ...request, id: '' }).success).toBe(false)
    expect(Envelope.safeParse({ ...request, method: long }).success).toBe(false)
    expect(Envelope.safeParse({ ...request, v: 2 }).success).toBe(false)
    expect(Envelope.safeParse({ ...request, extra: 1 }).success).toBe(false)
    expect(Hello.safeParse({ type: 'postern:hello', v: 1, min: 1, sdk: long }).success).toBe(false)
  })
})

describe('the identity token', () => {
  it('is asked for with nothing, as older pages do, or with the user; nothing else passes', () => {
    const { params } = hostMethods.getIdentityToken
    for (const given of [null, { user: true }]) expect(params.safeParse(given).success).toBe(true)
    for (const given of [undefined, true, {}, { user: false }, { user: true, email: true }, ['user']])
      expect(params.safeParse(given).success, JSON.stringify(given)).toBe(false)
  })
})

describe('hostile values', () => {
  const anything = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withTypedArray: true,
    withSparseArray: true,
    withNullPrototype: true,
  })
  const nearly = fc.record(
    {
      v: fc.oneof(fc.constant(1), anything),
      id: fc.oneof(fc.string(), anything),
      kind: fc.oneof(fc.constantFrom('request', 'result', 'error', 'cancel', 'event', 'welcome', 'refused'), anything),
      type: fc.oneof(fc.constant('postern:hello'), anything),
      method: fc.oneof(fc.constantFrom('ping', 'constructor', '__proto__'), anything),
      params: anything,
      error: anything,
    },
    { requiredKeys: [] },
  )
  const schemas = [
    Hello,
    Welcome,
    Refusal,
    LinkError,
    Envelope,
    ...Object.values(hostMethods).map(({ params }) => params),
    ...Object.values(pageMethods).map(({ params }) => params),
    ...Object.values(hostEvents),
    ...Object.values(pageEvents),
  ]

  it('never make a schema throw, and accepted values can be posted', () => {
    fc.assert(
      fc.property(fc.oneof(anything, nearly), (value) => {
        for (const type of schemas) {
          const parsed = type.safeParse(value)
          if (parsed.success) structuredClone(parsed.data)
        }
      }),
    )
  })

  it('an accepted envelope is one of the five kinds', () => {
    fc.assert(
      fc.property(nearly, (value) => {
        const parsed = Envelope.safeParse(value)
        if (!parsed.success) return
        expect(['request', 'result', 'error', 'cancel', 'event']).toContain(parsed.data.kind)
        expect(parsed.data.id.length).toBeGreaterThan(0)
        expect(parsed.data.v).toBe(1)
      }),
    )
  })
})

describe('limits of messages that the host passes on', () => {
  it('accepts at most 64 page wallets, initially and later', () => {
    const wallets = Array.from({ length: 65 }, (_, at) => ({
      id: `w${at}`,
      namespace: 'eip155',
      type: 'ANNOUNCED',
      name: 'W',
    }))
    const accepts = (pageWallets: unknown[]) => [
      Init.safeParse({ projectId: 'demo', networks: ['base'], colorScheme: 'dark', pageWallets, stored: {} }).success,
      pageEvents.pageWallets.safeParse({ pageWallets }).success,
    ]
    expect(accepts(wallets.slice(0, 64))).toEqual([true, true])
    expect(accepts(wallets)).toEqual([false, false])
  })

  it('a page wallet’s icon must be a data URI of an image, never a URL to fetch', () => {
    const wallet = { id: 'w', namespace: 'eip155', type: 'ANNOUNCED', name: 'W' }
    const list = (icon: string) => pageEvents.pageWallets.safeParse({ pageWallets: [{ ...wallet, icon }] }).success
    expect(list('data:image/svg+xml,<svg/>')).toBe(true)
    for (const icon of [
      'https://tracker.example/i.png',
      'javascript:alert(1)',
      'data:text/html,x',
      ' data:image/png,',
    ]) {
      expect(list(icon)).toBe(false)
    }
  })

  it('calls only the listed methods of a page wallet', () => {
    const ask = (method: string) => pageMethods.walletRequest.params.safeParse({ wallet: 'w', method }).success
    expect(ask('personal_sign')).toBe(true)
    for (const method of ['eth_sign', 'constructor', '__proto__', 'wallet_importPrivateKey'])
      expect(ask(method)).toBe(false)
  })

  it('rejects a connection without an account', () => {
    const connected = {
      status: 'connected',
      connector: { id: 'c', name: 'C', type: 'ANNOUNCED' },
      networkId: 'eip155:1',
      accounts: [{ namespace: 'eip155', address: '0x1', type: 'eoa' }],
    }
    expect(hostMethods.connect.result.safeParse(connected).success).toBe(true)
    expect(hostMethods.connect.result.safeParse({ ...connected, accounts: [] }).success).toBe(false)
  })
})

describe('pictures', () => {
  it('lose white space around them', () => {
    const wallet = { id: 'mine', name: 'Mine', imageUrl: '\n  data:image/png;base64,AAAA ' }
    expect(CustomWallet.parse(wallet).imageUrl).toBe('data:image/png;base64,AAAA')
    expect(CustomWallet.safeParse({ ...wallet, imageUrl: ' https://a.example/a.png' }).success).toBe(false)
  })
})
