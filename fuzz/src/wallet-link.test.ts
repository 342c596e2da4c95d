/** The embedded wallet's frame with its real chains, against a modal that sends what it likes. */
import {
  classifyRpcMethod,
  errors,
  isErrorCode,
  parseWalletFrameNotice,
  parseWalletFrameReply,
  type WalletFrameRequestName,
  walletFrameRequests,
} from '@postern/protocol'
import fc from 'fast-check'
import { createChains } from '../../apps/wallet/src/chains/index'
import { describeApproval } from '../../apps/wallet/src/intent/describe'
import { fakeGateway } from '../../apps/wallet/src/testing/fake-gateway'
import { newStorage, testFrame } from '../../apps/wallet/src/testing/test-frame'
import { anything, fitting } from './engine/from-schema'
import { type Moves, move, patienceMs, type Step, Violation, within } from './engine/fuzz'
import { count, field, text } from './engine/read'
import { runTarget } from './engine/run-target'

const isName = (name: string): name is WalletFrameRequestName => Object.hasOwn(walletFrameRequests, name)
const names = Object.keys(walletFrameRequests).filter(isName)
const of = (move: string, data: fc.Arbitrary<unknown>): fc.Arbitrary<Step> =>
  fc.record({ move: fc.constant(move), data })

const solanaAddress = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'
const bitcoinAddress = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const typedData = {
  domain: { name: 'D', version: '1', chainId: 1, verifyingContract: address },
  types: { Mail: [{ name: 'to', type: 'address' }] },
  primaryType: 'Mail',
  message: { to: address },
}
const call = { to: address, value: '0x1', data: '0xa9059cbb' }
/** Requests near what a dapp sends. */
const earnest: readonly unknown[] = [
  { method: 'personal_sign', params: ['0x68656c6c6f', address] },
  { method: 'eth_signTypedData_v4', params: [address, JSON.stringify(typedData)] },
  { method: 'eth_signTypedData_v4', params: [address, typedData] },
  { method: 'eth_sendTransaction', params: [{ from: address, ...call }] },
  {
    method: 'wallet_sendCalls',
    params: [{ version: '2.0.0', from: address, chainId: '0x1', atomicRequired: true, calls: [call] }],
  },
  { method: 'wallet_getCallsStatus', params: ['0x1'] },
  { method: 'wallet_getAssets', params: [{ account: address }] },
  { method: 'wallet_getCapabilities', params: [address] },
  { method: 'wallet_grantPermissions', params: [{ chainId: '0x1', expiry: 2e9, permissions: [] }] },
  { method: 'eth_sendUserOperation', params: [{ sender: address, callData: '0x' }, address] },
  { method: 'solana_signMessage', params: { message: 'abc', pubkey: solanaAddress } },
  { method: 'solana_signTransaction', params: { transaction: 'AQAAAAAAAAAAAAAA' } },
  { method: 'solana_signAllTransactions', params: { transactions: ['AQAAAAAAAAAAAAAA'] } },
  { method: 'bip122_signMessage', params: { message: 'hello', account: bitcoinAddress } },
  { method: 'bip122_signPsbt', params: { psbt: 'cHNidP8BAAoCAAAAAAAAAAAAAAA=', signInputs: [] } },
  {
    method: 'bip122_sendTransfer',
    params: { recipientAddress: bitcoinAddress, amount: '1' },
  },
  { method: 'eth_blockNumber' },
]

const steps = fc.oneof(
  {
    weight: 10,
    arbitrary: of(
      'request',
      fc.oneof(
        ...names.map((name) =>
          fc.record({ name: fc.constant(name), payload: fitting(walletFrameRequests[name].payload) }),
        ),
      ),
    ),
  },
  {
    weight: 8,
    arbitrary: of('request', fc.record({ name: fc.constant('RPC_REQUEST'), payload: fc.constantFrom(...earnest) })),
  },
  { weight: 3, arbitrary: of('show', fc.nat(4)) },
  { weight: 2, arbitrary: of('again', fc.nat(20)) },
  { weight: 2, arbitrary: of('raw', anything) },
  { weight: 1, arbitrary: of('signIn', fc.constant(null)) },
  { weight: 1, arbitrary: of('typeCode', fc.oneof(fc.string(), fc.constantFrom('123456', '000000'))) },
  {
    weight: 2,
    arbitrary: of(
      'chain',
      fc.oneof(
        fc.constant(undefined),
        fc.record({ result: fc.jsonValue() }),
        fc.record({ error: fc.record({ code: fc.integer(), message: fc.string() }) }),
      ),
    ),
  },
  { weight: 1, arbitrary: of('time', fc.nat(60_000)) },
  {
    weight: 1,
    arbitrary: of(
      'window',
      fc.record({ data: anything, origin: fc.constantFrom('https://wallet.test', 'https://evil.example', '') }),
    ),
  },
)

