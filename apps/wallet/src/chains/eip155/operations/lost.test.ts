/** Operations that the bundler has lost, or never learns of. */
import { manualClock } from '@postern/base/testing/manual-clock'
import { encodeFunctionData, getAddress, parseAbi, toHex } from 'viem'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { memoryNotes, type Notes } from '../../notes'
import { safeAddress } from '../account/safe'
import { createEip155Chain } from '../chain'
import { testWallet } from '../testing/wallet'
import { weatherBundler } from '../testing/weather-bundler'

const friend = '0x00000000000000000000000000000000000F4153'
const token = getAddress('0x0000000000000000000000000000000000070ce4')
const paymaster = getAddress('0x0000000000000000000000000000000000009a11')
const account = await testWallet('lost operations', fetch, {
  accountType: 'smartAccount',
  smartSessions: true,
  page: { smartAccounts: [{ chainId: 31_337, paymaster: true }] },
})
const from = safeAddress(`0x${account.context.addresses.eip155.slice(2)}`)
const Id = z.object({ id: z.string() })
const Status = z.object({
  status: z.number(),
  receipts: z.optional(z.array(z.looseObject({ logs: z.array(z.unknown()) }))),
})
const Ask = z.object({ id: z.number(), method: z.string(), params: z.array(z.unknown()) })

function network({ pays = false } = {}) {
  const clock = manualClock(1_800_000_000_000)
  const bundler = weatherBundler(() => BigInt(Math.floor(clock.now() / 1_000)))
  /** The contexts (ERC-7677) that the paymaster got. */
  const contexts: unknown[] = []
  const gateway: typeof fetch = async (url, init) => {
    if (!String(url).includes('/v1/paymaster')) return bundler.fetch(url, init)
    const { id, params } = Ask.parse(JSON.parse(String(init?.body)))
    contexts.push(params[3])
    if (!pays) return Response.json({ jsonrpc: '2.0', id, error: { code: -32_504, message: 'Over the limit' } })
    const gas = { paymasterVerificationGasLimit: '0x1', paymasterPostOpGasLimit: '0x1' }
    return Response.json({ jsonrpc: '2.0', id, result: { paymaster, paymasterData: '0x', isFinal: true, ...gas } })
  }

  function site(notes: Notes = memoryNotes()) {
    let chain = createEip155Chain(notes, clock)
    const end = new AbortController()
    const context = { ...account.context, fetch: gateway, signal: end.signal }
    const send = async (method: string, params: unknown): Promise<unknown> => {
      const { subject } = await chain.prepare(method, params, context)
      return chain.execute(method, subject, context)
    }
    const waiting = async () => (await chain.waiting?.(context)) ?? expect.unreachable()
    const prepare = async (hash: string, kind: 'speedUp' | 'cancel') =>
      (await chain.prepareReplacement?.({ hash, kind }, context))?.subject ?? expect.unreachable()
    return {
      send,
      waiting,
      prepare,
      abort: () => end.abort(),
      reload() {
        chain = createEip155Chain(notes, clock)
      },
      payBatch: async (value = 1, capabilities = {}) => {
        const calls = [{ to: friend, value: toHex(value) }]
        const batch = { version: '2.0.0', from, chainId: '0x7a69', atomicRequired: true, calls, capabilities }
        return Id.parse(await send('wallet_sendCalls', [batch])).id
      },
      replace: async (hash: string, kind: 'speedUp' | 'cancel') =>
        chain.execute('eth_sendUserOperation', await prepare(hash, kind), context),
      status: async (id: string) => Status.parse(await chain.answer('wallet_getCallsStatus', [id], context)),
      receipt: (hash: string) => chain.answer('eth_getUserOperationReceipt', [hash], context),
      statusOn: async (networkId: `eip155:${number}`, id: string) =>
        Status.parse(await chain.answer('wallet_getCallsStatus', [id], { ...context, networkId })),
      ask: (method: string, hash: string) => chain.answer(method, [hash], context),
    }
  }
  const paid = () => bundler.mined().map(({ value }) => value)
  return { clock, bundler, contexts, site, paid }
}

const hashOf = (id: string) => id.slice(0, 66)

