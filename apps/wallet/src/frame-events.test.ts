import { isErrorCode, parseWalletFrameReply, type WalletFrameRequestName, walletFrameRequests } from '@postern/protocol'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { testFrame } from './testing/test-frame'

/** Valid payloads; attacks are variations of these. */
const earnest: { readonly [N in WalletFrameRequestName]: readonly unknown[] } = {
  SWITCH_NETWORK: [{ chainId: 8453 }, { chainId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' }],
  CONNECT_EMAIL: [{ email: 'alice@example.com' }, { email: 'eve@example.com' }],
  CONNECT_DEVICE: [undefined],
  CONNECT_OTP: [{ otp: '123456' }],
  GET_EMAIL_SIGN_IN: [undefined],
  GET_SOCIAL_REDIRECT_URI: [{ provider: 'google' }],
  CONNECT_SOCIAL: [{ uri: 'https://wallet.test/auth/social/start?flow=x', chainId: 1, preferredAccountType: 'eoa' }],
  GET_FARCASTER_URI: [undefined],
  CONNECT_FARCASTER: [undefined],
  GET_USER: [undefined, { chainId: 8453, preferredAccountType: 'smartAccount', socialUri: 'x' }],
  SIGN_OUT: [undefined],
  GET_IDENTITY_TOKEN: [{ namespaces: ['eip155'] }],
  SHARE_USER: [{ namespaces: ['eip155'] }],
  IS_CONNECTED: [undefined, { token: 'a.b.c' }],
  GET_CHAIN_ID: [undefined],
  GET_SMART_ACCOUNT_ENABLED_NETWORKS: [undefined],
  INIT_SMART_ACCOUNT: [undefined],
  SET_PREFERRED_ACCOUNT: [{ type: 'eoa' }, { type: 'smartAccount' }],
  RPC_REQUEST: [
    { method: 'personal_sign', params: ['0x68656c6c6f'] },
    { method: 'eth_sendTransaction', params: [{}], networkId: 'eip155:8453' },
    { method: 'eth_sign', params: [] },
    { method: 'eth_blockNumber' },
    { method: 'solana_signMessage', params: { message: '' } },
  ],
  UPDATE_EMAIL: [{ email: 'eve@example.com' }],
  UPDATE_EMAIL_PRIMARY_OTP: [{ otp: '123456' }],
  UPDATE_EMAIL_SECONDARY_OTP: [{ otp: '123456' }],
  SYNC_THEME: [{ themeMode: 'dark' }],
  SYNC_DAPP_DATA: [
    { projectId: 'demo', metadata: { name: 'D', description: '', url: 'https://evil.example', icons: [] } },
  ],
  RPC_ABORT: [{ id: 'standing' }],
  RELOAD: [undefined],
  SHOW_APPROVAL: [{ id: 'standing' }],
  HIDE_APPROVAL: [undefined],
  GET_WAITING_TRANSACTIONS: [{ networkIds: ['eip155:1', 'bip122:000000000019d6689c085ae165831e93'] }],
  REPLACE_TRANSACTION: [{ networkId: 'eip155:1', hash: `0x${'1'.repeat(64)}`, kind: 'cancel' }],
  REJECT: [{ id: 'standing' }],
  SOCIAL_CODE: [undefined],
  GET_SECURITY: [undefined],
  CREATE_WALLET: [{ recovery: 'gateway' }],
  FORGET_ENDED_WALLET: [undefined],
  REVOKE_DEVICE: [{ id: 'device-1' }],
  SEE_RECOVERIES: [{ until: 1 }],
  USE_GRANTED_STORAGE: [undefined],
  GET_WINDOW_URI: [{ purpose: 'export' }],
  AWAIT_WINDOW: [{ purpose: 'export' }],
  DELETE_ACCOUNT: [undefined],
}

function isName(name: string): name is WalletFrameRequestName {
  return Object.hasOwn(walletFrameRequests, name)
}
const names = Object.keys(walletFrameRequests).filter(isName)

/** With one field removed, added or replaced. */
function changed(payload: unknown): fc.Arbitrary<unknown> {
  if (typeof payload !== 'object' || payload === null) return fc.anything()
  const keys = [...Object.keys(payload), '__proto__', 'constructor', 'id', 'networkId']
  return fc
    .tuple(fc.constantFrom(...keys), fc.oneof(fc.anything(), fc.string(), fc.constant(undefined), fc.bigInt()))
    .map(([key, value]) =>
      Object.fromEntries([...Object.entries(payload).filter(([name]) => name !== key), [key, value]]),
    )
}

const events = fc.constantFrom(...names).chain((name) =>
  fc.record({
    name: fc.constant(name),
    payload: fc.oneof(
      fc.constantFrom(...earnest[name]),
      fc.constantFrom(...earnest[name]).chain(changed),
      fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withTypedArray: true }),
    ),
  }),
)

