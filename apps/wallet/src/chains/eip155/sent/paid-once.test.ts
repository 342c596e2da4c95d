import { type Devnet, freePorts, startDevnet } from '@postern/chains/eip155/testing/evm-devnet'
import { errors } from '@postern/protocol'
import { type Address, createPublicClient, createTestClient, http, parseEther } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import type { ChainContext } from '../../../contract'
import { memoryNotes } from '../../notes'
import { encodeCalls, safeAddress } from '../account/safe'
import { createEip155Chain } from '../chain'
import { baseUrl, devnetGateway, testWallet } from '../testing/wallet'

const ports = await freePorts('evm', 'evmTwo', 'bundler')
const transport = http(`http://127.0.0.1:${ports.evm}`)
const client = createPublicClient({ transport })
const tests = createTestClient({ mode: 'anvil', transport })
const Sent = z.object({ id: z.string() })

let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet({ ports })
})
afterAll(() => devnet.stop())
afterEach(() => setBundler('on'))

const setBundler = (mode: 'on' | 'off' | 'hold') =>
  fetch(`http://127.0.0.1:${ports.bundler}/devnet/bundler`, { method: 'POST', body: JSON.stringify({ mode }) })

type Fate = 'arrives' | 'is lost' | 'is cut off' | 'is answered by a gateway alone' | 'is refused'

async function newcomer(seed: string, accountType: ChainContext['accountType'] = 'smartAccount') {
  const gateway = devnetGateway(ports)
  let fate: Fate = 'arrives'
  let end = new AbortController()
  const bodies: string[] = []
  const answer = (id: unknown, code: number, message: string) =>
    new Response(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }))
  const network: typeof fetch = async (input, init) => {
    const body = String(init?.body)
    if (fate === 'arrives' || !/eth_send(RawTransaction|UserOperation)/.test(body)) return gateway(input, init)
    bodies.push(body)
    const { id } = z.object({ id: z.number() }).parse(JSON.parse(body))
    if (fate === 'is refused') return answer(id, -32_500, 'AA24 signature error')
    if (fate !== 'is lost') await gateway(input, { ...init, signal: null })
    if (fate === 'is answered by a gateway alone') return answer(id, -32_603, errors.BUNDLER_UNAVAILABLE.message)
    // The frame closes, or the request aborts.
    end.abort()
    throw new TypeError('Failed to fetch')
  }
  const { context, signed } = await testWallet(seed, network, { accountType })
  const owner: Address = `0x${context.addresses.eip155.slice(2)}`
  const from = accountType === 'eoa' ? owner : safeAddress(owner)
  await tests.setBalance({ address: from, value: parseEther('1') })
  const friend = safeAddress(from)
  const notes = memoryNotes()
  let chain = createEip155Chain(notes)

  const here = () => ({ ...context, signal: end.signal })
  const request = { from, to: friend, value: '0x5' }
  const batch = {
    version: '2.0.0',
    from,
    chainId: '0x7a69',
    atomicRequired: false,
    calls: [{ to: friend, value: '0x5' }],
  }
  const prepare = (method = 'eth_sendTransaction', params: unknown = [request]) => chain.prepare(method, params, here())
  return {
    signed,
    bodies,
    friend,
    batch,
    prepare,
    execute: async (method: string, prepared: ReturnType<typeof prepare>) =>
      chain.execute(method, (await prepared).subject, here()),
    async pay() {
      return chain.execute('eth_sendTransaction', (await prepare()).subject, here())
    },
    async payBatch() {
      const { subject } = await prepare('wallet_sendCalls', [batch])
      return Sent.parse(await chain.execute('wallet_sendCalls', subject, here())).id
    },
    status: (id: string) => chain.answer('wallet_getCallsStatus', [id], here()),
    received: () => client.getBalance({ address: friend }),
    async while<T>(next: Fate, act: () => Promise<T>): Promise<T> {
      fate = next
      end = new AbortController()
      try {
        return await act()
      } finally {
        fate = 'arrives'
        end = new AbortController()
      }
    },
    reload() {
      chain = createEip155Chain(notes)
    },
    leaveOff: () => end.abort(),
    arrivesLate: () =>
      gateway(`${baseUrl}/v1/bundler?chainId=eip155:31337`, { method: 'POST', body: bodies[0] ?? '' }).then(
        (response) => response.json(),
      ),
  }
}

