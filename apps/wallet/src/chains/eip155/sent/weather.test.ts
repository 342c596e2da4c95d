/** The plain account where nodes lag, refuse and lose, tabs act at once and frames reload. */

import { manualClock } from '@postern/base/testing/manual-clock'
import { type Devnet, freePorts, startDevnet } from '@postern/chains/eip155/testing/evm-devnet'
import { createPublicClient, createTestClient, type Hex, http, numberToHex, parseEther } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { memoryNotes } from '../../notes'
import { createEip155Chain } from '../chain'
import { minute, twoSites } from '../testing/two-sites'
import { devnetGateway, testWallet } from '../testing/wallet'

const ports = await freePorts('evm', 'evmTwo', 'bundler')
const transport = http(`http://127.0.0.1:${ports.evm}`)
const node = createTestClient({ mode: 'anvil', transport })
const client = createPublicClient({ transport })
const friend = '0x00000000000000000000000000000000000F4153'

let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet({ ports: { evm: ports.evm, evmTwo: ports.evmTwo } })
})
afterAll(() => devnet.stop())
afterEach(async () => {
  await node.setAutomine(true)
  await node.mine({ blocks: 1 })
})

const Call = z.object({ id: z.number(), method: z.string(), params: z.array(z.unknown()) })
const Calls = z.union([z.array(Call), Call])
type Answer = (call: z.infer<typeof Call>, ask: () => Promise<unknown>) => unknown

/** `answers` by method replace the node's; an Error is the node's refusal. */
function weather(answers: () => Readonly<Record<string, Answer>>): typeof fetch {
  const real = devnetGateway(ports)
  const Reply = z.looseObject({ result: z.optional(z.unknown()) })
  return async (input, init) => {
    const body = Calls.parse(JSON.parse(String(init?.body)))
    const reply = async (call: z.infer<typeof Call>): Promise<unknown> => {
      const ask = async (): Promise<unknown> => {
        const whole = { jsonrpc: '2.0', ...call }
        return Reply.parse(await (await real(input, { ...init, body: JSON.stringify(whole) })).json())
      }
      const answer = answers()[call.method]
      if (answer === undefined) return ask()
      const result = await answer(call, ask)
      const shape = Reply.safeParse(result)
      if (shape.success && ('result' in shape.data || 'error' in shape.data)) return result
      const refused = result instanceof Error && { error: { code: -32_000, message: result.message } }
      return { jsonrpc: '2.0', id: call.id, ...(refused || { result }) }
    }
    return Response.json(Array.isArray(body) ? await Promise.all(body.map(reply)) : await reply(body))
  }
}

const Subject = z.union([
  z.object({ nonce: z.string() }),
  z.pipe(
    z.object({ transactions: z.array(z.object({ nonce: z.string() })) }),
    z.transform(({ transactions }) => ({ nonce: transactions[0]?.nonce })),
  ),
])

async function account(seed: string) {
  let answers: Readonly<Record<string, Answer>> = {}
  const { context } = await testWallet(
    seed,
    weather(() => answers),
    { page: { smartAccounts: [] } },
  )
  const from: Hex = `0x${context.addresses.eip155.slice(2)}`
  await node.setBalance({ address: from, value: parseEther('1') })
  const notes = memoryNotes()
  const clock = manualClock()
  clock.advance(1_800_000_000_000)
  const tab = () => {
    const chain = createEip155Chain(notes, clock)
    const request = (value: number, more = {}) => [{ from, to: friend, value: numberToHex(value), ...more }]
    const batch = (id: string | undefined, more = {}) => [
      {
        version: '2.0.0',
        from,
        chainId: '0x7a69',
        atomicRequired: false,
        ...(id !== undefined && { id }),
        calls: [{ to: friend, value: '0x1' }],
        ...more,
      },
    ]
    const prepare = async (method: string, params: unknown, at = context) => {
      const { subject } = await chain.prepare(method, params, at)
      const execute = async () => {
        const result = await chain.execute(method, subject, at)
        return typeof result === 'string' ? result : z.object({ id: z.string() }).parse(result).id
      }
      return { nonce: Number(Subject.parse(subject).nonce), execute }
    }
    return {
      prepare: (value: number, more = {}) => prepare('eth_sendTransaction', request(value, more)),
      prepareBatch: (id?: string, more = {}, at = context) => prepare('wallet_sendCalls', batch(id, more), at),
      async pay(value: number, more = {}) {
        const { nonce, execute } = await prepare('eth_sendTransaction', request(value, more))
        return { nonce, hash: await execute() }
      },
      status: async (id: string, at = context) =>
        z.object({ status: z.number() }).parse(await chain.answer('wallet_getCallsStatus', [id], at)).status,
    }
  }
  return {
    tab,
    from,
    context,
    clock,
    in: (next: Readonly<Record<string, Answer>>) => {
      answers = next
    },
  }
}

const statusOf = (hash: string) =>
  client.getTransactionReceipt({ hash: `0x${hash.slice(2)}` }).then(
    ({ status }) => status,
    () => 'never mined',
  )