describe('an operation that the bundler has lost', () => {
  it.each(['wallet_getCallsStatus', 'eth_getUserOperationReceipt', 'eth_getUserOperationByHash', 'the account view'])(
    'is sent again when %s asks for it: the same bytes, once',
    async (method) => {
      const { clock, bundler, site, paid } = network()
      const { payBatch, ask, waiting, status } = site()
      const id = await payBatch()
      bundler.forget()
      const look = () => {
        if (method === 'the account view') return waiting()
        return ask(method, method === 'wallet_getCallsStatus' ? id : hashOf(id))
      }
      await look()
      expect(bundler.broadcasts(), 'a bundler that lags may still know it').toBe(1)
      clock.advance(61_000)
      await look()
      await expect.poll(bundler.broadcasts).toBe(2)
      await look()
      bundler.mine()
      expect([await status(id), paid()]).toMatchObject([{ status: 200 }, [1n]])
      expect(bundler.mined()[0]?.hash).toBe(hashOf(id))
    },
  )

  it('is sent again when the account makes another one, which does not wait for it', async () => {
    const { clock, bundler, site, paid } = network()
    const { payBatch } = site()
    await payBatch(1)
    bundler.forget()
    clock.advance(61_000)
    await payBatch(2)
    await expect.poll(bundler.broadcasts).toBe(3)
    bundler.mine()
    expect(paid().toSorted()).toEqual([1n, 2n])
  })

  it('is sent again while its caller waits for the transaction', async () => {
    const { clock, bundler, site, paid } = network()
    const { send } = site()
    const asked = send('eth_sendTransaction', [{ from, to: friend, value: '0x1' }])
    await expect.poll(bundler.broadcasts).toBe(1)
    bundler.forget()
    clock.advance(61_000)
    await expect.poll(bundler.broadcasts, { timeout: 5_000 }).toBe(2)
    bundler.mine()
    expect([await asked, paid()]).toEqual([expect.stringMatching(/^0x/), [1n]])
  })

  it.each(['speedUp', 'cancel'] as const)('is sent again as its %s, the last one that is meant', async (kind) => {
    const { clock, bundler, site } = network()
    const { payBatch, replace, status } = site()
    const id = await payBatch()
    const second = await replace(hashOf(id), kind)
    bundler.forget()
    clock.advance(61_000)
    await status(id)
    bundler.mine()
    expect(bundler.mined().map(({ hash }) => hash)).toEqual([second])
    expect(await status(id)).toMatchObject({ status: kind === 'speedUp' ? 200 : 400 })
  })

  it('is not sent again without a caller that has its id: the next request takes its nonce', async () => {
    const { clock, bundler, site, paid } = network()
    const notes = memoryNotes()
    const { payBatch, abort } = site(notes)
    bundler.onAbort(abort)
    bundler.decide('dropped')
    await expect(payBatch()).rejects.toMatchObject({ code: 'ABORTED' })
    clock.advance(61_000)
    const later = site(notes)
    const [found] = await later.waiting()
    expect(await later.ask('eth_getUserOperationByHash', found?.hash ?? '')).toBeNull()
    expect(bundler.broadcasts()).toBe(1)
    await later.payBatch()
    bundler.mine()
    expect([bundler.broadcasts(), paid()]).toEqual([2, [1n]])
  })

  it('is not sent again in its last half minute, nor if another operation has used its nonce', async () => {
    const { clock, bundler, site, paid } = network()
    const [one, other] = [site(), site()]
    const id = await one.payBatch(1)
    bundler.forget()
    await other.payBatch(2)
    bundler.mine()
    clock.advance(61_000)
    expect(await one.status(id)).toMatchObject({ status: 100 })
    const late = await one.payBatch(3)
    bundler.forget()
    clock.advance(3_571_000)
    await one.status(late)
    expect([bundler.broadcasts(), paid()]).toEqual([3, [2n]])
  })
})