/** The whole frame, with a pending request, against arbitrary messages. */
it('settles every event once, fails only with catalogue codes, and signs only what was approved (spec §7)', async () => {
  const frame = testFrame()
  const answers = new Map<string, number>()
  frame.modal.addEventListener('message', ({ data }: MessageEvent<{ readonly id?: unknown }>) => {
    if (typeof data.id === 'string') answers.set(data.id, (answers.get(data.id) ?? 0) + 1)
  })
  let standing: { readonly id: string; isOpen: boolean } | null = null
  let runs = 0

  /** Signs in, and leaves a request pending. */
  async function stand(): Promise<string> {
    if (!(await frame.ask('IS_CONNECTED', undefined)).isConnected) await frame.signIn()
    if (standing?.isOpen === true) return standing.id
    await frame.ask('GET_USER', { chainId: 1 })
    const { id, reply } = frame.send('RPC_REQUEST', { method: 'personal_sign', params: ['0x68656c6c6f'] })
    const opened = { id, isOpen: true }
    standing = opened
    void reply.then((answer) => {
      opened.isOpen = false
      expect(answer).toMatchObject({ ok: false })
    })
    await frame.when(() =>
      frame.notices.find((notice) => notice.name === 'APPROVAL_REQUEST' && notice.request.id === id),
    )
    return id
  }

  await fc.assert(
    fc.asyncProperty(events, fc.anything(), async ({ name, payload }, noise) => {
      const waiting = await stand()
      runs += 1
      const id = `event-${runs}`
      try {
        frame.modal.postMessage(noise)
        frame.modal.postMessage({ id, type: `@w3m-app/${name}`, payload: aimed(payload, waiting) })
      } catch {
        // No port carries it.
        return
      }
      // Requests that wait for a person or a page are aborted after their turn.
      await frame.ask('GET_CHAIN_ID', undefined)
      await frame.ask('RPC_ABORT', { id })
      const reply = parseWalletFrameReply(name, await frame.answered(id))
      expect(reply).not.toBeNull()
      if (reply?.ok === false) {
        expect(isErrorCode(reply.code ?? '')).toBe(true)
        expect(reply.code).not.toBe('INTERNAL')
      }
      expect(frame.seen.map(({ step }) => step)).not.toContain('execute')
      expect(frame.gateway.calls.map((call) => call.name)).not.toContain('deviceShare')
    }),
    { numRuns: 400 },
  )
  expect(frame.counted.reports).toEqual([])
  for (const [id, count] of answers) expect([id, count]).toEqual([id, 1])

  const waiting = await stand()
  const shown = frame.notices.find((notice) => notice.name === 'APPROVAL_REQUEST' && notice.request.id === waiting)
  if (shown?.name !== 'APPROVAL_REQUEST') throw new Error('a request before the visitor expected')
  expect(shown.request.digest).toMatch(/^[0-9a-f]{64}$/)
})

function aimed(payload: unknown, id: string): unknown {
  const isAimed = typeof payload === 'object' && payload !== null && 'id' in payload && payload.id === 'standing'
  return isAimed ? { ...payload, id } : payload
}