const dear = { maxFeePerGas: numberToHex(10_000_000_000), maxPriorityFeePerGas: numberToHex(5_000_000_000) }
/** Answers `pending` with `latest`, as a node that has not seen our transactions. */
const behind = {
  eth_getTransactionCount: ({ params }: z.infer<typeof Call>) =>
    client.getTransactionCount({ address: z.templateLiteral(['0x', z.string()]).parse(params[0]) }).then(numberToHex),
}
const refusal = (message: string) => ({ eth_sendRawTransaction: () => new Error(message) })
const pending = { code: 'REQUEST_PENDING' }
const replaced = { code: 'TRANSACTION_REPLACED' }

describe('nonces', () => {
  it('are not used again if the node that answers has not seen our last transactions', async () => {
    const { tab, in: during } = await account('behind')
    await node.setAutomine(false)
    during(behind)
    const one = tab()
    const paid = [await one.pay(1), await one.pay(2, dear), await tab().pay(3, dear)]
    const batch = await one.prepareBatch()
    expect([...paid.map(({ nonce }) => nonce), batch.nonce]).toEqual([0, 1, 2, 3])
    await batch.execute()
    await node.mine({ blocks: 1 })
    expect(await Promise.all(paid.map(({ hash }) => statusOf(hash)))).toEqual(['success', 'success', 'success'])
  })

  it('are not used again by a node that is blocks behind, nor after a reorganisation', async () => {
    const { tab, in: during, clock } = await account('reorganised')
    await tab().pay(1)
    await tab().pay(2)
    during({ eth_getTransactionCount: () => '0x0' })
    expect((await tab().prepare(3)).nonce).toBe(2)
    clock.advance(601_000)
    // By then the chain has lost them.
    expect((await tab().prepare(3)).nonce).toBe(0)
  })

  it('beyond a gap that another site left hold up the account until that is reported, at most', async () => {
    const { node, clock, one, other, paid } = await twoSites('gap')
    await other.pay(1n)
    // Lost on its way; the next payment takes its nonce.
    node.decide('dropped')
    await expect(one.pay(2n)).rejects.toMatchObject({ code: 'ABORTED' })
    clock.advance(2 * minute)
    await one.pay(3n)
    // The nodes lose what waits, and the other site is never opened again.
    node.forgetPool()
    await expect(one.pay(4n)).rejects.toMatchObject(pending)
    clock.advance(20 * minute)
    await expect(one.pay(4n)).rejects.toMatchObject(replaced)
    await one.pay(4n)
    node.mine()
    const minedNow = () => {
      node.mine()
      return [paid(4n), paid(2n) + paid(3n)]
    }
    await expect.poll(minedNow).toEqual([1, 1])
    await one.pay(5n)
  })

  it('are given to one of two tabs that approve at once', async () => {
    const { tab } = await account('tabs')
    await node.setAutomine(false)
    const [one, other] = await Promise.all([tab().prepare(1), tab().prepare(2, dear)])
    const ended = await Promise.allSettled([one.execute(), other.execute()])
    const sent = ended.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []))
    const refused = ended.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
    expect(refused).toMatchObject([{ code: expect.stringMatching(/TRANSACTION_REPLACED|REQUEST_PENDING/) }])
    await node.mine({ blocks: 1 })
    expect(await Promise.all(sent.map(statusOf))).toEqual(['success'])
  })

  it('follow one that was refused and taken again', async () => {
    const { tab } = await account('refused')
    await node.setAutomine(false)
    await expect(tab().pay(2, { gasPrice: '0x0' })).rejects.toThrow()
    expect((await tab().pay(1)).nonce).toBe(0)
    expect((await tab().pay(1)).nonce).toBe(1)
  })

  it.each(['replacement transaction underpriced', 'nonce too low'])(
    'follow one that another site has, which this node does not count: %s',
    async (message) => {
      const { tab, in: during } = await account(`outbid ${message}`)
      during(refusal(message))
      await expect(tab().pay(1)).rejects.toMatchObject(replaced)
      during({})
      expect((await tab().prepare(2)).nonce).toBe(1)
      // A node may carry it out, once it has lost the other site's.
      await expect(tab().prepare(1)).rejects.toMatchObject(pending)
    },
    10_000,
  )

  it('follow one that another site has waiting, after ours was refused', async () => {
    const { tab, in: during } = await account('overtaken')
    during(refusal('fee too low'))
    await expect(tab().pay(1)).rejects.toThrow('fee too low')
    during({ eth_getTransactionCount: ({ params }) => (params[1] === 'pending' ? '0x1' : '0x0') })
    expect((await tab().prepare(2)).nonce).toBe(1)
    await expect(tab().prepare(1)).rejects.toMatchObject(pending)
  })
})