describe('an operation that a block has and the bundler never learns of', () => {
  it.each([601, 4_201, 400_000])('has its outcome from the chain’s logs after %i s', async (seconds) => {
    const { clock, bundler, site } = network()
    const { payBatch, status, receipt } = site()
    const id = await payBatch()
    bundler.blind()
    clock.advance(10_000)
    bundler.mine()
    expect(await status(id), 'it may only lag').toMatchObject({ status: 100 })
    clock.advance(seconds * 1_000)
    expect(await status(id)).toMatchObject({ status: 200, receipts: [{ logs: [{ address: from }] }] })
    if (seconds < 80_000)
      expect(await receipt(hashOf(id))).toMatchObject({ userOpHash: hashOf(id), sender: from, success: true })
  })

  it('has it on another device too, once its hour is over', async () => {
    const { clock, bundler, site } = network()
    const id = await site().payBatch()
    bundler.blind()
    bundler.mine()
    clock.advance(4_201_000)
    expect(await site().status(id)).toMatchObject({ status: 200 })
  })

  it.each(['speedUp', 'cancel'] as const)('has that of its %s', async (kind) => {
    const { clock, bundler, site } = network()
    const { payBatch, replace, status, receipt } = site()
    const id = await payBatch()
    await replace(hashOf(id), kind)
    bundler.blind()
    bundler.mine()
    clock.advance(601_000)
    expect(await status(id)).toMatchObject({ status: kind === 'speedUp' ? 200 : 400 })
    const found = receipt(hashOf(id))
    if (kind === 'speedUp') expect(await found).toMatchObject({ success: true })
    else
      await expect(found).rejects.toMatchObject({
        code: 'TRANSACTION_REPLACED',
        data: { sentHash: hashOf(id), reason: 'cancelled', transactionHash: expect.stringMatching(/^0x/) },
      })
  })

  it('is found in parts if the node refuses the logs of so many blocks, and is never 400 without them', async () => {
    const { clock, bundler, site } = network()
    const { payBatch, status } = site()
    for (let block = 0; block < 300; block += 1) bundler.mine()
    const id = await payBatch()
    bundler.blind()
    for (let block = 0; block < 1_200; block += 1) {
      clock.advance(3_000)
      bundler.mine()
    }
    clock.advance(700_000)
    bundler.limitLogs(0)
    await expect(status(id)).rejects.toMatchObject({ message: 'At most 0 blocks' })
    bundler.limitLogs(200)
    const before = bundler.logCalls()
    expect(await status(id)).toMatchObject({ status: 200 })
    expect(bundler.logCalls() - before).toBeLessThan(32)
  })

  it.each([
    ['is reported to the caller that asks again, although the bundler had refused it', 1_000],
    ['may be, if the node gives no logs', 0],
  ])('%s', async (_, maxBlocks) => {
    const { bundler, site, paid } = network()
    const { payBatch } = site()
    bundler.decide('denied')
    await expect(payBatch()).rejects.toMatchObject({ message: 'Internal error' })
    bundler.blind()
    bundler.mine()
    bundler.limitLogs(maxBlocks)
    await expect(payBatch()).rejects.toMatchObject({
      code: 'TRANSACTION_REPLACED',
      data: { sentHash: bundler.mined()[0]?.hash, ...(maxBlocks > 0 && { transactionHash: expect.any(String) }) },
    })
    await payBatch()
    bundler.mine()
    expect(paid(), 'is meant again').toEqual([1n, 1n])
  })

  it('is not reported if another site’s has used the nonce of one that the bundler refused', async () => {
    const { bundler, clock, site, paid } = network()
    const [one, other] = [site(), site()]
    bundler.decide('refused')
    await expect(one.payBatch(1)).rejects.toMatchObject({ message: 'AA24 signature error' })
    await other.payBatch(2)
    bundler.mine()
    await expect(one.payBatch(1), 'a reorganisation may undo it').rejects.toMatchObject({ code: 'REQUEST_PENDING' })
    clock.advance(601_000)
    await one.payBatch(1)
    bundler.mine()
    expect(paid()).toEqual([2n, 1n])
  })

  it('is 400 without a look at the logs if its nonce is unused at its end', async () => {
    const { clock, bundler, site } = network()
    const { payBatch, status } = site()
    const id = await payBatch()
    bundler.forget()
    clock.advance(4_201_000)
    expect([await status(id), bundler.logCalls()]).toMatchObject([{ status: 400 }, 0])
  })
})

it('a batch has its status also while the dapp is on a network without smart accounts', async () => {
  const { bundler, site } = network()
  const { payBatch, statusOn } = site()
  const id = await payBatch()
  expect(await statusOn('eip155:1', id)).toMatchObject({ status: 100 })
  bundler.mine()
  expect(await statusOn('eip155:1', id)).toMatchObject({ status: 200 })
})

it('the first hash of an operation whose nonce another site has used tells what is there', async () => {
  const { clock, bundler, site } = network()
  const [one, other] = [site(), site()]
  const id = await one.payBatch(1)
  bundler.forget()
  const theirs = await other.payBatch(2)
  bundler.mine()
  expect(await one.receipt(hashOf(id)), 'nodes may lag').toBeNull()
  clock.advance(601_000)
  const { receipt } = z
    .object({ receipt: z.object({ transactionHash: z.string() }) })
    .parse(await other.receipt(hashOf(theirs)))
  await expect(one.receipt(hashOf(id))).rejects.toMatchObject({
    code: 'TRANSACTION_REPLACED',
    data: { sentHash: hashOf(id), reason: 'replaced', transactionHash: receipt.transactionHash },
  })
  expect(await one.status(id)).toMatchObject({ status: 400 })
  expect(await other.status(theirs)).toMatchObject({ status: 200 })
})

