import {
  AccountRole,
  appendTransactionMessageInstructions,
  assertIsTransactionWithBlockhashLifetime,
  createKeyPairSignerFromPrivateKeyBytes,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  lamports,
  pipe,
  sendAndConfirmTransactionFactory,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { freePorts } from '../http/free-ports'
import { solanaAccount } from './accounts'
import { signedTransfer } from './faucet'
import { toAddress } from './ledger'
import { genesisHash } from './rpc'
import { type SolanaChain, startSolana } from './start-solana'

const { port, other: otherPort } = await freePorts('port', 'other')
const ada = solanaAccount(0)
let chain: SolanaChain
beforeAll(async () => {
  chain = await startSolana({ port })
})
afterAll(() => chain.stop())

const rpc = createSolanaRpc(`http://127.0.0.1:${port}`)
const post = async (body: string): Promise<unknown> =>
  (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body })).json()
const call = (method: string, params?: unknown) => post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
const system = toAddress('11111111111111111111111111111111')

function transferData(amount: bigint): Uint8Array {
  const view = new DataView(new ArrayBuffer(12))
  view.setUint32(0, 2, true)
  view.setBigUint64(4, amount, true)
  return new Uint8Array(view.buffer)
}

async function transfer(version: 0 | 'legacy', amount = 5_000_000n) {
  const signer = await createKeyPairSignerFromPrivateKeyBytes(ada.secretKey)
  const receiver = await generateKeyPairSigner()
  const { value: lifetime } = await rpc.getLatestBlockhash().send()
  const accounts = [
    { address: signer.address, role: AccountRole.WRITABLE_SIGNER },
    { address: receiver.address, role: AccountRole.WRITABLE },
  ]
  const message = pipe(
    createTransactionMessage({ version }),
    (empty) => setTransactionMessageFeePayerSigner(signer, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
    (timed) =>
      appendTransactionMessageInstructions([{ programAddress: system, accounts, data: transferData(amount) }], timed),
  )
  return { receiver, transaction: await signTransactionMessageWithSigners(message) }
}

describe('startSolana', () => {
  test('1. the mnemonic’s accounts are funded, and the genesis hash matches the network id', async () => {
    expect(ada.address).toBe('oeYf6KAJkLYhBuR8CiGc6L4D4Xtfepr85fuDgA9kq96')
    for (let index = 1; index < 10; index++)
      expect((await rpc.getBalance(toAddress(solanaAccount(index).address)).send()).value).toBe(1_000n * 10n ** 9n)
    expect(await rpc.getGenesisHash().send()).toBe(genesisHash)
    expect(genesisHash.slice(0, 32)).toBe('PosternDevnet1111111111111111111')
    expect(toAddress(genesisHash)).toBe(genesisHash)
  })

  test.each([0, 'legacy'] as const)('2. kit sends and confirms a transfer of version %s', async (version) => {
    const rpcSubscriptions = createSolanaRpcSubscriptions(`ws://127.0.0.1:${port + 1}`)
    const { receiver, transaction } = await transfer(version)
    assertIsTransactionWithBlockhashLifetime(transaction)
    await sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions })(transaction, { commitment: 'confirmed' })
    expect((await rpc.getBalance(receiver.address).send()).value).toBe(5_000_000n)

    const signature = getSignatureFromTransaction(transaction)
    const status = (await rpc.getSignatureStatuses([signature]).send()).value[0]
    expect(status).toMatchObject({ err: null, confirmationStatus: 'confirmed' })
    const balances = await rpc
      .getTransaction(signature, { commitment: 'confirmed', maxSupportedTransactionVersion: 0, encoding: 'json' })
      .send()
    expect(balances).toMatchObject({
      version,
      meta: { err: null, fee: 5_000n },
      transaction: { signatures: [signature] },
    })
    expect(balances?.transaction.message.accountKeys).toContain(receiver.address)
    const history = await rpc.getSignaturesForAddress(receiver.address, { commitment: 'confirmed' }).send()
    expect(history.map((entry) => entry.signature)).toEqual([signature])
    if (version === 0)
      expect(await call('getTransaction', [signature, { commitment: 'confirmed' }])).toMatchObject({
        error: { code: -32015 },
      })
  })

  test('2. a height is that of its commitment, by default finalized', async () => {
    const height = (commitment?: string) =>
      call('getBlockHeight', commitment === undefined ? [] : [{ commitment }]).then(
        (answer) => z.object({ result: z.number() }).parse(answer).result,
      )
    chain.advance(40)
    const finalized = await height()
    const [processed, confirmed] = [await height('processed'), await height('confirmed')]
    expect(finalized).toBeLessThanOrEqual(processed - 32)
    expect(confirmed).toBeGreaterThan(finalized)
  })

  test('2. subscribers hear of account changes', async () => {
    const abort = new AbortController()
    const { receiver, transaction } = await transfer(0)
    const notifications = await createSolanaRpcSubscriptions(`ws://127.0.0.1:${port + 1}`)
      .accountNotifications(receiver.address, { commitment: 'confirmed' })
      .subscribe({ abortSignal: abort.signal })
    const next = notifications[Symbol.asyncIterator]().next()
    await rpc.sendTransaction(getBase64EncodedWireTransaction(transaction), { encoding: 'base64' }).send()
    expect(await next).toMatchObject({ value: { value: { lamports: 5_000_000n } } })
    abort.abort()
  })

  test('a transfer above the balance fails in preflight with logs; without preflight it lands as failed', async () => {
    const poor = solanaAccount(50)
    const encoded = (signer = poor) => {
      const wire = signedTransfer(signer, toAddress(solanaAccount(51).address), 10n ** 15n, {
        blockhash: latest,
        lastValidBlockHeight: 0n,
      })
      return Buffer.from(wire).toString('base64')
    }
    const { blockhash: latest } = (await rpc.getLatestBlockhash().send()).value
    expect(await call('sendTransaction', [encoded(), { encoding: 'base64' }])).toMatchObject({
      error: { code: -32002, data: { err: 'AccountNotFound' } },
    })
    const [failing] = [encoded(ada)]
    expect(await call('sendTransaction', [failing, { encoding: 'base64' }])).toMatchObject({
      error: {
        code: -32002,
        message: 'Transaction simulation failed: Error processing Instruction 0: custom program error: 0x1',
        data: { err: { InstructionError: [0, { Custom: 1 }] }, logs: expect.arrayContaining([expect.any(String)]) },
      },
    })
    expect(await call('simulateTransaction', [failing, { encoding: 'base64' }])).toMatchObject({
      result: { value: { err: { InstructionError: [0, { Custom: 1 }] } } },
    })
    const landed = await call('sendTransaction', [failing, { encoding: 'base64', skipPreflight: true }])
    expect(landed).toMatchObject({ result: expect.any(String) })
  })

  test('a forged signature is -32003, and an old blockhash is not found', async () => {
    const { transaction } = await transfer(0)
    const wire = Buffer.from(getBase64EncodedWireTransaction(transaction), 'base64')
    wire[10] = (wire[10] ?? 0) ^ 1
    expect(await call('sendTransaction', [wire.toString('base64'), { encoding: 'base64' }])).toMatchObject({
      error: { code: -32003 },
    })
    const late = getBase64EncodedWireTransaction(transaction)
    chain.advance(151)
    expect(await call('sendTransaction', [late, { encoding: 'base64' }])).toMatchObject({
      error: { code: -32002, message: 'Transaction simulation failed: Blockhash not found' },
    })
    expect(
      await call('simulateTransaction', [late, { encoding: 'base64', replaceRecentBlockhash: true }]),
    ).toMatchObject({
      result: { value: { err: null, replacementBlockhash: { blockhash: expect.any(String) } } },
    })
  })

  test('a simulation returns the resulting accounts and does not change them', async () => {
    const { address } = await generateKeyPairSigner()
    const { value: lifetime } = await rpc.getLatestBlockhash().send()
    const wire = Buffer.from(signedTransfer(ada, address, 5_000_000n, lifetime)).toString('base64')
    const idle = (await generateKeyPairSigner()).address
    const accounts = { addresses: [address, system, idle], encoding: 'base64' }
    expect(await call('simulateTransaction', [wire, { encoding: 'base64', accounts }])).toMatchObject({
      result: { value: { err: null, accounts: [{ lamports: 5_000_000, owner: system }, { executable: true }, null] } },
    })
    expect((await rpc.getBalance(address).send()).value).toBe(0n)
  })

  test('the faucet pays by airdrop and by control request, twice if asked twice', async () => {
    const { address } = await generateKeyPairSigner()
    await rpc.requestAirdrop(address, lamports(1_000_000_000n)).send()
    await rpc.requestAirdrop(address, lamports(1_000_000_000n)).send()
    await fetch(`${chain.url}/devnet/fund?address=${address}&amount=500`, { method: 'POST' })
    expect((await rpc.getBalance(address).send()).value).toBe(2_000_000_500n)
    expect((await fetch(`${chain.url}/devnet/fund?address=invalid&amount=500`, { method: 'POST' })).status).toBe(400)
    expect((await fetch(`${chain.url}/devnet/nothing`, { method: 'POST' })).status).toBe(404)
  })

  test('reads accounts, rent, fees and versions', async () => {
    expect((await rpc.getAccountInfo(system, { encoding: 'base64' }).send()).value).toMatchObject({ executable: true })
    const { address } = await generateKeyPairSigner()
    expect((await rpc.getAccountInfo(address, { encoding: 'base64' }).send()).value).toBe(null)
    expect((await rpc.getMultipleAccounts([address, toAddress(ada.address)]).send()).value).toMatchObject([
      null,
      { owner: system },
    ])
    expect(await rpc.getMinimumBalanceForRentExemption(0n).send()).toBe(890_880n)
    expect((await rpc.getEpochInfo().send()).epoch).toBe(0n)
    const tokens = toAddress('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
    const owned = await rpc
      .getTokenAccountsByOwner(toAddress(solanaAccount(9).address), { programId: tokens }, { encoding: 'jsonParsed' })
      .send()
    expect(owned.value).toEqual([])
    expect(await call('getHealth')).toEqual({ jsonrpc: '2.0', id: 1, result: 'ok' })
  })

  test('a malformed request gets an error, and a batch gets one response per request', async () => {
    expect(await post('{')).toMatchObject({ error: { code: -32700 }, id: null })
    expect(await post('{}')).toMatchObject({ error: { code: -32600 } })
    expect(await call('getNothing')).toMatchObject({ error: { code: -32601 } })
    expect(await call('getBalance', ['invalid'])).toMatchObject({ error: { code: -32602 } })
    const batch = ['getSlot', 'constructor', 'getVersion'].map((method, id) => ({ jsonrpc: '2.0', id, method }))
    expect(await post(JSON.stringify(batch))).toMatchObject([{ id: 0 }, { error: { code: -32601 } }, { id: 2 }])
    expect(await post('[]')).toMatchObject({ error: { code: -32600 } })
  })

  test('any random bytes sent as a transaction get an error', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        const answer = await call('sendTransaction', [Buffer.from(bytes).toString('base64'), { encoding: 'base64' }])
        expect(answer).toMatchObject({ error: { code: expect.any(Number) } })
      }),
      { numRuns: 100 },
    )
  })

  test('3. a taken port or an abort rejects, and stop frees the ports', async () => {
    await expect(startSolana({ port })).rejects.toThrow(new RegExp(`${port}|${port + 1}`))
    await expect(startSolana({ port: otherPort, signal: AbortSignal.abort(new Error('no')) })).rejects.toThrow('no')
    const other = await startSolana({ port: otherPort })
    await other.stop()
    const again = await startSolana({ port: otherPort })
    await again.stop()
  })
})
