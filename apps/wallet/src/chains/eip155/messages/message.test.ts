import { recoveryProofText, shareProofText } from '@postern/protocol'
import fc from 'fast-check'
import { hashTypedData, recoverAddress, recoverMessageAddress, stringToHex, toHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { mail, mailDigest } from '../../../testing/eip712'
import { safeAddress, safeContracts } from '../account/safe'
import { createEip155Chain } from '../chain'
import { typedDataDigest } from '../keys/typed-data'
import { origin, type TestWallet, testWallet } from '../testing/wallet'
import { fixTypedData } from './typed-data'

const offline: typeof fetch = () => Promise.reject(new TypeError('There is no network here.'))
/** Every account has code. */
const answersCode: typeof fetch = async (_, init) => {
  const body: unknown = JSON.parse(String(init?.body))
  const answer = (one: { id?: unknown }) => ({ jsonrpc: '2.0', id: one.id, result: '0x6001' })
  return Response.json(Array.isArray(body) ? body.map(answer) : answer(Object(body)))
}
const friend = '0x00000000000000000000000000000000000F4153'
const chain = createEip155Chain()

async function wallet(): Promise<TestWallet & { own: `0x${string}`; safe: `0x${string}` }> {
  const made = await testWallet('messages', offline)
  const own: `0x${string}` = `0x${made.context.addresses.eip155.slice(2)}`
  return { ...made, own, safe: safeAddress(own) }
}

const hexOf = (value: unknown): `0x${string}` => `0x${String(value).slice(2)}`

describe('personal_sign', () => {
  it('1. accepts the address in either position, and signs with that account', async () => {
    const { context, own, safe } = await wallet()
    const message = stringToHex('Hello')
    for (const params of [
      [message, own],
      [own, message],
      ['Hello', own.toLowerCase()],
    ]) {
      const { subject, blocked } = await chain.prepare('personal_sign', params, context)
      expect({ subject, blocked }).toEqual({
        subject: { kind: 'eip155.message', address: own, account: 'eoa', message },
        blocked: undefined,
      })
      const signature = hexOf(await chain.execute('personal_sign', subject, context))
      expect(await recoverMessageAddress({ message: 'Hello', signature })).toBe(own)
    }
    const bySafe = await chain.prepare('personal_sign', [message, safe], context)
    expect(bySafe.subject).toMatchObject({ account: 'smartAccount', address: safe })
    await expect(chain.prepare('personal_sign', [message, friend], context)).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    })
    for (const params of [[message], [own], [], undefined, [{}, own], [message, 7]])
      await expect(chain.prepare('personal_sign', params, context)).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
  })

  it('3. blocks a sign-in for another domain', async () => {
    const { context, own } = await wallet()
    const signIn = (domain: string, uri: string) =>
      `${domain} wants you to sign in with your Ethereum account:\n${own}\n\nURI: ${uri}\nVersion: 1\nChain ID: 31337\nNonce: 12345678\nIssued At: 2026-01-01T00:00:00Z`
    const prepare = (text: string) => chain.prepare('personal_sign', [stringToHex(text), own], context)
    for (const uri of [`${origin}/in`, 'http://app.example', 'https://api.app.example'])
      expect((await prepare(signIn('app.example', uri))).blocked).toBeUndefined()
    for (const text of [
      signIn('evil.example', origin),
      signIn('app.example.evil.example', origin),
      `\u200b${signIn('app.example', origin)}`,
    ])
      expect((await prepare(text)).blocked).toBe('DOMAIN_MISMATCH')
  })

  it('4. rejects a bare hash for the plain account, because Safe would accept it as an operation', async () => {
    const { context, own, safe } = await wallet()
    const hash = hashTypedData({
      domain: {},
      types: { A: [{ name: 'a', type: 'uint256' }] },
      primaryType: 'A',
      message: { a: 1n },
    })
    await expect(chain.prepare('personal_sign', [hash, own], context)).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
    // 32 readable characters are not a bare hash.
    await chain.prepare('personal_sign', ['0123456789abcdef0123456789abcdef', own], context)
    // The smart account wraps the hash.
    await chain.prepare('personal_sign', [hash, safe], context)
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 32, maxLength: 32 }), async (bytes) => {
        fc.pre(!/^[A-Za-z0-9 -]{32}$/.test(String.fromCharCode(...bytes)))
        await expect(chain.prepare('personal_sign', [toHex(bytes), own], context)).rejects.toThrow()
      }),
    )
  })

  it('5. rejects texts that prove key shares or choose a recovery method', async () => {
    const { context, own, safe } = await wallet()
    const given = { userId: 'u', authShare: 'a', recoveryShare: 'r', recovery: '{"method":"gateway"}' }
    for (const action of ['create', 'device', 'recovery'] as const)
      for (const account of [own, safe]) {
        const params = [stringToHex(shareProofText({ action, ...given })), account]
        await expect(chain.prepare('personal_sign', params, context)).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
      }
    const choice = recoveryProofText({ userId: 'u', generation: 1, recovery: given.recovery })
    for (const text of [choice, `\ufeff${choice}`])
      await expect(chain.prepare('personal_sign', [stringToHex(text), own], context)).rejects.toMatchObject({
        code: 'INVALID_PARAMS',
      })
  })

  it('2. rejects text that has no UTF-8 form, and signs an emoji', async () => {
    const { context, own } = await wallet()
    for (const text of ['Hi \ud83d', '\udc4b', '\udc4b\ud83d'])
      await expect(chain.prepare('personal_sign', [text, own], context)).rejects.toMatchObject({
        code: 'INVALID_PARAMS',
      })
    const { subject } = await chain.prepare('personal_sign', ['Hi \ud83d\udc4b', own], context)
    expect(subject).toMatchObject({ message: '0x486920f09f918b' })
  })

  it('shows and signs the exact bytes given', async () => {
    const { context, own, signed } = await wallet()
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        fc.pre(bytes.length !== 32)
        const { subject } = await chain.prepare('personal_sign', [toHex(bytes), own], context)
        expect(subject).toMatchObject({ message: toHex(bytes) })
        await chain.execute('personal_sign', subject, context)
        expect(signed.at(-1)).toEqual({ kind: 'eip155.message', message: toHex(bytes) })
      }),
      { numRuns: 30 },
    )
  })
})

