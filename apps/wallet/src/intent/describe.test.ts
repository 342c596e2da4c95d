import type { ApprovalRequest, ApprovalSubject } from '@postern/protocol'
import { approvalRequest } from '@postern/protocol/testing/approval-request'
import * as fc from 'fast-check'
import * as AbiFunction from 'ox/AbiFunction'
import { describe, expect, it } from 'vitest'
import { describeApproval } from './describe'
import type { DescribeContext, Intent } from './intent'

const own = '0x1111111111111111111111111111111111111111'
const other = '0x2222222222222222222222222222222222222222'
const token = '0x3333333333333333333333333333333333333333'
const fees = { gas: '21000', maxFeePerGas: '1000000000', maxPriorityFeePerGas: '1' }

function transaction(call: { to?: string; value?: string; data?: string }): ApprovalRequest {
  return approvalRequest({
    kind: 'eip155.transaction',
    from: own,
    nonce: '0',
    call: { value: '0', data: '0x', ...call },
    fees,
    unsigned: '0x02',
  })
}

/** Fails for all other requests. */
function context(
  answers: Readonly<Record<string, (params: unknown) => unknown>> = {},
  changes: Partial<DescribeContext> = {},
): DescribeContext {
  const rpc = {
    request: async ({ method, params }: { readonly method: string; readonly params?: unknown }) => {
      const answer = answers[method]
      if (answer === undefined) throw new Error(`${method} is not answered`)
      return answer(params)
    },
  }
  const esplora = { get: () => Promise.reject(new Error()), post: () => Promise.reject(new Error()) }
  return {
    clientOf: (networkId) => ({ networkId, rpc, esplora }),
    nativeCurrency: { symbol: 'ETH', decimals: 18 },
    own: [own],
    known: { recipients: [], contracts: [] },
    signal: new AbortController().signal,
    ...changes,
  }
}

async function intents(given: ApprovalRequest, within = context()): Promise<readonly Intent[]> {
  const told: Intent[] = []
  await describeApproval(given, within, (intent) => told.push(intent))
  return told
}

async function lastIntent(given: ApprovalRequest, within = context()): Promise<Intent> {
  const last = (await intents(given, within)).at(-1)
  if (last === undefined) throw new Error('no intent')
  return last
}

const kinds = ({ warnings }: Intent) => warnings.map(({ kind }) => kind)
const erc20 = AbiFunction.from('function approve(address spender, uint256 amount)')
const transferOf = AbiFunction.from('function transfer(address to, uint256 amount)')

describe('maximum fee', () => {
  it('is gas × price, plus the rollup fee', async () => {
    const plain = transaction({ to: own, value: '1' })
    const { subject } = plain
    if (subject.kind !== 'eip155.transaction') throw new Error()
    const rolled = { ...plain, subject: { ...subject, fees: { ...fees, rollup: '150000000000000' } } }
    const [before] = await intents(plain)
    const [after] = await intents(rolled)
    expect(before?.fee).toMatchObject({ amount: { raw: '21000000000000' } })
    expect(after?.fee).toMatchObject({ amount: { raw: '171000000000000' } })
  })
})

