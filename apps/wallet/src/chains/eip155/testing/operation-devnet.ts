/** Payers whose smart account sends operations, and the bundler that holds or includes them. */
import { type Devnet, freePorts, startDevnet } from '@postern/chains/eip155/testing/evm-devnet'
import type { ReplacementKind } from '@postern/protocol'
import { createPublicClient, createTestClient, getAddress, type Hex, http, keccak256, parseEther, toHex } from 'viem'
import { entryPoint07Address } from 'viem/account-abstraction'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import * as z from 'zod/mini'
import type { WalletChain } from '../../../contract'
import { memoryNotes } from '../../notes'
import { encodeCalls, safeAddress } from '../account/safe'
import { createEip155Chain } from '../chain'
import { devnetGateway, testWallet } from './wallet'

type Answer = 'arrives' | 'is lost' | 'is cut off' | 'is refused'
type Replacement = Awaited<ReturnType<NonNullable<WalletChain['prepareReplacement']>>>['subject']

const Id = z.object({ id: z.string() })

export const hexOf = (value: unknown): Hex => `0x${z.string().parse(value).slice(2)}`

export const operationOf = (subject: Replacement) =>
  subject.kind === 'eip155.userOperation' ? { ...subject, ...subject.operation } : expect.unreachable()

/** Starts the devnet for the tests of a file. */
export async function operationDevnet() {
  const ports = await freePorts('evm', 'evmTwo', 'bundler')
  const transport = http(`http://127.0.0.1:${ports.evm}`)
  const client = createPublicClient({ transport })
  const tests = createTestClient({ mode: 'anvil', transport })
  const post = (path: string, body: unknown) =>
    fetch(`http://127.0.0.1:${ports.bundler}${path}`, { method: 'POST', body: JSON.stringify(body) })
  const setBundler = (mode: 'on' | 'off' | 'hold') => post('/devnet/bundler', { mode })
  const setPaymaster = (on: boolean) => post('/devnet/paymaster', { on })

  async function rpc(method: string, params: readonly unknown[]): Promise<unknown> {
    const response = await post('/31337', { jsonrpc: '2.0', id: 1, method, params })
    return z.object({ result: z.optional(z.unknown()) }).parse(await response.json()).result
  }
  const isHeld = async (hash: string) => (await rpc('eth_getUserOperationByHash', [hash])) !== null
  const isIncluded = async (hash: string) => (await rpc('eth_getUserOperationReceipt', [hash])) !== null

  let devnet: Devnet
  beforeAll(async () => {
    devnet = await startDevnet({ ports })
  })
  afterAll(() => devnet.stop())
  afterEach(async () => {
    await tests.setAutomine(true)
    await setBundler('on')
    await setPaymaster(true)
  })

  return { client, tests, setBundler, setPaymaster, rpc, isHeld, isIncluded, payer }

  async function payer(seed: string, { ether = '1', paymaster = false } = {}) {
    const gateway = devnetGateway(ports)
    let answer: Answer = 'arrives'
    let refusal = ''
    let declines = false
    let before: () => Promise<unknown> = async () => undefined
    let end = new AbortController()
    const network: typeof fetch = async (input, init) => {
      const body = String(init?.body)
      if (declines && body.includes('pm_getPaymasterData')) {
        const { id } = z.object({ id: z.number() }).parse(JSON.parse(body))
        return Response.json({ jsonrpc: '2.0', id, error: { code: -32_504, message: 'Over the limit of this policy' } })
      }
      if (!body.includes('eth_sendUserOperation')) return gateway(input, init)
      await before()
      if (answer === 'arrives') return gateway(input, init)
      if (answer === 'is refused') {
        const { id } = z.object({ id: z.number() }).parse(JSON.parse(body))
        return Response.json({ jsonrpc: '2.0', id, error: { code: -32_602, message: refusal } })
      }
      if (answer === 'is cut off') await gateway(input, { ...init, signal: null })
      end.abort()
      throw new TypeError('Failed to fetch')
    }
    const page = { smartAccounts: [{ chainId: 31_337, paymaster }] }
    const { context, signed } = await testWallet(seed, network, { accountType: 'smartAccount', page })
    const from = safeAddress(`0x${context.addresses.eip155.slice(2)}`)
    const friend = getAddress(`0x${keccak256(toHex(`friend of ${seed}`)).slice(-40)}`)
    await tests.setBalance({ address: from, value: parseEther(ether) })
    const notes = memoryNotes()
    const tab = () => createEip155Chain(notes)
    let chain = tab()
    const here = () => ({ ...context, signal: end.signal })

    async function send(method: string, params: unknown): Promise<unknown> {
      const { subject } = await chain.prepare(method, params, here())
      return chain.execute(method, subject, here())
    }
    const waiting = async () => (await chain.waiting?.({ ...here(), accountType: 'eoa' })) ?? expect.unreachable()
    const prepare = async (hash: string, kind: ReplacementKind, on: WalletChain = chain) =>
      (await on.prepareReplacement?.({ hash, kind }, { ...here(), accountType: 'eoa' }))?.subject ??
      expect.unreachable()
    const execute = async (subject: Replacement, on: WalletChain = chain) =>
      z.string().parse(await on.execute('eth_sendUserOperation', subject, { ...here(), accountType: 'eoa' }))
    const payment = [{ from, to: friend, value: '0x5' }]
    const batch = (id?: string) => [
      {
        version: '2.0.0',
        from,
        chainId: '0x7a69',
        atomicRequired: true,
        calls: [
          { to: friend, value: '0x2' },
          { to: friend, value: '0x3' },
        ],
        ...(id !== undefined && { id }),
      },
    ]
    return {
      from,
      friend,
      notes,
      signed,
      tab,
      prepare,
      execute,
      waiting,
      pay: () => send('eth_sendTransaction', payment).then(hexOf),
      /** Held by the bundler; `outcome` is what the caller of eth_sendTransaction gets. */
      async payWaiting() {
        const outcome = send('eth_sendTransaction', payment).then(hexOf, (error: unknown) => error)
        await expect.poll(async () => (await waiting()).length).toBe(1)
        const [found] = await waiting()
        await expect.poll(() => isHeld(found?.hash ?? '')).toBe(true)
        return { hash: found?.hash ?? '', outcome }
      },
      payBatch: async (id?: string) => Id.parse(await send('wallet_sendCalls', batch(id))).id,
      payOperation: () => {
        const callData = encodeCalls([{ to: friend, value: 5n, data: '0x' }])
        return send('eth_sendUserOperation', [{ sender: from, callData }, entryPoint07Address]).then(hexOf)
      },
      replace: async (hash: string, kind: ReplacementKind) => execute(await prepare(hash, kind)),
      ask: (method: string, ...params: unknown[]) => chain.answer(method, params, here()),
      received: () => client.getBalance({ address: friend }),
      reload() {
        chain = tab()
      },
      /** The paymaster declines after its stub data. */
      decline() {
        declines = true
      },
      beforeBroadcast(act: () => Promise<unknown>) {
        before = act
      },
      async while<T>(next: Answer, act: () => Promise<T>, message = ''): Promise<T> {
        answer = next
        refusal = message
        try {
          return await act()
        } finally {
          answer = 'arrives'
          end = new AbortController()
        }
      },
    }
  }
}