const sentHashOf = (error: unknown) =>
  z.object({ code: z.literal('REQUEST_PENDING'), data: z.object({ sentHash: z.string() }) }).parse(error).data.sentHash

async function isHeld(hash: string | null): Promise<boolean> {
  const call = { jsonrpc: '2.0', id: 1, method: 'eth_getUserOperationByHash', params: [hash] }
  const response = await fetch(`http://127.0.0.1:${ports.bundler}/31337`, {
    method: 'POST',
    body: JSON.stringify(call),
  })
  return z.object({ result: z.unknown() }).parse(await response.json()).result != null
}

const nonceOf = async (prepared: Promise<{ subject: unknown }>) =>
  z.object({ operation: z.object({ nonce: z.string() }) }).parse((await prepared).subject).operation.nonce

describe('an operation that may or may not have arrived', () => {
  it('was executed: the next request rejects once', async () => {
    const { pay, received, while: during, prepare, reload } = await newcomer('carried out')
    await expect(during('is cut off', pay)).rejects.toMatchObject({ code: 'ABORTED' })
    await expect.poll(received).toBe(5n)
    reload()
    await expect(prepare()).rejects.toMatchObject({
      code: 'TRANSACTION_REPLACED',
      data: { transactionHash: expect.stringMatching(/^0x/) },
    })
    expect(await received()).toBe(5n)
    // The visitor knows now, and asks again.
    await pay()
    expect(await received()).toBe(10n)
  })

  it('waits at the bundler: the next request is rejected before approval until it is done', async () => {
    const { pay, received, while: during, prepare } = await newcomer('waits')
    await setBundler('hold')
    await expect(during('is cut off', pay)).rejects.toThrow()
    for (const _ of [1, 2]) await expect(prepare()).rejects.toMatchObject({ code: 'REQUEST_PENDING' })
    await setBundler('on')
    await expect.poll(received).toBe(5n)
    await expect(prepare()).rejects.toMatchObject({ code: 'TRANSACTION_REPLACED' })
  })

  it('never arrived: the next request takes its nonce, and a late arrival fails', async () => {
    const { pay, received, while: during, arrivesLate } = await newcomer('never arrived')
    await expect(during('is lost', pay)).rejects.toThrow()
    await pay()
    await pay()
    expect(await arrivesLate()).toMatchObject({ error: { message: expect.stringContaining('AA10') } })
    expect(await received()).toBe(10n)
  })

  it('lands before a request approved meanwhile, which is then not signed', async () => {
    const { pay, received, while: during, prepare, execute, arrivesLate, signed } = await newcomer('comes late')
    await expect(during('is lost', pay)).rejects.toThrow()
    const again = prepare()
    await again
    await arrivesLate()
    await expect.poll(received).toBe(5n)
    await expect(execute('eth_sendTransaction', again)).rejects.toMatchObject({ code: 'TRANSACTION_REPLACED' })
    expect(signed).toHaveLength(1)
    expect(await received()).toBe(5n)
  })

  it('had its own lane: the next request reuses it after a reload', async () => {
    const { pay, payBatch, received, while: during, prepare, reload, arrivesLate, execute } = await newcomer('lane')
    await pay()
    await setBundler('hold')
    await payBatch()
    const lost = prepare()
    const lane = await nonceOf(lost)
    expect(BigInt(lane)).toBeGreaterThan(2n ** 64n)
    await expect(during('is lost', () => execute('eth_sendTransaction', lost))).rejects.toThrow()
    await setBundler('on')
    await expect.poll(received).toBe(10n)
    reload()
    expect(await nonceOf(prepare())).toBe(lane)
    await pay()
    expect(await arrivesLate()).toMatchObject({ error: { message: expect.stringContaining('AA25') } })
    expect(await received()).toBe(15n)
  })

  it('was accepted but its wait ended: the next request waits for it', async () => {
    const { pay, prepare, received, while: during, leaveOff } = await newcomer('wait ended')
    await setBundler('hold')
    const waiting = during('arrives', pay)
    // The bundler has it.
    await expect
      .poll(() =>
        prepare()
          .then(() => null, sentHashOf)
          .then(isHeld),
      )
      .toBe(true)
    leaveOff()
    await expect(waiting).rejects.toMatchObject({ code: 'ABORTED' })
    await expect(prepare()).rejects.toMatchObject({ code: 'REQUEST_PENDING' })
    await setBundler('on')
    await expect.poll(received).toBe(5n)
    await expect(prepare()).rejects.toMatchObject({ code: 'TRANSACTION_REPLACED' })
  })

  it('is looked up if only the gateway reports that the bundler is unavailable', async () => {
    const { pay, received, while: during, prepare } = await newcomer('gateway')
    await during('is answered by a gateway alone', pay)
    expect(await received()).toBe(5n)
    await expect(prepare()).resolves.toBeDefined()
  })

  it('is not bypassed by a nonce that the dapp chose', async () => {
    const { pay, while: during, prepare, batch, friend } = await newcomer('own nonce')
    await expect(during('is lost', pay)).rejects.toThrow()
    const callData = encodeCalls([{ to: friend, value: 5n, data: '0x' }])
    const operation = { sender: batch.from, callData, nonce: '0x70000000000000000' }
    await expect(prepare('eth_sendUserOperation', [operation])).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
    expect(await nonceOf(prepare('eth_sendUserOperation', [{ ...operation, nonce: '0x0' }]))).toBe('0x0')
  })
})