describe('eth_signTypedData_v4', () => {
  const at = { chainId: 1, safe: friend } as const

  it('matches the hash of EIP-712’s own example', () => {
    expect(hashTypedData(JSON.parse(fixTypedData(mail, at)))).toBe(mailDigest)
  })

  it('shows and signs one JSON text with the named account, from an object or a string', async () => {
    const { context, own, signed } = await wallet()
    const here = { ...mail, domain: { ...mail.domain, chainId: 31_337 } }
    for (const data of [here, JSON.stringify(here)]) {
      const { subject } = await chain.prepare('eth_signTypedData_v4', [own, data], context)
      const signature = hexOf(await chain.execute('eth_signTypedData_v4', subject, context))
      const {
        domain: { chainId, ...domain },
        types,
        message,
        primaryType,
      } = here
      expect(
        await recoverAddress({
          hash: hashTypedData({ domain: { ...domain, chainId: BigInt(chainId) }, types, message, primaryType }),
          signature,
        }),
      ).toBe(own)
      expect(signed.at(-1)).toEqual({
        kind: 'eip155.typedData',
        json: subject.kind === 'eip155.typedData' && subject.json,
      })
    }
  })

  it('signs for the smart account exactly the text that follows from the subject', async () => {
    const { context, own, safe, signed } = await wallet()
    const online = createEip155Chain()
    const deployed = { ...context, fetch: answersCode }
    const here = { ...mail, domain: { ...mail.domain, chainId: 31_337 } }
    for (const [method, params] of [
      ['personal_sign', ['Hello', safe]],
      ['eth_signTypedData_v4', [safe, here]],
    ] as const) {
      const { subject } = await online.prepare(method, params, deployed)
      await online.execute(method, subject, deployed)
      const job = signed.at(-1)
      expect(job).toEqual({
        kind: 'eip155.typedData',
        json: online.smartAccountJson?.(subject, context.networkId),
      })
    }
    const { subject } = await online.prepare('personal_sign', ['Hello', own], context)
    expect(online.smartAccountJson?.(subject, context.networkId)).toBeNull()
  })

  it('1. drops fields that are not hashed', () => {
    const dressed = {
      ...mail,
      domain: { ...mail.domain, trusted: 'yes' },
      message: { ...mail.message, amount: '0', from: { ...mail.message.from, title: 'Queen' } },
      note: 'harmless',
    }
    expect(fixTypedData(dressed, at)).toBe(fixTypedData(mail, at))
    // A domain missing from the types is not hashed either.
    const { EIP712Domain: _, ...types } = mail.types
    const bare = JSON.parse(
      fixTypedData({ ...mail, types: { ...types, EIP712Domain: [{ name: 'name', type: 'string' }] } }, at),
    )
    expect(bare.domain).toEqual({ name: 'Ether Mail' })
  })

  it('3. takes the current chain with leading zeros', () => {
    const padded = { ...mail, domain: { ...mail.domain, chainId: `0x${'1'.padStart(64, '0')}` } }
    expect(() => fixTypedData(padded, at)).not.toThrow()
  })

  describe('without EIP712Domain among the types', () => {
    const { EIP712Domain: _, ...types } = mail.types
    const { name, version, verifyingContract } = mail.domain
    const digestOf = (domain: object) => typedDataDigest(fixTypedData({ ...mail, types, domain }, at))

    it.each([1, '1', '0x1', '01', `0x${'1'.padStart(64, '0')}`, '1'.padStart(78, '0')])(
      'signs the chain that it checked: chainId %j',
      (chainId) => {
        const { message, primaryType } = mail
        const domain = { name, version, verifyingContract }
        const expected = hashTypedData({ domain: { ...domain, chainId: 1n }, types, message, primaryType })
        expect(digestOf({ ...domain, chainId })).toBe(expected)
      },
    )

    it.each([
      ['an empty version', { name, version: '', chainId: '1' }, ['name', 'version', 'chainId']],
      ['an empty name', { name: '', verifyingContract }, ['name', 'verifyingContract']],
      ['a salt', { salt: `0x${'00'.repeat(32)}` }, ['salt']],
      ['null and undefined members', { name, version: null, chainId: null, salt: undefined }, ['name']],
      ['no members', {}, []],
    ])('signs each member that the domain has: %s', (_, domain, members) => {
      const json: { types: typeof mail.types } = JSON.parse(fixTypedData({ ...mail, types, domain }, at))
      expect(json.types.EIP712Domain.map(({ name }) => name)).toEqual(members)
    })

    it.each([
      ['an empty contract', { name, verifyingContract: '' }],
      ['an empty salt', { name, salt: '' }],
      ['a version that is a number', { name, version: 0 }],
      ['a chain in scientific notation', { name, chainId: '1e0' }],
      ['an empty chain', { name, chainId: '' }],
      ['a chain with an upper-case prefix', { name, chainId: '0X1' }],
    ])('rejects %s instead of dropping it', (_, domain) => {
      expect(() => digestOf(domain)).toThrow(expect.objectContaining({ code: 'INVALID_PARAMS' }))
    })
  })

  it('names what is wrong', () => {
    const { from, to } = mail.message
    expect(() => fixTypedData({ ...mail, message: { from, to } }, at)).toThrow('malformed: Mail lacks contents')
    expect(() => fixTypedData({ ...mail, primaryType: 7 }, at)).toThrow('primaryType: Expected string, received number')
    expect(() => fixTypedData('{', at)).toThrow('aren’t JSON')
  })

  const saltTypes = {
    ...mail.types,
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'salt', type: 'bytes32' },
    ],
  }
  const saltOf = (chainId: bigint) => ({ salt: `0x${chainId.toString(16).padStart(64, '0')}` })

  it.each([
    ['this chain', 1n],
    ['no known chain', 987_654_321_987n],
    ['nothing', 0n],
  ])('3. accepts a salt that is the number of %s', (_what, chainId) => {
    const domain = { name: 'X', ...saltOf(chainId) }
    expect(JSON.parse(fixTypedData({ ...mail, types: saltTypes, domain }, at)).domain).toEqual(domain)
  })

  it.each([
    ['2. a member that is missing', { message: { from: mail.message.from, to: mail.message.to } }],
    [
      '2. a number that is not exact',
      { types: { A: [{ name: 'a', type: 'uint256' }] }, primaryType: 'A', message: { a: 2 ** 53 } },
    ],
    ['2. a value of another type', { message: { ...mail.message, contents: 7 } }],
    ['2. a string with half a surrogate pair', { message: { ...mail.message, contents: 'Hi \ud83d' } }],
    [
      '2. a name with half a surrogate pair',
      { types: { A: [{ name: '\udc4b', type: 'bool' }] }, primaryType: 'A', message: { '\udc4b': true } },
    ],
    ['2. an unknown primary type', { primaryType: 'constructor' }],
    ['2. the domain as message', { primaryType: 'EIP712Domain', message: mail.domain }],
    ['2. an unknown type', { types: { A: [{ name: 'a', type: 'B' }] }, primaryType: 'A', message: { a: 1 } }],
    ['3. another chain', { domain: { ...mail.domain, chainId: '0x2' } }],
    ['3. another chain by its salt', { types: saltTypes, domain: { ...saltOf(137n), name: 'USD Coin (PoS)' } }],
    [
      '3. another chain by its salt, next to a chainId that is not signed',
      { types: saltTypes, domain: { ...saltOf(137n), name: 'USD Coin (PoS)', chainId: 1 } },
    ],
    ['3. a chain of more than 256 bits', { domain: { ...mail.domain, chainId: `0x${'1'.padStart(77, '0')}` } }],
    ['3. a chain that is no number', { domain: { ...mail.domain, chainId: [1] } }],
    ['4. a message of the own smart account', { domain: { ...mail.domain, verifyingContract: friend } }],
    ['4. an operation', { domain: { chainId: 1, verifyingContract: safeContracts.module.toLowerCase() } }],
  ])('rejects %s', (_, change) => {
    expect(() => fixTypedData({ ...mail, ...change }, at)).toThrow(expect.objectContaining({ code: 'INVALID_PARAMS' }))
  })

  it('only ever throws a rejection, and canonicalises accepted data idempotently', () => {
    const Type = fc.constantFrom(
      'uint256',
      'address',
      'string',
      'bytes',
      'A',
      'A[]',
      'B[2]',
      'bool',
      '__proto__',
      'int7',
    )
    const Types = fc.dictionary(
      fc.constantFrom('A', 'B', 'EIP712Domain'),
      fc.array(fc.record({ name: fc.constantFrom('a', 'b', '__proto__'), type: Type }), { maxLength: 3 }),
    )
    const Value = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.integer(),
        fc.string(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 2 }),
        fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), tie('value')),
      ),
    })).value
    fc.assert(
      fc.property(
        fc.record({
          types: Types,
          primaryType: fc.constantFrom('A', 'B'),
          domain: fc.object({ maxDepth: 1 }),
          message: Value,
        }),
        (data) => {
          const fixed = (() => {
            try {
              return fixTypedData(data, at)
            } catch (error) {
              expect(error).toMatchObject({ code: 'INVALID_PARAMS' })
              return null
            }
          })()
          if (fixed !== null) expect(fixTypedData(fixed, at)).toBe(fixed)
        },
      ),
    )
  })
})