const reached = { signedIn: 0, waiting: 0, shown: 0 }

/**
 * No step presses Approve.
 *
 * 1. Nothing that needs approval succeeds, and no device share leaves the gateway. A deletion, which is confirmed in the
 *    frame, fetches one: the wallet's key signs it.
 * 2. Every request has one answer; in the end all have.
 * 3. Every message of the frame fits the protocol; failures are of the catalogue.
 * 4. No unexpected error is reported, and no failure is INTERNAL but one that passes on an endpoint's own words, also if
 *    an endpoint answers nonsense.
 */
async function play(given: readonly Step[]): Promise<void> {
  const ends: (() => void)[] = []
  const notes = { update: async (change: (kept: unknown) => unknown) => void change(undefined) }
  const chains = createChains({ notes: () => notes })
  const chain = hostileChain()
  const frame = testFrame({
    gateway: { ...chain.gateway },
    storage: newStorage(),
    chains: { loadChain: async (namespace) => chains(namespace), loadDescribe: async () => describeApproval },
    onFinished: (end) => void ends.push(end),
  })
  const link = watch(frame, chain)
  try {
    const accounts = given.length % 3 > 0 ? await honestSignIn(frame) : new Map<string, string>()
    for (const { move: name, data } of given) await link.take({ move: name, data: ofUser(data, accounts) })
    for (const _ of Array(8)) await turn()
    if (frame.notices.some(({ name }) => name === 'APPROVAL_REQUEST')) reached.waiting += 1
    if (frame.screen.shown !== null) reached.shown += 1
    await link.settled()
  } finally {
    for (const end of ends) end()
  }
  if (frame.gateway.calls.some(({ name }) => name === 'deviceShare'))
    throw new Violation('A share was fetched without a window of the wallet')
  if (frame.counted.reports.length > 0) throw new Violation(`Unexpected: ${frame.counted.reports.join(', ')}`)
}

/** What endpoints answer when they are honest, enough to prepare a transaction. */
const honest: Readonly<Record<string, unknown>> = {
  eth_chainId: '0x1',
  eth_getTransactionCount: '0x1',
  eth_gasPrice: '0x3b9aca00',
  eth_maxPriorityFeePerGas: '0x1',
  eth_estimateGas: '0x5208',
  eth_getBalance: '0x56bc75e2d63100000',
  eth_getCode: '0x',
  eth_call: '0x',
  eth_feeHistory: { oldestBlock: '0x1', baseFeePerGas: ['0x1', '0x1'], gasUsedRatio: [0.5], reward: [['0x1']] },
  getLatestBlockhash: {
    context: { slot: 1 },
    value: { blockhash: solanaAddress, lastValidBlockHeight: 9 },
  },
  getBalance: { context: { slot: 1 }, value: 5_000_000_000 },
}

/** The gateway's wallet calls, and a chain that answers as the steps say. */
function hostileChain() {
  const gateway = fakeGateway()
  let answer: unknown
  const reply = (request: unknown) => ({
    jsonrpc: '2.0',
    id: field(request, 'id'),
    ...(answer === undefined ? { result: honest[text(field(request, 'method'))] ?? null } : Object(answer)),
  })
  const chainFetch: typeof fetch = async (input, init) => {
    if (!new URL(String(input), 'https://wallet.test').pathname.startsWith('/v1')) return gateway.fetch(input, init)
    const asked: unknown = JSON.parse(String(init?.body ?? 'null'))
    return Response.json(Array.isArray(asked) ? asked.map(reply) : reply(asked))
  }
  return {
    gateway: { ...gateway, fetch: chainFetch },
    set(next: unknown) {
      answer = next
    },
  }
}

/** Returns the user's accounts by those of the examples. */
async function honestSignIn(frame: Frame): Promise<ReadonlyMap<string, string>> {
  await within(frame.signIn(), patienceMs, 'An honest sign-in does not end')
  const user = await within(frame.ask('GET_USER', undefined), patienceMs, 'GET_USER has no answer')
  reached.signedIn += 1
  return new Map([
    [address, user.accounts?.[0]?.address ?? address],
    [solanaAddress, user.solana ?? solanaAddress],
    [bitcoinAddress, user.bitcoin?.[0]?.address ?? bitcoinAddress],
  ])
}

