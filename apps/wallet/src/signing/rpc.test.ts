import { classifyRpcMethod, methodsThat } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { noSmartAccounts } from '../chains/eip155/endpoints/endpoints'
import { waitingHash } from '../testing/test-chain'
import { newStorage, testFrame } from '../testing/test-frame'

const message = '0x68656c6c6f'

async function signedIn(options: Parameters<typeof testFrame>[0] = {}) {
  const frame = testFrame(options)
  await frame.signIn()
  const user = await frame.ask('GET_USER', undefined)
  return { ...frame, address: user.address }
}

describe('a signing request', () => {
  it('4. is shown to the last byte, and signed after approval', async () => {
    const frame = await signedIn()
    const { id, reply } = frame.send('RPC_REQUEST', { method: 'personal_sign', params: [message, frame.address] })
    const { request } = await frame.notice('APPROVAL_REQUEST')
    expect(request).toMatchObject({
      id,
      method: 'personal_sign',
      networkId: 'eip155:1',
      origin: 'https://app.example',
      subject: { kind: 'eip155.message', address: frame.address, message },
    })
    expect(frame.gateway.calls.map(({ name }) => name)).not.toContain('deviceShare')
    await frame.approve(id)
    const answer = await reply
    expect(answer).toMatchObject({ ok: true })
    expect(answer?.ok && answer.payload).toMatch(/^0x[0-9a-f]{130}$/)
    expect(frame.gateway.calls.filter(({ name }) => name === 'deviceShare')).toHaveLength(1)
  })

  it('6. for an account that may be of the previous wallet fails as the gateway does, not as unauthorized', async () => {
    const frame = await signedIn()
    const transaction = { from: `0x${'a'.repeat(40)}`, to: frame.address, value: '0x1' }
    const ask = () => frame.send('RPC_REQUEST', { method: 'eth_sendTransaction', params: [transaction] }).reply
    const restore = frame.gateway.interrupt('wallet', ({ body }) =>
      JSON.stringify(body).includes('previous') ? new Response('', { status: 503 }) : undefined,
    )
    expect(await ask()).toMatchObject({ ok: false, code: 'WALLET_SERVICE_UNREACHABLE' })
    restore()
    expect(await ask()).toMatchObject({ ok: false, code: 'UNAUTHORIZED' })
  })

  it('is not signed by another user who signed in after it was prepared, even before this tab knows', async () => {
    const storage = newStorage()
    const alice = await signedIn({ storage })
    const { id, reply } = alice.send('RPC_REQUEST', { method: 'personal_sign', params: [message, alice.address] })
    await alice.notice('APPROVAL_REQUEST')
    const { gateway } = alice
    const bob = testFrame({ gateway, storage, channel: 'slow' })
    await bob.signIn('bob@example.com')
    expect((await bob.ask('GET_USER', undefined)).address).not.toBe(alice.address)
    await alice.approve(id)
    expect(await reply).toMatchObject({ ok: false, code: 'UNAUTHORIZED' })
    expect(gateway.calls.map(({ name }) => name)).not.toContain('deviceShare')
  })

  it('is rejected by the visitor, and by the end of the session', async () => {
    const frame = await signedIn()
    const first = frame.send('RPC_REQUEST', { method: 'personal_sign', params: [message, frame.address] })
    await frame.notice('APPROVAL_REQUEST')
    await frame.ask('REJECT', { id: first.id })
    expect(await first.reply).toMatchObject({ ok: false, code: 'USER_REJECTED' })
    const second = frame.send('RPC_REQUEST', { method: 'personal_sign', params: [message, frame.address] })
    await frame.notice('APPROVAL_REQUEST')
    await frame.ask('SIGN_OUT', undefined)
    expect(await second.reply).toMatchObject({ ok: false, code: 'USER_REJECTED' })
    expect(await frame.notice('APPROVAL_CLOSED')).toEqual({ name: 'APPROVAL_CLOSED', id: second.id })
    expect(frame.seen.map(({ step }) => step)).not.toContain('execute')
  })

  it('is approved once, by no message of the modal', async () => {
    const frame = await signedIn()
    const { id, reply } = frame.send('RPC_REQUEST', { method: 'personal_sign', params: [message, frame.address] })
    const { request } = await frame.notice('APPROVAL_REQUEST')
    frame.modal.postMessage({ id: 'a', type: '@w3m-app/APPROVE', payload: { id, digest: request.digest } })
    frame.modal.postMessage({ id: 'b', type: '@w3m-app/APPROVED', payload: { id } })
    await frame.ask('SHOW_APPROVAL', { id })
    const drawn = await frame.when(() => (frame.screen.shown?.intent ? frame.screen.shown.request : undefined))
    expect(frame.seen.map(({ step }) => step)).not.toContain('execute')
    frame.screen.handlers?.onApprove(drawn)
    frame.screen.handlers?.onApprove(drawn)
    expect(await reply).toMatchObject({ ok: true })
    await expect(frame.ask('REJECT', { id })).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
    expect(frame.seen.filter(({ step }) => step === 'execute')).toHaveLength(1)
  })

  it('can only be rejected if it is blocked', async () => {
    const frame = await signedIn()
    const params = { foreign: true }
    const { id, reply } = frame.send('RPC_REQUEST', { method: 'personal_sign', params })
    const { request } = await frame.notice('APPROVAL_REQUEST')
    expect(request.blocked).toBe('DOMAIN_MISMATCH')
    await frame.approve(id)
    expect(frame.screen.shown?.isSigning).toBe(false)
    await frame.ask('REJECT', { id })
    expect(await reply).toMatchObject({ ok: false, code: 'USER_REJECTED' })
  })

  it('is closed when aborted, and a late approval has no effect', async () => {
    const frame = await signedIn()
    const { id, reply } = frame.send('RPC_REQUEST', { method: 'personal_sign', params: [message, frame.address] })
    const { request } = await frame.notice('APPROVAL_REQUEST')
    await frame.ask('SHOW_APPROVAL', { id })
    await frame.ask('RPC_ABORT', { id })
    expect(await reply).toMatchObject({ ok: false, code: 'ABORTED' })
    await frame.notice('APPROVAL_CLOSED')
    expect(frame.screen.shown).toBeNull()
    frame.screen.handlers?.onApprove(request)
    await expect(frame.ask('SHOW_APPROVAL', { id })).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
    expect(frame.seen.map(({ step }) => step)).not.toContain('execute')
  })

  it('waits beside others, each under its own id', async () => {
    const frame = await signedIn()
    const sent = [0, 1, 2].map(() => frame.send('RPC_REQUEST', { method: 'personal_sign', params: [message] }))
    const shown = [
      await frame.notice('APPROVAL_REQUEST'),
      await frame.notice('APPROVAL_REQUEST'),
      await frame.notice('APPROVAL_REQUEST'),
    ]
    expect(shown.map(({ request }) => request.id).sort()).toEqual(sent.map(({ id }) => id).sort())
    const [one, two, three] = sent
    await frame.ask('REJECT', { id: two?.id ?? '' })
    await frame.approve(three?.id ?? '')
    expect(await three?.reply).toMatchObject({ ok: true })
    expect(await two?.reply).toMatchObject({ ok: false })
    await frame.ask('REJECT', { id: one?.id ?? '' })
  })

  describe('8. that no network lets prepare', () => {
    const unreachable = () => new Failure('NETWORK_UNREACHABLE', { data: { status: 502 } })

    async function unprepared(method = 'eth_sendTransaction', failure = unreachable()) {
      const frame = await signedIn()
      await frame.ask('SYNC_DAPP_DATA', { projectId: 'demo', showsUnprepared: true })
      frame.failures.push(failure)
      const { id, reply } = frame.send('RPC_REQUEST', { method, params: [{ from: frame.address }] })
      const { request } = await frame.notice('APPROVAL_REQUEST')
      await frame.ask('SHOW_APPROVAL', { id })
      return { ...frame, id, reply, request, retry: () => frame.screen.handlers?.onRetry(request) }
    }

    it('asks the user to try again, and can be approved by nothing', async () => {
      const frame = await unprepared()
      const { id, request } = frame
      expect(request).toMatchObject({ blocked: 'NETWORK_UNREACHABLE', subject: { kind: 'unprepared', sends: true } })
      expect(frame.screen.shown).toMatchObject({ request: { id }, isPreparing: false, network: { name: 'Ethereum' } })
      frame.screen.handlers?.onApprove(request)
      expect(frame.seen.map(({ step }) => step)).toEqual(['prepare'])
    })

    it('is prepared again by Try again, and shown to the last byte under the same id', async () => {
      const frame = await unprepared('wallet_sendCalls', new Failure('TIMEOUT'))
      frame.failures.push(unreachable())
      frame.retry()
      frame.retry()
      expect(frame.screen.shown?.isPreparing).toBe(true)
      await frame.when(() => frame.screen.shown?.isPreparing === false || undefined)
      expect(frame.screen.shown?.request.blocked).toBe('NETWORK_UNREACHABLE')
      frame.retry()
      const { request } = await frame.notice('APPROVAL_REQUEST')
      expect(request).toMatchObject({ id: frame.id, subject: { kind: 'eip155.message' } })
      const drawn = await frame.when(() => (frame.screen.shown?.intent ? frame.screen.shown.request : undefined))
      expect(drawn).toEqual(request)
      frame.screen.handlers?.onApprove(drawn)
      expect(await frame.reply).toMatchObject({ ok: true })
      expect(frame.seen.map(({ step }) => step)).toEqual(['prepare', 'prepare', 'prepare', 'execute'])
    })

    it('is declined by the user, also while it is prepared again', async () => {
      const frame = await unprepared()
      frame.retry()
      frame.screen.handlers?.onReject(frame.request)
      expect(await frame.reply).toMatchObject({ ok: false, code: 'USER_REJECTED' })
      expect(frame.screen.shown).toBeNull()
    })

    it('ends with the answer of the chain, which no retry changes', async () => {
      const frame = await unprepared()
      frame.failures.push(new Failure('INSUFFICIENT_FUNDS'))
      frame.retry()
      expect(await frame.reply).toMatchObject({ ok: false, code: 'INSUFFICIENT_FUNDS' })
      expect(frame.screen.shown).toBeNull()
    })

    it('ends at once beside a modal of an earlier release, which could not show it', async () => {
      const frame = await signedIn()
      await frame.ask('SYNC_DAPP_DATA', { projectId: 'demo' })
      frame.failures.push(unreachable())
      const { reply } = frame.send('RPC_REQUEST', { method: 'eth_sendTransaction', params: [{ from: frame.address }] })
      expect(await reply).toMatchObject({ ok: false, code: 'NETWORK_UNREACHABLE' })
      expect(frame.notices.filter(({ name }) => name === 'APPROVAL_REQUEST')).toEqual([])
    })

    it.each([
      ['that no retry changes: the endpoint refuses it', new Failure('NETWORK_UNREACHABLE', { data: { status: 403 } })],
      [
        'that no retry changes: the endpoint of the bundler refuses it',
        new Failure('BUNDLER_UNAVAILABLE', { cause: new Failure('NETWORK_UNREACHABLE', { data: { status: 400 } }) }),
      ],
      ['that no retry changes: the network has no smart accounts', noSmartAccounts()],
    ])('ends at once with an answer %s', async (_, failure) => {
      const frame = await signedIn()
      await frame.ask('SYNC_DAPP_DATA', { projectId: 'demo', showsUnprepared: true })
      frame.failures.push(failure)
      const { reply } = frame.send('RPC_REQUEST', { method: 'wallet_sendCalls', params: [{ from: frame.address }] })
      expect(await reply).toMatchObject({ ok: false, code: failure.code })
      expect(frame.notices.filter(({ name }) => name === 'APPROVAL_REQUEST')).toEqual([])
    })

    it('ends when the dapp gives up', async () => {
      const frame = await unprepared()
      await frame.ask('RPC_ABORT', { id: frame.id })
      expect(await frame.reply).toMatchObject({ ok: false, code: 'ABORTED' })
      await frame.notice('APPROVAL_CLOSED')
    })
  })

  it('is not asked about if the chain answers that it cannot be', async () => {
    const frame = await signedIn()
    for (const code of ['INSUFFICIENT_FUNDS', 'INTERNAL', 'TRANSACTION_UNCONFIRMED'] as const) {
      frame.failures.push(new Failure(code))
      const { reply } = frame.send('RPC_REQUEST', { method: 'eth_sendTransaction', params: [{ from: frame.address }] })
      expect(await reply).toMatchObject({ ok: false, code })
    }
    expect(frame.notices.filter(({ name }) => name === 'APPROVAL_REQUEST')).toEqual([])
  })

  it('5. is prepared after the previous one ends, if it sends', async () => {
    const frame = await signedIn()
    const send = () => frame.send('RPC_REQUEST', { method: 'eth_sendTransaction', params: [{ from: frame.address }] })
    const [first, second, third] = [send(), send(), send()]
    await frame.notice('APPROVAL_REQUEST')
    expect(frame.seen.filter(({ step }) => step === 'prepare')).toHaveLength(1)
    await frame.ask('RPC_ABORT', { id: second.id })
    await frame.ask('REJECT', { id: first.id })
    expect((await frame.notice('APPROVAL_REQUEST')).request.id).toBe(third.id)
    expect(frame.seen.filter(({ step }) => step === 'prepare')).toHaveLength(2)
    await frame.ask('REJECT', { id: third.id })
  })

  it('gets no response after the modal is gone', async () => {
    const frame = await signedIn()
    frame.send('RPC_REQUEST', { method: 'personal_sign', params: [message, frame.address] })
    await frame.notice('APPROVAL_REQUEST')
    frame.end()
    expect(frame.seen.map(({ step }) => step)).not.toContain('execute')
  })
})