it('an operation whose nonce another site’s holds with higher fees is replaced after a few tries, not never', async () => {
  const { bundler, site, paid } = network()
  const [one, other] = [site(), site()]
  const hash = hashOf(await one.payBatch(1))
  bundler.forget()
  const theirs = hashOf(await other.payBatch(2))
  for (let times = 0; times < 6; times += 1) await other.replace(theirs, 'speedUp')
  let tries = 0
  for (let isDone = false; !isDone && tries < 8; tries += 1)
    isDone = await one.replace(hash, 'speedUp').then(
      () => true,
      (error: unknown) => {
        expect(error).toMatchObject({ code: 'REPLACEMENT_UNDERPRICED' })
        return false
      },
    )
  bundler.mine()
  expect(paid()).toEqual([1n])
  expect(tries).toBeGreaterThan(1)
})

describe('a replacement of an operation with the dapp’s context for the paymaster', () => {
  const withContext = (context: unknown) => ({ paymasterService: { url: 'https://pm.example', context } })

  it.each(['speedUp', 'cancel'] as const)('%s keeps the context, also after a reload', async (kind) => {
    const { contexts, site } = network({ pays: true })
    const { payBatch, prepare, reload } = site()
    const id = await payBatch(1, withContext({ policy: 'free-mints' }))
    reload()
    contexts.length = 0
    expect(await prepare(hashOf(id), kind)).toMatchObject({ sponsored: true })
    expect(contexts).toEqual([{ policy: 'free-mints' }])
  })

  it('calls a paymaster that takes a token by the dapp’s choice no sponsor', async () => {
    const { site } = network({ pays: true })
    const { payBatch, prepare, replace, status } = site()
    const id = await payBatch(1, withContext({ token }))
    expect(await prepare(hashOf(id), 'speedUp')).toMatchObject({ sponsored: false, pagePaymaster: paymaster })
    await replace(hashOf(id), 'speedUp')
    expect(await status(id)).toMatchObject({ status: 100 })
  })

  it('is paid by the account if that paymaster declines, although it had to pay for the first one', async () => {
    const first = network({ pays: true })
    const notes = memoryNotes()
    const id = await first.site(notes).payBatch(1, withContext({ policy: 'once' }))
    const second = network({ pays: false })
    expect(await second.site(notes).prepare(hashOf(id), 'speedUp')).toMatchObject({ sponsored: false })
    expect(second.contexts).toEqual([{ policy: 'once' }])
  })
})

describe('a grant of permissions that waits', () => {
  const grant = {
    chainId: '0x7a69',
    address: from,
    expiry: 1_900_000_000,
    signer: { type: 'account', data: { address: friend } },
    permissions: [
      {
        type: 'erc20-token-transfer',
        data: { address: token },
        policies: [{ type: 'token-allowance', data: { allowance: '0x5' } }],
      },
    ],
  }
  const abi = parseAbi(['function approve(address spender, uint256 amount) returns (bool)'])

  async function granting() {
    const { bundler, site, ...more } = network()
    const wallet = site()
    const outcome = wallet.send('wallet_grantPermissions', [grant]).catch((error: unknown) => error)
    await expect.poll(bundler.broadcasts).toBe(1)
    const [found, ...others] = await wallet.waiting()
    expect([found, others]).toMatchObject([{ isOperation: true, isPlain: false, to: token, value: '0' }, []])
    return { bundler, outcome, hash: found?.hash ?? '', ...wallet, ...more }
  }

  it('is sped up with the same permissions, which the dapp then gets', async () => {
    const { bundler, outcome, hash, prepare, replace } = await granting()
    const data = encodeFunctionData({
      abi,
      functionName: 'approve',
      args: ['0x000000000022D473030F116dDEE9F6B43aC78BA3', 5n],
    })
    expect(await prepare(hash, 'speedUp')).toMatchObject({
      replaces: { kind: 'speedUp' },
      calls: [{ to: token, data }, {}],
    })
    await replace(hash, 'speedUp')
    bundler.mine()
    expect(await outcome).toMatchObject({
      expiry: grant.expiry,
      permissionsContext: expect.stringMatching(/^0x70737037/),
    })
  })

  it('is cancelled: nothing is granted, and the dapp hears so', async () => {
    const { bundler, outcome, hash, replace, paid } = await granting()
    await replace(hash, 'cancel')
    bundler.mine()
    expect(await outcome).toMatchObject({ code: 'TRANSACTION_REPLACED', data: { sentHash: hash, reason: 'cancelled' } })
    expect(paid()).toEqual([0n])
  })
})
