import { parseEther, slice } from 'viem'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { hexOf, operationDevnet, operationOf } from '../testing/operation-devnet'

const { client, tests, setBundler, setPaymaster, rpc, isHeld, isIncluded, payer } = await operationDevnet()
const Receipts = z.object({ receipts: z.array(z.object({ transactionHash: z.string() })) })
const UserOpHash = z.object({ userOpHash: z.string() })

const pending = { code: 'REQUEST_PENDING' }
const replaced = { code: 'TRANSACTION_REPLACED' }

describe('an operation that waits', () => {
  it('2. 3. is sped up: the same calls and nonce, both fees an eighth higher, and paid once', async () => {
    const { payWaiting, prepare, execute, waiting, received, from, friend, ...wallet } = await payer('faster')
    await setBundler('hold')
    const { hash, outcome } = await payWaiting()
    expect(await waiting()).toMatchObject([
      { hash, newest: hash, from, to: friend, value: '5', isPlain: true, isOperation: true },
    ])
    const subject = operationOf(await prepare(hash, 'speedUp'))
    const old = z
      .object({ userOperation: z.record(z.string(), z.string()) })
      .parse(await rpc('eth_getUserOperationByHash', [hash])).userOperation
    expect(subject).toMatchObject({ calls: [{ to: friend, value: '5', data: '0x' }], nonce: old.nonce, deploys: true })
    expect(subject.operation).toMatchObject({ callData: old.callData, callGasLimit: old.callGasLimit })
    for (const fee of ['maxFeePerGas', 'maxPriorityFeePerGas'])
      expect(BigInt(String(subject.operation[fee])) * 8n).toBeGreaterThan(BigInt(old[fee] ?? 0) * 9n)
    expect(BigInt(String(subject.operation.validUntil)), 'its hour is not renewed').toBe(
      BigInt(slice(hexOf(old.signature), 6, 12)),
    )
    const second = await execute(subject)
    expect(await waiting()).toMatchObject([{ hash, newest: second, replacedBy: 'speedUp' }])
    expect([await isHeld(hash), await isHeld(second)]).toEqual([false, true])
    wallet.reload()
    await setBundler('on')
    const included = await outcome
    expect(await rpc('eth_getUserOperationReceipt', [second])).toMatchObject({ receipt: { transactionHash: included } })
    expect([await isIncluded(hash), await received(), await waiting()]).toEqual([false, 5n, []])
    await wallet.pay()
    expect(await received(), 'is meant again').toBe(10n)
  })

  it('2. is cancelled: the recipient gets nothing, and the caller hears so', async () => {
    const { payWaiting, replace, waiting, received, pay } = await payer('never mind')
    await setBundler('hold')
    const { hash, outcome } = await payWaiting()
    const second = await replace(hash, 'cancel')
    expect(await waiting()).toMatchObject([{ hash, newest: second, replacedBy: 'cancel', value: '5' }])
    await setBundler('on')
    expect(await outcome).toMatchObject({
      code: 'TRANSACTION_REPLACED',
      data: { sentHash: hash, reason: 'cancelled', transactionHash: expect.stringMatching(/^0x/) },
    })
    expect([await isIncluded(second), await received(), await waiting()]).toEqual([true, 0n, []])
    await pay()
    expect(await received()).toBe(5n)
  })

  it('is sped up after it was sped up, and cancelled after that', async () => {
    const { payWaiting, replace, waiting, received } = await payer('again')
    await setBundler('hold')
    const { hash, outcome } = await payWaiting()
    await replace(hash, 'speedUp')
    await replace(hash, 'speedUp')
    await replace(hash, 'cancel')
    await expect(replace(hash, 'speedUp'), 'brings nothing back').rejects.toMatchObject({ code: 'INVALID_PARAMS' })
    const last = await replace(hash, 'cancel')
    expect(await waiting()).toMatchObject([{ hash, newest: last }])
    await setBundler('on')
    expect(await outcome).toMatchObject(replaced)
    expect([await isIncluded(last), await received()]).toEqual([true, 0n])
  })

  it('leaves its nonce to nothing else, also after a reload', async () => {
    const { payBatch, replace, reload, received, ask, waiting } = await payer('order')
    await setBundler('hold')
    const id = await payBatch()
    await replace(id.slice(0, 66), 'speedUp')
    reload()
    const next = await payBatch()
    expect(await waiting()).toHaveLength(2)
    await setBundler('on')
    await expect.poll(() => ask('wallet_getCallsStatus', id)).toMatchObject({ status: 200 })
    // Both deploy the account; the second one comes too late, and can be sped up without.
    const late = await waiting()
    expect(late).toMatchObject([{ hash: next.slice(0, 66) }])
    await replace(next.slice(0, 66), 'speedUp')
    await expect.poll(() => ask('wallet_getCallsStatus', next)).toMatchObject({ status: 200 })
    expect(await received()).toBe(10n)
  })

  it('is put back if the bundler has lost it', async () => {
    const { payBatch, replace, received, waiting, ...wallet } = await payer('lost')
    await expect(wallet.while('is lost', () => payBatch())).rejects.toMatchObject({ code: 'ABORTED' })
    const [found] = await waiting()
    await replace(found?.hash ?? '', 'speedUp')
    await expect.poll(received).toBe(5n)
    // Its caller has no id, and asks again.
    await expect(payBatch()).rejects.toMatchObject(replaced)
    expect(await received()).toBe(5n)
  })

  it('is included although it was cancelled, if it is in a bundle by then', async () => {
    const { payBatch, replace, received, ask, waiting } = await payer('bundled')
    await tests.setAutomine(false)
    const id = await payBatch()
    await expect.poll(async () => (await client.getBlock({ blockTag: 'pending' })).transactions.length).toBe(1)
    await replace(id.slice(0, 66), 'cancel')
    expect(await ask('wallet_getCallsStatus', id)).toMatchObject({ status: 100 })
    await tests.mine({ blocks: 1 })
    expect(await ask('wallet_getCallsStatus', id)).toMatchObject({ status: 200 })
    expect([await received(), await waiting()]).toEqual([5n, []])
  })
})