describe('lanes', () => {
  it('an operation that was only shown does not use a nonce', async () => {
    const { prepare } = await newcomer('declined')
    for (const _ of [1, 2]) expect(await nonceOf(prepare())).toBe('0x0')
  })

  it('a rejected operation frees its nonce', async () => {
    const { pay, payBatch, prepare, execute, while: during } = await newcomer('refused')
    await pay()
    await setBundler('hold')
    await payBatch()
    const refused = prepare()
    await expect(during('is refused', () => execute('eth_sendTransaction', refused))).rejects.toMatchObject({
      message: 'AA24 signature error',
    })
    expect(await nonceOf(prepare())).toBe(await nonceOf(refused))
  })

  it('the second of two prepared at once is rejected and not signed', async () => {
    const { pay, prepare, execute, batch, signed } = await newcomer('at once')
    await pay()
    await setBundler('hold')
    const [one, two] = [prepare('wallet_sendCalls', [batch]), prepare('wallet_sendCalls', [batch])]
    await execute('wallet_sendCalls', one)
    await expect(execute('wallet_sendCalls', two)).rejects.toMatchObject({ code: 'TRANSACTION_REPLACED' })
    expect(signed).toHaveLength(2)
  })
})

describe('a plain-account transaction that may or may not have arrived', () => {
  it('was executed: the next request rejects once', async () => {
    const { pay, received, while: during, prepare } = await newcomer('plain', 'eoa')
    await expect(during('is cut off', pay)).rejects.toMatchObject({ code: 'ABORTED' })
    await expect.poll(received).toBe(5n)
    await expect(prepare()).rejects.toMatchObject({ code: 'TRANSACTION_REPLACED' })
    await expect(prepare('wallet_sendCalls', [{}])).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
    await pay()
    await expect.poll(received).toBe(10n)
  })

  it('waits: the next request is rejected before approval until it is mined', async () => {
    const { pay, received, while: during, prepare, batch } = await newcomer('plain waits', 'eoa')
    await tests.setAutomine(false)
    try {
      await expect(during('is cut off', pay)).rejects.toThrow()
      await expect(prepare()).rejects.toMatchObject({ code: 'REQUEST_PENDING' })
      await expect(prepare('wallet_sendCalls', [batch])).rejects.toMatchObject({ code: 'REQUEST_PENDING' })
    } finally {
      await tests.setAutomine(true)
    }
    await tests.mine({ blocks: 1 })
    await expect.poll(received).toBe(5n)
    await expect(prepare('wallet_sendCalls', [batch])).rejects.toMatchObject({ code: 'TRANSACTION_REPLACED' })
  })
})