describe('the frame’s policy', () => {
  it('1. rejects unlisted methods before anything else', async () => {
    const frame = testFrame()
    for (const method of ['wallet_importPrivateKey', 'constructor', '__proto__', 'PERSONAL_SIGN'])
      await expect(frame.ask('RPC_REQUEST', { method, params: [] })).rejects.toMatchObject({
        code: 'METHOD_NOT_FOUND',
      })
    for (const method of ['eth_sign', 'eth_signTransaction'])
      await expect(frame.ask('RPC_REQUEST', { method, params: [] })).rejects.toMatchObject({
        code: 'RPC_NOT_ALLOWED',
        message: 'Requested RPC call is not allowed',
      })
    expect(frame.seen).toEqual([])
  })

  it('2. rejects every method while signed out', async () => {
    const frame = testFrame()
    for (const method of ['eth_accounts', 'personal_sign', 'solana_getAccounts'])
      await expect(frame.ask('RPC_REQUEST', { method })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    expect(frame.seen).toEqual([])
  })

  it('3. serves reads without approval', async () => {
    const frame = await signedIn()
    expect(await frame.ask('RPC_REQUEST', { method: 'eth_blockNumber' })).toEqual({ answered: 'eth_blockNumber' })
    expect(await frame.ask('RPC_REQUEST', { method: 'getBalance', params: ['x'] })).toEqual({ answered: 'getBalance' })
    expect(frame.notices.map(({ name }) => name)).not.toContain('APPROVAL_REQUEST')
  })

  it('separates networks and namespaces', async () => {
    const frame = await signedIn()
    for (const [method, networkId, code] of [
      ['personal_sign', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'CHAIN_DISCONNECTED'],
      ['solana_signMessage', 'eip155:1', 'CHAIN_DISCONNECTED'],
      ['bip122_signPsbt', 'eip155:1', 'CHAIN_DISCONNECTED'],
      ['eth_call', 'eip155:31337', 'CHAIN_NOT_SUPPORTED'],
      ['solana_signMessage', 'solana:unknown', 'CHAIN_NOT_SUPPORTED'],
    ] as const)
      await expect(frame.ask('RPC_REQUEST', { method, networkId, params: [] })).rejects.toMatchObject({ code })
    expect(frame.seen).toEqual([])
  })

  it('signs only for the user’s own accounts', async () => {
    const frame = await signedIn()
    const other = '0x000000000000000000000000000000000000dEaD'
    for (const [method, params] of [
      ['personal_sign', [message, other]],
      ['personal_sign', [other, message]],
      ['eth_signTypedData_v4', [other, '{}']],
      ['eth_sendTransaction', [{ from: other }]],
      ['wallet_sendCalls', [{ from: other, calls: [] }]],
      ['eth_sendUserOperation', [{ sender: other }]],
      ['wallet_grantPermissions', [{ account: other }]],
      ['wallet_grantPermissions', [{ address: frame.address, from: other }]],
      ['solana_signMessage', { pubkey: 'another', message: '' }],
      ['bip122_signMessage', { address: 'bc1qsomebody', message: '' }],
      ['bip122_sendTransfer', [{ account: 'bc1qsomebody' }]],
    ] as const)
      await expect(frame.ask('RPC_REQUEST', { method, params })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    expect(frame.seen).toEqual([])
  })

  it('passes only listed methods to a chain, and settles every request', async () => {
    const frame = await signedIn()
    const listed = new Set<string>(methodsThat(({ risk }) => risk === 'safe' || risk === 'notSafe'))
    const method = fc.oneof(
      fc.string({ minLength: 1, maxLength: 128 }),
      fc.constantFrom(...listed).map((name) => `${name} `),
      fc.constantFrom(...listed).map((name) => name.toUpperCase()),
      fc.constantFrom(...methodsThat(({ risk }) => risk === 'safe')),
    )
    await fc.assert(
      fc.asyncProperty(method, fc.anything(), async (name, params) => {
        frame.seen.length = 0
        const { reply } = frame.send('RPC_REQUEST', { method: name, params: cloneable(params) })
        const answer = await reply
        expect(answer).not.toBeNull()
        if (!listed.has(name)) {
          expect(frame.seen).toEqual([])
          expect(answer).toMatchObject({
            ok: false,
            code: classifyRpcMethod(name) === 'refused' ? 'RPC_NOT_ALLOWED' : 'METHOD_NOT_FOUND',
          })
        }
      }),
      { numRuns: 200 },
    )
  })
})

function cloneable(value: unknown): unknown {
  try {
    return structuredClone(value)
  } catch {
    return null
  }
}

describe('smart sessions', () => {
  it.each([
    { project: undefined, dapp: undefined, isOn: false },
    { project: undefined, dapp: false, isOn: false },
    { project: undefined, dapp: true, isOn: true },
    { project: true, dapp: undefined, isOn: true },
    { project: true, dapp: false, isOn: true },
    { project: false, dapp: true, isOn: false },
  ])('follow the project, otherwise the dapp: %o (spec §1)', async ({ project, dapp, isOn }) => {
    const frame = await signedIn({ page: { smartSessions: project } })
    await frame.ask('SYNC_DAPP_DATA', { projectId: 'demo', smartSessions: dapp })
    await frame.ask('RPC_REQUEST', { method: 'wallet_getCapabilities', params: [frame.address] })
    expect(frame.contexts.map(({ smartSessions }) => smartSessions)).toEqual([isOn])
  })
})

describe('a transaction that waits', () => {
  const of = { networkId: 'eip155:1', hash: waitingHash, kind: 'cancel' } as const

  it('7. is listed by the wallet, without an approval', async () => {
    const frame = await signedIn()
    const { transactions } = await frame.ask('GET_WAITING_TRANSACTIONS', { networkIds: ['eip155:1', 'eip155:8453'] })
    expect(transactions).toEqual([
      { networkId: 'eip155:1', from: frame.address, hash: waitingHash, newest: waitingHash, value: '5', isPlain: true },
    ])
    expect(frame.seen.map(({ step }) => step)).not.toContain('execute')
  })

  it('7. is replaced only after an approval like any other', async () => {
    const frame = await signedIn()
    const { id, reply } = frame.send('REPLACE_TRANSACTION', of)
    const { request } = await frame.notice('APPROVAL_REQUEST')
    expect(request).toMatchObject({ id, method: 'eth_sendTransaction', networkId: 'eip155:1' })
    expect(frame.seen).toEqual([{ step: 'prepare', method: 'cancel', params: waitingHash }])
    await frame.ask('REJECT', { id })
    expect(await reply).toMatchObject({ ok: false, code: 'USER_REJECTED' })
    expect(frame.seen.map(({ step }) => step)).not.toContain('execute')
  })

  it('7. is refused for a hash that the wallet does not know, a foreign network, and while signed out', async () => {
    const frame = await signedIn()
    await expect(frame.ask('REPLACE_TRANSACTION', { ...of, hash: `0x${'6'.repeat(64)}` })).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
    })
    await expect(frame.ask('REPLACE_TRANSACTION', { ...of, networkId: 'eip155:666666' })).rejects.toMatchObject({
      code: 'CHAIN_NOT_SUPPORTED',
    })
    const stranger = testFrame()
    await expect(stranger.ask('REPLACE_TRANSACTION', of)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  })

  it.each(['REPLACE_TRANSACTION', 'wallet_replaceTransaction', 'GET_WAITING_TRANSACTIONS'])(
    '7. is out of reach for a dapp: %s',
    async (method) => {
      const frame = await signedIn()
      await expect(frame.ask('RPC_REQUEST', { method, params: [of] })).rejects.toMatchObject({
        code: 'METHOD_NOT_FOUND',
      })
    },
  )
})