describe('who pays for a replacement', () => {
  it('is the paymaster again, if it pays', async () => {
    const { payWaiting, replace, prepare, received, from } = await payer('sponsored', { ether: '0', paymaster: true })
    await tests.setBalance({ address: from, value: 5n })
    await setBundler('hold')
    const { hash, outcome } = await payWaiting()
    const subject = operationOf(await prepare(hash, 'speedUp'))
    expect(subject).toMatchObject({ sponsored: true, replaces: { paymaster: subject.operation.paymaster } })
    await replace(hash, 'speedUp')
    await setBundler('on')
    expect(await outcome).toMatch(/^0x/)
    expect([await received(), await client.getBalance({ address: from })]).toEqual([5n, 0n])
  })

  it('4. is the account if the paymaster declines; what is missing is said', async () => {
    const { payWaiting, prepare, execute, from } = await payer('declined', { ether: '0', paymaster: true })
    await tests.setBalance({ address: from, value: 5n })
    await setBundler('hold')
    const { hash, outcome } = await payWaiting()
    await setPaymaster(false)
    for (const kind of ['speedUp', 'cancel'] as const)
      await expect(prepare(hash, kind)).rejects.toMatchObject({
        code: 'FEE_NOT_COVERED',
        message: expect.stringMatching(/: missing 0\.0\d+ ETH$/),
      })
    await tests.setBalance({ address: from, value: parseEther('1') })
    const subject = operationOf(await prepare(hash, 'cancel'))
    expect(subject).toMatchObject({ sponsored: false, replaces: { paymaster: expect.stringMatching(/^0x/) } })
    expect(subject.operation).not.toHaveProperty('paymaster')
    await execute(subject)
    await setBundler('on')
    expect(await outcome).toMatchObject(replaced)
  })
})

it('4. the account pays too if the paymaster declines only once it sees the gas', async () => {
  const { payWaiting, prepare, execute, decline, received } = await payer('declined late', { paymaster: true })
  await setBundler('hold')
  const { hash, outcome } = await payWaiting()
  decline()
  for (const kind of ['speedUp', 'cancel'] as const) {
    const subject = operationOf(await prepare(hash, kind))
    expect(subject).toMatchObject({ sponsored: false, replaces: { paymaster: expect.stringMatching(/^0x/) } })
    expect(subject.operation).not.toHaveProperty('paymaster')
    expect(subject.operation).not.toHaveProperty('paymasterPostOpGasLimit')
  }
  await execute(await prepare(hash, 'cancel'))
  await setBundler('on')
  expect([await outcome, await received()]).toMatchObject([replaced, 0n])
})