describe('a transaction', () => {
  it('that is sent though the next endpoint refuses it has its hash', async () => {
    const { tab, in: during } = await account('failover')
    during({
      eth_sendRawTransaction: async (_, ask) => {
        await ask()
        return new Error('nonce too low')
      },
    })
    expect(await statusOf((await tab().pay(1)).hash)).toBe('success')
  })

  it('that nodes have lost is sent again before the next', async () => {
    const { tab, in: during } = await account('lost')
    await node.setAutomine(false)
    during({ eth_sendRawTransaction: () => `0x${'1'.repeat(64)}` })
    const first = await tab().pay(1)
    during({})
    expect((await tab().pay(2)).nonce).toBe(1)
    await node.mine({ blocks: 1 })
    expect(await statusOf(first.hash)).toBe('success')
  })

  it('whose frame reloaded while it was sent holds up the others for a minute, then gives its nonce back', async () => {
    const { tab, in: during, clock } = await account('crashed')
    let isAsked = false
    during({
      eth_sendRawTransaction: () => {
        isAsked = true
        return new Promise(() => {})
      },
    })
    const { execute } = await tab().prepare(1)
    void execute().catch(() => undefined)
    await expect.poll(() => isAsked).toBe(true)
    during({})
    await expect(tab().prepare(2)).rejects.toMatchObject(pending)
    clock.advance(60_000)
    expect((await tab().prepare(2)).nonce).toBe(0)
  })
})

describe('the id of a batch', () => {
  it('is used once and has its status, in another tab and after a reload', async () => {
    const { tab } = await account('id')
    const { execute } = await tab().prepareBatch('order-7')
    expect(await execute()).toBe('order-7')
    await expect(tab().prepareBatch('order-7')).rejects.toMatchObject({ rpc: 5720 })
    await expect.poll(() => tab().status('order-7')).toBe(200)
  })

  it('is taken by one of two tabs that use it at once', async () => {
    const { tab } = await account('same id')
    const [one, other] = [await tab().prepareBatch('order-7'), await tab().prepareBatch('order-7')]
    await one.execute()
    await expect(other.execute()).rejects.toMatchObject({ rpc: 5720 })
  })

  it('is another one for another dapp', async () => {
    const { tab, context } = await account('dapps')
    const other = { ...context, origin: 'https://other.example' }
    await (await tab().prepareBatch('order-7')).execute()
    await expect(tab().status('order-7', other)).rejects.toMatchObject({ rpc: 5730 })
    await (await tab().prepareBatch('order-7', {}, other)).execute()
  })

  it('is used if it is unknown whether the batch was sent', async () => {
    const { tab, in: during, clock } = await account('maybe')
    during({ eth_sendRawTransaction: () => new Promise(() => {}) })
    const { execute } = await tab().prepareBatch('order-7')
    void execute().catch(() => undefined)
    await expect
      .poll(() =>
        tab()
          .status('order-7')
          .catch(() => null),
      )
      .toBe(100)
    clock.advance(60_000)
    await expect(tab().prepareBatch('order-7')).rejects.toMatchObject({ rpc: 5720 })
  })

  it('is free again if the node refused the batch', async () => {
    const { tab, in: during } = await account('free id')
    during(refusal('fee too low'))
    await expect((await tab().prepareBatch('order-7')).execute()).rejects.toThrow('fee too low')
    during({})
    expect(await (await tab().prepareBatch('order-7')).execute()).toBe('order-7')
  })

  it.each([
    { answer: 'refuses it', isTaken: false, status: 600, received: 1n },
    { answer: 'takes it, and says that it refuses it', isTaken: true, status: 200, received: 3n },
  ])('has the status of all its calls if a node $answer', async ({ answer, isTaken, status, received }) => {
    const { tab, in: during } = await account(`second ${answer}`)
    const to = numberToHex(0x10000 + answer.length, { size: 20 })
    const calls = ['0x1', '0x2'].map((value) => ({ to, value }))
    const { execute } = await tab().prepareBatch('order-7', { calls })
    let count = 0
    during({
      eth_sendRawTransaction: async (_, ask) => {
        count += 1
        if (count === 1) return ask()
        if (isTaken) await ask()
        return new Error('internal error')
      },
    })
    expect(await execute()).toBe('order-7')
    during({})
    await expect.poll(() => tab().status('order-7')).toBe(status)
    expect(await client.getBalance({ address: to })).toBe(received)
    await expect(tab().prepareBatch('order-7')).rejects.toMatchObject({ rpc: 5720 })
  })

  it('cannot be one that the wallet made', async () => {
    const { tab } = await account('own id')
    const id = await (await tab().prepareBatch()).execute()
    await expect(tab().prepareBatch(id)).rejects.toMatchObject({ rpc: 5720 })
  })
})

it('calls whose receipts come late are pending', async () => {
  const { tab, in: during } = await account('late receipts')
  const id = await (await tab().prepareBatch()).execute()
  await node.mine({ blocks: 1 })
  during({ eth_getTransactionReceipt: () => null })
  expect(await tab().status(id)).toBe(100)
  during({})
  expect(await tab().status(id)).toBe(200)
})