/** With the user's own accounts in place of the examples', or a request is refused before it is read. */
function ofUser(value: unknown, accounts: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string')
    return [...accounts].reduce((text, [example, own]) => text.replaceAll(example, own), value)
  if (Array.isArray(value)) return value.map((each) => ofUser(each, accounts))
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, ofUser(each, accounts)]))
}

type Frame = ReturnType<typeof testFrame>
type Sent = { readonly name: string; readonly payload: unknown; times: number; answers: number; answer?: () => void }
const turn = () => new Promise((resolve) => setImmediate(resolve))

function watch(frame: Frame, chain: ReturnType<typeof hostileChain>) {
  const sent = new Map<string, Sent>()
  const faults: string[] = []
  frame.modal.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const id = text(field(data, 'id'))
    const request = sent.get(id)
    if (request === undefined) {
      // Those of the honest sign-in have ids of their own.
      if (!/^r\d+$/.test(id) && parseWalletFrameNotice(data) === null) faults.push('A message that does not fit')
      return
    }
    request.answers += 1
    if (request.answers > request.times) faults.push(`${request.name} has ${request.answers} answers`)
    if (isName(request.name)) readAnswer(request.name, request.payload, data)
    request.answer?.()
  })

  function readAnswer(name: WalletFrameRequestName, payload: unknown, data: unknown): void {
    const reply = parseWalletFrameReply(name, data)
    if (reply === null) faults.push(`${name} has an answer that does not fit`)
    else if (
      !reply.ok &&
      (!isErrorCode(reply.code ?? '') || (reply.code === 'INTERNAL' && reply.message === errors.INTERNAL.message))
    )
      faults.push(`${name} failed with ${reply.code}`)
    else if (reply.ok && name === 'RPC_REQUEST' && classifyRpcMethod(text(field(payload, 'method'))) === 'notSafe')
      faults.push(`${JSON.stringify(payload)} succeeded without a press`)
  }

  function post(id: string, name: string, payload: unknown): Sent | null {
    try {
      frame.modal.postMessage({ id, type: `@w3m-app/${name}`, payload })
    } catch {
      // No port carries it.
      return null
    }
    const known = sent.get(id)
    if (known !== undefined) {
      known.times += 1
      return known
    }
    const request: Sent = { name, payload, times: 1, answers: 0 }
    sent.set(id, request)
    return request
  }

  const ask = (name: string, payload: unknown) => void post(`f${sent.size}`, name, payload)

  const moves: Moves = {
    request: (data) => ask(text(field(data, 'name')), field(data, 'payload')),
    again(data) {
      const ids = [...sent.keys()]
      const id = ids[count(data) % Math.max(1, ids.length)] ?? ''
      const request = sent.get(id)
      if (request !== undefined) post(id, request.name, request.payload)
    },
    async show(data) {
      await turn()
      const waiting = frame.notices.flatMap((notice) => (notice.name === 'APPROVAL_REQUEST' ? [notice.request.id] : []))
      ask('SHOW_APPROVAL', { id: waiting[count(data) % Math.max(1, waiting.length)] ?? 'x' })
    },
    raw: postRaw,
    signIn: () => ask('CONNECT_EMAIL', { email: 'alice@example.com' }),
    async typeCode(data) {
      await turn()
      const { code } = frame.screen
      await code?.onSubmit(typeof data === 'string' ? data : null)
    },
    time: (data) => frame.advance(Math.min(count(data), 600_000)),
    window: (data) => frame.window.post({ data: field(data, 'data'), origin: text(field(data, 'origin')) }),
    chain: (data) => chain.set(data),
  }

  function postRaw(data: unknown): void {
    // Of requests, so that each is known.
    if (text(field(data, 'type')).startsWith('@w3m-app/')) return
    try {
      frame.modal.postMessage(data)
    } catch {
      // No port carries it.
    }
  }

  /** 2: what waits for the user is aborted, as the modal does. */
  async function settled(): Promise<void> {
    await turn()
    for (const [id, request] of [...sent]) {
      if (!isName(request.name) || request.name === 'RPC_ABORT') continue
      post(`abort-${id}`, 'RPC_ABORT', { id })
      if (request.answers > 0) continue
      await within(
        new Promise<void>((resolve) => {
          request.answer = resolve
        }),
        patienceMs,
        `${request.name} has no answer`,
      )
    }
    if (faults.length > 0) throw new Violation([...new Set(faults)].join('; '))
  }

  return { take: (step: Step) => move(moves, step), settled }
}

runTarget({
  name: 'wallet-link',
  messages: 5_500,
  covers: ['/apps/wallet/src/', '/packages/link/src/', '/packages/chains/src/', '/packages/protocol/src/'],
  steps,
  play,
  reached: () => reached,
})