describe('what a dapp got', () => {
  it.each([undefined, 'order-7'])('wallet_getCallsStatus has the receipt of the speed-up; id %s', async (id) => {
    const { payBatch, waiting, replace, ask, reload, received } = await payer(`batch ${id}`)
    await setBundler('hold')
    const given = await payBatch(id)
    const [found] = await waiting()
    expect(found).toMatchObject({ value: '5', isPlain: false })
    const second = await replace(found?.hash ?? '', 'speedUp')
    expect(await ask('wallet_getCallsStatus', given)).toMatchObject({ status: 100 })
    reload()
    await setBundler('on')
    await expect.poll(() => ask('wallet_getCallsStatus', given)).toMatchObject({ id: given, status: 200 })
    const { receipts } = Receipts.parse(await ask('wallet_getCallsStatus', given))
    expect(await rpc('eth_getUserOperationReceipt', [second])).toMatchObject({ receipt: receipts[0] })
    expect(await received()).toBe(5n)
  })

  it('wallet_getCallsStatus is 400 for good once it was cancelled', async () => {
    const { payBatch, replace, ask, received } = await payer('cancelled batch')
    await setBundler('hold')
    const id = await payBatch()
    await replace(id.slice(0, 66), 'cancel')
    expect(await ask('wallet_getCallsStatus', id)).toMatchObject({ status: 100 })
    await setBundler('on')
    await expect.poll(() => ask('wallet_getCallsStatus', id)).toMatchObject({ status: 400, atomic: true })
    expect(await received()).toBe(0n)
  })

  it('eth_getUserOperationReceipt of its hash is that of the speed-up', async () => {
    const { payOperation, replace, ask } = await payer('operation')
    await setBundler('hold')
    const hash = await payOperation()
    const second = await replace(hash, 'speedUp')
    expect(await ask('eth_getUserOperationByHash', hash)).toMatchObject({ userOperation: { nonce: '0x0' } })
    expect(await ask('eth_getUserOperationReceipt', hash)).toBeNull()
    await setBundler('on')
    await expect.poll(() => ask('eth_getUserOperationReceipt', hash)).toMatchObject({ success: true })
    expect(UserOpHash.parse(await ask('eth_getUserOperationReceipt', hash)).userOpHash).toBe(second)
  })

  it('eth_getUserOperationReceipt rejects once it was cancelled', async () => {
    const { payOperation, replace, ask } = await payer('cancelled operation')
    await setBundler('hold')
    const hash = await payOperation()
    const second = await replace(hash, 'cancel')
    expect(await ask('eth_getUserOperationReceipt', hash)).toBeNull()
    await setBundler('on')
    await expect.poll(() => isIncluded(second)).toBe(true)
    await expect(ask('eth_getUserOperationReceipt', hash)).rejects.toMatchObject({
      code: 'TRANSACTION_REPLACED',
      data: { sentHash: hash, reason: 'cancelled' },
    })
  })
})

describe('a payment whose caller has no hash', () => {
  async function doubtful(seed: string) {
    const wallet = await payer(seed)
    await setBundler('hold')
    await expect(wallet.while('is cut off', wallet.pay)).rejects.toMatchObject({ code: 'ABORTED' })
    wallet.reload()
    const [found] = await wallet.waiting()
    return { ...wallet, hash: found?.hash ?? '' }
  }

  it('is pending after it was sped up, and then reported to the caller that asks again', async () => {
    const { pay, replace, received, hash } = await doubtful('doubtful')
    await expect(pay()).rejects.toMatchObject(pending)
    await replace(hash, 'speedUp')
    await expect(pay()).rejects.toMatchObject(pending)
    await setBundler('on')
    await expect.poll(received).toBe(5n)
    await expect(pay()).rejects.toMatchObject({ ...replaced, data: { sentHash: hash } })
    await pay()
    expect(await received(), 'is meant again').toBe(10n)
  })

  it('is pending after it was cancelled, and can be made once the cancellation won', async () => {
    const { pay, replace, received, hash } = await doubtful('cancelled doubt')
    const second = await replace(hash, 'cancel')
    await expect(pay()).rejects.toMatchObject(pending)
    await setBundler('on')
    await expect.poll(() => isIncluded(second)).toBe(true)
    await pay()
    expect(await received()).toBe(5n)
  })
})