describe('describeApproval', () => {
  it('shows addresses in call data with their checksum', async () => {
    const to = '0x6A343526BB9201591aB2E6F9259fAeCAb52EAc9B'
    const data = AbiFunction.encodeData(transferOf, [to, 5n]).toLowerCase()
    const intent = await lastIntent(transaction({ to: token, data }))
    expect(intent.steps).toMatchObject([{ kind: 'transfer', to }])
  })

  it('1. decodes the bytes before the chain responds', async () => {
    const [first] = await intents(transaction({ to: other, value: '5' }))
    expect(first?.steps).toEqual([{ kind: 'transfer', to: other, amount: { raw: '5', symbol: 'ETH', decimals: 18 } }])
    expect(first?.fee).toEqual({ amount: { raw: '21000000000000', symbol: 'ETH', decimals: 18 }, sponsored: false })
    expect(first?.changes).toEqual({ kind: 'unknown' })
    expect(first && kinds(first)).toEqual(['firstTimeRecipient'])
  })

  it('decodes token transfers and approvals, and reads the token’s symbol from the chain', async () => {
    const data = AbiFunction.encodeData(transferOf, [other, 1_500_000n])
    const symbol = `0x${'20'.padStart(64, '0')}${'4'.padStart(64, '0')}${'44555344'.padEnd(64, '0')}`
    const answers = {
      eth_call: (params: unknown) =>
        JSON.stringify(params).includes('0x313ce567') ? `0x${'6'.padStart(64, '0')}` : symbol,
    }
    const intent = await lastIntent(transaction({ to: token, data }), context(answers))
    expect(intent.steps).toEqual([
      { kind: 'transfer', to: other, amount: { raw: '1500000', token, symbol: 'DUSD', decimals: 6 } },
    ])
  })

  it.each([
    [2n ** 256n - 1n, true],
    [2n ** 160n - 1n, true],
    [2n ** 96n - 1n, true],
    [10n ** 30n, false],
  ])('warns of an unlimited allowance: %s', async (amount, isUnlimited) => {
    const data = AbiFunction.encodeData(erc20, [other, amount])
    const intent = await lastIntent(transaction({ to: token, data }))
    expect(kinds(intent).includes('unlimitedApproval')).toBe(isUnlimited)
    expect(kinds(intent)).toContain('unknownContract')
  })

  it('does not warn of a known recipient, but of one that resembles it', async () => {
    const known = '0xabcd000000000000000000000000000000001234'
    const lookalike = '0xabcd999999999999999999999999999999991234'
    const before = context({}, { known: { recipients: [known], contracts: [] } })
    expect(kinds(await lastIntent(transaction({ to: known, value: '1' }), before))).toEqual([])
    expect(kinds(await lastIntent(transaction({ to: lookalike, value: '1' }), before))).toEqual([
      'lookalikeRecipient',
      'firstTimeRecipient',
    ])
  })

  it('3. shows undecodable bytes in full, with a warning', async () => {
    const intent = await lastIntent(transaction({ to: token, data: '0xdeadbeef01' }))
    expect(intent.steps).toMatchObject([{ kind: 'call', contract: token, fields: [{ value: '0xdeadbeef01' }] }])
    expect(kinds(intent)).toContain('notDecoded')
    expect(JSON.stringify(intent.raw)).toContain('0xdeadbeef01')
  })

  it('treats a transfer with extra bytes as undecodable', async () => {
    const data = `${AbiFunction.encodeData(transferOf, [other, 1n])}00`
    const intent = await lastIntent(transaction({ to: token, data }))
    expect(intent.steps[0]?.kind).toBe('call')
    expect(kinds(intent)).toContain('notDecoded')
  })

  it.each([
    ['withdraw', AbiFunction.encodeData(AbiFunction.from('function withdraw(uint256 amount)'), [1n])],
    [
      'transferFrom',
      AbiFunction.encodeData(AbiFunction.from('function transferFrom(address from, address to, uint256 amount)'), [
        other,
        own,
        1n,
      ]),
    ],
    [
      'safeTransferFrom',
      AbiFunction.encodeData(AbiFunction.from('function safeTransferFrom(address from, address to, uint256 tokenId)'), [
        other,
        own,
        1n,
      ]),
    ],
  ])('shows the value of a known call: %s', async (name, data) => {
    const { steps } = await lastIntent(transaction({ to: token, data, value: '9000' }))
    expect(steps).toMatchObject([{ kind: 'call', name, value: { raw: '9000', symbol: 'ETH', decimals: 18 } }])
  })

  it('shows the creation of a contract with the size of its code and its value, and warns that it was not read', async () => {
    const intent = await lastIntent(transaction({ data: '0x6001', value: '9000' }))
    expect(intent.steps).toEqual([{ kind: 'create', bytes: 2, value: { raw: '9000', symbol: 'ETH', decimals: 18 } }])
    expect(kinds(intent)).toEqual(['unreadCode'])
  })

  it('shows the balance changes, and warns of a failing transaction', async () => {
    const pad = (address: string) => `0x${address.slice(2).padStart(64, '0')}`
    const log = {
      address: token,
      topics: ['0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef', pad(own), pad(other)],
      data: `0x${'7'.padStart(64, '0')}`,
    }
    const simulated = (calls: unknown) => ({ eth_simulateV1: () => [{ calls }] })
    const known = await lastIntent(
      transaction({ to: other, value: '0' }),
      context(simulated([{ status: '0x1', logs: [log] }])),
    )
    expect(known.changes).toEqual({ kind: 'known', changes: [{ direction: 'out', amount: { raw: '7', token } }] })
    const failing = await lastIntent(
      transaction({ to: other, value: '1' }),
      context(simulated([{ status: '0x0', error: { message: 'execution reverted: no' } }])),
    )
    expect(failing.warnings[0]).toEqual({ kind: 'wouldFail', reason: 'execution reverted: no' })
  })

  it('decodes a sign-in message, and warns if it is for another domain', async () => {
    const text = (domain: string) =>
      `${domain} wants you to sign in with your Ethereum account:\n${own}\n\nTo the app.\n\nURI: https://${domain}\nVersion: 1\nChain ID: 1\nNonce: 12345678\nIssued At: 2026-01-01T00:00:00Z`
    const message = (domain: string) =>
      approvalRequest({
        kind: 'eip155.message',
        address: own,
        account: 'eoa',
        message: `0x${[...new TextEncoder().encode(text(domain))].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`,
      })
    const intent = await lastIntent(message('app.example'))
    expect(intent.steps).toMatchObject([{ kind: 'signIn', domain: 'app.example', statement: 'To the app.' }])
    expect(intent.warnings).toEqual([])
    expect(kinds(await lastIntent(message('evil.example')))).toEqual(['domainMismatch'])
  })

  const signIn = (text: string, changes: Partial<ApprovalRequest> = {}) =>
    approvalRequest(
      {
        kind: 'eip155.message',
        address: own,
        account: 'eoa',
        message: `0x${Buffer.from(text).toString('hex')}`,
      },
      changes,
    )
  const siwe = (uri: string, account = own, domain = 'app.example') =>
    `${domain} wants you to sign in with your Ethereum account:\n${account}\n\nURI: ${uri}\nVersion: 1\nChain ID: 1\nNonce: 12345678`

  it.each(['http://app.example', 'https://app.example:8443', 'https://api.app.example/login', 'no address'])(
    'warns of a sign-in at the own domain with a URI elsewhere, and shows it: %s',
    async (uri) => {
      const intent = await lastIntent(signIn(siwe(uri)))
      expect(intent.warnings).toEqual([{ kind: 'otherUri', uri, origin: 'https://app.example' }])
    },
  )

  it('warns of each URI line that is elsewhere', async () => {
    const twice = siwe('https://app.example').replace('\nVersion', '\nURI: https://evil.example\nVersion')
    expect((await lastIntent(signIn(twice))).warnings).toEqual([
      { kind: 'otherUri', uri: 'https://evil.example', origin: 'https://app.example' },
    ])
  })

  it('warns of a sign-in as another account than the one that signs, and names it', async () => {
    const intent = await lastIntent(signIn(siwe('https://app.example', other)))
    expect(intent.warnings).toEqual([{ kind: 'otherAccount', named: other, signer: own }])
    expect(
      (await lastIntent(signIn(siwe('https://app.example', own.toUpperCase().replace('X', 'x'))))).warnings,
    ).toEqual([])
  })

  it('names the scheme if the message does, because that decides too', async () => {
    const text = siwe('https://app.example', own, 'http://app.example')
    expect((await lastIntent(signIn(text, { blocked: 'DOMAIN_MISMATCH' }))).warnings).toEqual([
      { kind: 'domainMismatch', domain: 'http://app.example', origin: 'https://app.example' },
    ])
  })

  it('says of a blocked text that cannot be read as a sign-in that it is like one', async () => {
    const intent = await lastIntent(signIn(`Hello\n${siwe('https://app.example')}`, { blocked: 'DOMAIN_MISMATCH' }))
    expect(intent.warnings).toEqual([{ kind: 'unreadSignIn' }])
  })

  it('decodes permits as allowances, and other typed data field by field', async () => {
    const typed = (primaryType: string, types: unknown, message: unknown) =>
      approvalRequest({
        kind: 'eip155.typedData',
        address: own,
        account: 'eoa',
        json: JSON.stringify({ types, primaryType, domain: { name: 'T', verifyingContract: token }, message }),
      })
    const permit = typed(
      'Permit',
      {
        Permit: [
          { name: 'owner', type: 'address' },
          { name: 'spender', type: 'address' },
          { name: 'value', type: 'uint256' },
          { name: 'nonce', type: 'uint256' },
          { name: 'deadline', type: 'uint256' },
        ],
      },
      { owner: own, spender: other, value: `${2n ** 256n - 1n}`, nonce: 0, deadline: 99 },
    )
    expect((await lastIntent(permit)).steps).toMatchObject([
      { kind: 'permit', spender: other, expiry: Number.POSITIVE_INFINITY, deadline: 99 },
    ])
    expect(kinds(await lastIntent(permit))).toContain('unlimitedApproval')
    const types = { Mail: [{ name: 'to', type: 'Person[]' }], Person: [{ name: 'name', type: 'string' }] }
    const mail = typed('Mail', types, { to: [{ name: 'Bob', hidden: 'x' }] })
    expect((await lastIntent(mail)).steps).toMatchObject([
      {
        kind: 'typedData',
        primaryType: 'Mail',
        fields: [{ name: 'to', value: [{ value: [{ name: 'name', value: 'Bob' }] }] }],
      },
    ])
    expect(JSON.stringify((await lastIntent(mail)).steps)).not.toContain('hidden')
  })

  it('shows every signed member: also of a permit with an order, and of lists too long to show', async () => {
    const typed = (primaryType: string, types: unknown, message: unknown) =>
      approvalRequest({
        kind: 'eip155.typedData',
        address: own,
        account: 'eoa',
        json: JSON.stringify({
          types,
          primaryType,
          domain: { name: 'P', chainId: 1, verifyingContract: token },
          message,
        }),
      })
    const types = {
      PermitWitnessTransferFrom: [
        { name: 'permitted', type: 'TokenPermissions' },
        { name: 'spender', type: 'address' },
        { name: 'deadline', type: 'uint256' },
        { name: 'witness', type: 'Order' },
      ],
      TokenPermissions: [
        { name: 'token', type: 'address' },
        { name: 'amount', type: 'uint256' },
      ],
      Order: [{ name: 'buyer', type: 'address' }],
    }
    const message = { permitted: { token, amount: '5' }, spender: other, deadline: '9', witness: { buyer: other } }
    const intent = await lastIntent(typed('PermitWitnessTransferFrom', types, message))
    expect(intent.steps.map(({ kind }) => kind)).toEqual(['permit', 'typedData'])
    expect(JSON.stringify(intent.steps)).toContain('buyer')
    const long = typed(
      'List',
      { List: [{ name: 'all', type: 'uint256[]' }] },
      { all: Array.from({ length: 300 }, () => '1') },
    )
    expect(kinds(await lastIntent(long))).toEqual(['notDecoded', 'unknownContract'])
  })

  it('treats text with hidden or direction-changing characters as bytes', async () => {
    const subject = (text: string): ApprovalSubject => ({
      kind: 'bip122.message',
      address: 'bc1q',
      message: text,
      protocol: 'bip322',
    })
    expect((await lastIntent(approvalRequest(subject('Hello\nthere 👩‍🚀')))).steps).toMatchObject([{ isText: true }])
    expect(await lastIntent(approvalRequest(subject('pay\u202eecila')))).toMatchObject({ steps: [{ isText: false }] })
  })

  it('never rejects, for any bytes and any response of the chain', async () => {
    const hex = fc.uint8Array({ maxLength: 200 }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`)
    const selector = fc.constantFrom('0xa9059cbb', '0x095ea7b3', '0x38ed1739', '0x42842e0e', '0x')
    await fc.assert(
      fc.asyncProperty(selector, hex, fc.anything(), async (head, tail, answer) => {
        const answers = { eth_call: () => answer, eth_getCode: () => answer, eth_simulateV1: () => answer }
        const told = await intents(transaction({ to: token, data: head + tail.slice(2) }), context(answers))
        expect(told.length).toBeGreaterThan(0)
        expect(JSON.stringify(told[0]?.raw)).toContain(head + tail.slice(2))
      }),
    )
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.base64String(), async (json, bytes) => {
        const subjects: ApprovalSubject[] = [
          { kind: 'eip155.typedData', address: own, account: 'eoa', json },
          { kind: 'solana.transactions', address: own, transactions: [bytes], sends: false },
          { kind: 'bip122.psbt', address: own, psbt: bytes, inputs: [], sends: false },
        ]
        for (const subject of subjects) expect((await intents(approvalRequest(subject))).length).toBeGreaterThan(0)
      }),
    )
  })
})

describe('a replacement', () => {
  const call = { to: other, value: '5', data: '0x' }
  const replaces = { hash: '0x01', newest: '0x01', isFollowed: true, call, fees }
  const subjectOf = (given: ApprovalRequest, kind: 'speedUp' | 'cancel') =>
    given.subject.kind === 'eip155.transaction'
      ? approvalRequest({ ...given.subject, replaces: { kind, ...replaces } })
      : expect.unreachable()

  it('shows what it cancels, and that it may come too late', async () => {
    const [first] = await intents(subjectOf(transaction({ to: own }), 'cancel'))
    expect(first?.steps).toMatchObject([{ kind: 'cancel', cancelled: [{ kind: 'transfer', to: other }] }])
    expect(first?.warnings).toEqual([{ kind: 'cancel' }])
  })

  it.each([
    [
      'a token transfer',
      { to: other, value: '0', data: `0xa9059cbb${'22'.repeat(20).padStart(64, '0')}${'5'.padStart(64, '0')}` },
    ],
    ['a payment of one ether', { to: other, value: `${10n ** 18n}`, data: '0x' }],
    ['a cancellation', { to: own, value: '0', data: '0x' }],
  ])('warns of a fee five times the earlier one, whatever the node says: %s', async (name, replacement) => {
    const gwei = 10n ** 9n
    const feesAt = (price: bigint) => ({ gas: '60000', maxFeePerGas: `${price}`, maxPriorityFeePerGas: `${gwei}` })
    const warned = async (price: bigint) => {
      const given = transaction(replacement)
      if (given.subject.kind !== 'eip155.transaction') return expect.unreachable()
      const kind = name === 'a cancellation' ? ('cancel' as const) : ('speedUp' as const)
      const earlier = { ...replaces, kind, fees: feesAt(30n * gwei) }
      const [first] = await intents(approvalRequest({ ...given.subject, fees: feesAt(price), replaces: earlier }))
      return first?.warnings.some((warning) => warning.kind === 'highFee')
    }
    expect(await warned(151n * gwei)).toBe(true)
    expect(await warned(150n * gwei)).toBe(false)
  })

  it('shows the same call of a speed-up', async () => {
    const [first] = await intents(subjectOf(transaction(call), 'speedUp'))
    expect(first?.steps).toMatchObject([{ kind: 'transfer', to: other, amount: { raw: '5' } }])
    expect(first?.warnings.map(({ kind }) => kind)).toContain('speedUp')
  })

  describe('of a user operation', () => {
    const payment = { to: other, value: '5', data: '0x' }
    const empty = { to: own, value: '0', data: '0x' }
    const replacing = (kind: 'speedUp' | 'cancel', more: { sponsored: boolean; paymaster?: string }) => {
      const { paymaster, sponsored } = more
      const { call: _, ...before } = replaces
      const earlier = { ...before, kind, calls: [payment, payment], ...(paymaster && { paymaster }) }
      const calls = kind === 'cancel' ? [empty] : [payment, payment]
      const operation = {
        kind: 'eip155.userOperation',
        from: own,
        deploys: false,
        operation: {},
        hash: '0x01',
      } as const
      return approvalRequest({ ...operation, calls, fees, sponsored, replaces: earlier })
    }

    it('shows all that it cancels', async () => {
      const [first] = await intents(replacing('cancel', { sponsored: false }))
      const transfer = { kind: 'transfer', to: other, amount: { raw: '5' } }
      expect(first?.steps).toMatchObject([{ kind: 'cancel', cancelled: [transfer, transfer] }])
      expect(first?.warnings).toEqual([{ kind: 'cancel' }])
      expect(first?.fee).toMatchObject({ sponsored: false })
    })

    it('says who pays, if a paymaster does', async () => {
      const warned = async (kind: 'speedUp' | 'cancel', sponsored: boolean) =>
        (await intents(replacing(kind, { sponsored, paymaster: other })))[0]?.warnings.filter(
          (warning) => warning.kind !== 'firstTimeRecipient',
        )
      expect(await warned('speedUp', true)).toEqual([{ kind: 'speedUp' }])
      expect(await warned('speedUp', false)).toEqual([{ kind: 'ownFee' }, { kind: 'speedUp' }])
      expect(await warned('cancel', true)).toEqual([{ kind: 'cancel', sponsored: true }])
      expect(await warned('cancel', false)).toEqual([{ kind: 'ownFee' }, { kind: 'cancel', sponsored: true }])
    })
  })

  it('shows what the bytes do, also if they are called a cancellation', async () => {
    const [first] = await intents(subjectOf(transaction(call), 'cancel'))
    expect(first?.steps).toMatchObject([{ kind: 'transfer', to: other }])
  })
})
