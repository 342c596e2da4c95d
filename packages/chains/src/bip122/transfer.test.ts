import { Failure } from '@postern/protocol/failure'
import { Psbt, Transaction } from 'bitcoinjs-lib'
import { describe, expect, it } from 'vitest'
import type { EsploraClient } from '../chain-client'
import type { SpendableKind } from './coins'
import { regtest, type TestCoin, testEsplora, testKey, toHex } from './testing/test-chain'
import { type SignPsbt, sendSigned, sendTransfer, type Transfer } from './transfer'

const signal = new AbortController().signal
const recipient = testKey('p2wpkh', 9)
const kinds: readonly SpendableKind[] = ['p2pkh', 'p2sh-p2wpkh', 'p2wpkh', 'p2tr']

function setUp(
  kind: SpendableKind,
  coins: readonly TestCoin[],
  fees: Record<string, number> = { '1': 20, '2': 12.345, '144': 1 },
) {
  const key = testKey(kind)
  const chain = testEsplora(key, coins, fees)
  const transfer: Transfer = {
    networkId: regtest,
    sender: key.account,
    recipientAddress: recipient.address,
    amount: 50_000n,
  }
  const send = (
    change: Partial<Transfer> = {},
    signPsbt: SignPsbt = async ({ psbt }) => ({ psbt: key.sign(psbt) }),
    esplora: EsploraClient = chain.esplora,
  ) => sendTransfer({ ...transfer, ...change }, { esplora, signPsbt }, signal)
  return { key, chain, send }
}

function sentBy(chain: { sent: readonly string[] }): Transaction {
  const [hex] = chain.sent
  if (hex === undefined || chain.sent.length !== 1) throw new Error('not sent once')
  return Transaction.fromHex(hex)
}

/** Pays the first output to another address. */
function redirected(psbt: string, script: Uint8Array): string {
  const requests = Psbt.fromBase64(psbt)
  const other = new Psbt()
  for (const [index, { hash, index: vout, sequence }] of requests.txInputs.entries())
    other.addInput({ hash, index: vout, ...(sequence !== undefined && { sequence }), ...requests.data.inputs[index] })
  for (const [index, { script: own, value }] of requests.txOutputs.entries())
    other.addOutput({ script: index === 0 ? script : own, value })
  return other.toBase64()
}

/** As a wallet does for its own input. */
function withInternalKey(base64: string, publicKey: string): string {
  const psbt = Psbt.fromBase64(base64)
  const tapInternalKey = Uint8Array.from(Buffer.from(publicKey.slice(2), 'hex'))
  if (!psbt.data.inputs[0]?.tapInternalKey) psbt.updateInput(0, { tapInternalKey })
  return psbt.toBase64()
}

describe('sendTransfer', () => {
  it.each(
    kinds.flatMap((kind) => [
      { kind, finalise: false },
      { kind, finalise: true },
    ]),
  )('spends $kind and pays the recipient; wallet finalises: $finalise', async ({ kind, finalise }) => {
    const { key, chain, send } = setUp(kind, [{ value: 30_000n }, { value: 40_000n }, { value: 100n }])
    const { txid } = await send({}, async ({ psbt }) => ({ psbt: key.sign(psbt, { finalise }) }))
    const sent = sentBy(chain)
    expect(txid).toBe(sent.getId())
    expect(sent.ins.map(({ sequence }) => sequence)).toEqual([0xfffffffd, 0xfffffffd])
    expect(sent.outs[0]).toEqual({ script: recipient.script, value: 50_000n })
    expect(sent.outs[1]?.script).toEqual(key.script)
    const fee = 70_000n - sent.outs.reduce((sum, { value }) => sum + value, 0n)
    // 12.345 satoshis per vbyte for two blocks; each input reserves up to three spare signature bytes.
    const needed = Math.ceil(sent.virtualSize() * 12.345)
    expect(Number(fee)).toBeGreaterThanOrEqual(needed)
    expect(Number(fee)).toBeLessThanOrEqual(needed + 6 * 12.345)
  })

  it('1. rejects an ordinals account as sender', async () => {
    const { key, chain, send } = setUp('p2tr', [{ value: 100_000n }])
    await expect(send({ sender: { ...key.account, type: 'ordinals' } })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    expect(chain.requests).toEqual([])
  })

  it.each([
    ['another network', { recipientAddress: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' }, 'INVALID_ADDRESS'],
    ['no address', { recipientAddress: 'satoshi' }, 'INVALID_ADDRESS'],
    ['change on another network', { changeAddress: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' }, 'INVALID_ADDRESS'],
    ['an unknown network', { networkId: 'bip122:ffffffffffffffffffffffffffffffff' }, 'INVALID_ADDRESS'],
    ['dust', { amount: 293n }, 'INVALID_PARAMS'],
    ['more than there is', { amount: 2_100_000_000_000_001n }, 'INVALID_PARAMS'],
  ] as const)('2. rejects %s before any request', async (_name, change, code) => {
    const { chain, send } = setUp('p2wpkh', [{ value: 100_000n }])
    await expect(send(change)).rejects.toMatchObject({ code })
    expect(chain.requests).toEqual([])
  })

  it('2. rejects a script account whose script only the wallet has', async () => {
    const { key, send } = setUp('p2sh-p2wpkh', [{ value: 100_000n }])
    const { publicKey: _, ...sender } = key.account
    await expect(send({ sender })).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
    const other = testKey('p2wpkh', 3).account.publicKey ?? ''
    await expect(send({ sender: { ...key.account, publicKey: other } })).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
    })
  })

  it('3. spends unconfirmed coins only if necessary, and only its own change', async () => {
    const coins = [
      { value: 60_000n },
      { value: 900_000n, isConfirmed: false },
      { value: 990_000n, isConfirmed: false, fromOthers: true },
    ]
    const enough = setUp('p2wpkh', coins)
    await enough.send()
    expect(sentBy(enough.chain).ins).toHaveLength(1)
    expect(enough.chain.requests.filter((path) => path.startsWith('/tx/'))).toEqual([])

    const more = setUp('p2wpkh', coins)
    await more.send({ amount: 500_000n })
    expect(sentBy(more.chain).ins).toHaveLength(2)
    await expect(setUp('p2wpkh', coins).send({ amount: 980_000n })).rejects.toMatchObject({
      code: 'INSUFFICIENT_FUNDS',
    })
  })

  it('4. fails if the coins do not cover amount and fee', async () => {
    const { chain, send } = setUp('p2wpkh', [{ value: 50_000n }])
    await expect(send()).rejects.toMatchObject({ code: 'INSUFFICIENT_FUNDS', rpc: -32000 })
    await expect(setUp('p2wpkh', []).send()).rejects.toMatchObject({ code: 'INSUFFICIENT_FUNDS' })
    expect(chain.sent).toEqual([])
  })

  it('adds dust change to the fee', async () => {
    const { chain, send } = setUp('p2wpkh', [{ value: 50_400n }], {})
    await send()
    expect(sentBy(chain).outs).toHaveLength(1)
  })

  it('pays one satoshi per vbyte without an estimate, and the given rate if there is one', async () => {
    const quiet = setUp('p2wpkh', [{ value: 100_000n }], {})
    await quiet.send()
    expect(sentBy(quiet.chain).outs[1]?.value).toBe(100_000n - 50_000n - 141n)
    const given = setUp('p2wpkh', [{ value: 100_000n }], {})
    await given.send({ feeRate: 2.5 })
    expect(sentBy(given.chain).outs[1]?.value).toBe(100_000n - 50_000n - 353n)
    expect(given.chain.requests).not.toContain('/fee-estimates')
  })

  it.each<[unknown, string]>([
    [{ '2': 2_001 }, 'INTERNAL'],
    [{ '2': -1 }, 'NETWORK_UNREACHABLE'],
    [{ '2': '12' }, 'NETWORK_UNREACHABLE'],
    [[1], 'NETWORK_UNREACHABLE'],
    [null, 'NETWORK_UNREACHABLE'],
  ])('rejects %j as fee estimates: %s', async (fees, code) => {
    const { chain, send } = setUp('p2wpkh', [{ value: 100_000_000n }])
    const esplora: EsploraClient = {
      ...chain.esplora,
      get: async (path) => (path === '/fee-estimates' ? fees : chain.esplora.get(path)),
    }
    await expect(send({}, undefined, esplora)).rejects.toMatchObject({ code })
    expect(chain.sent).toEqual([])
  })

  it('5. sends nothing if the signed transaction has another output', async () => {
    const { key, chain, send } = setUp('p2wpkh', [{ value: 100_000n }])
    const thief = testKey('p2wpkh', 66)
    const attack: SignPsbt = async ({ psbt }) => ({ psbt: key.sign(redirected(psbt, thief.script)) })
    await expect(send({}, attack)).rejects.toMatchObject({ code: 'TRANSACTION_MISMATCH' })
    expect(chain.sent).toEqual([])
  })

  it('5. sends nothing with an invalid, partial or missing signature', async () => {
    const { key, chain, send } = setUp('p2wpkh', [{ value: 100_000n }])
    const other = testKey('p2wpkh', 5)
    const foreign: SignPsbt = async ({ psbt }) => {
      const signed = Psbt.fromBase64(key.sign(psbt))
      const [signature] = signed.data.inputs[0]?.partialSig ?? []
      if (signature)
        signature.signature =
          Psbt.fromBase64(key.sign(redirected(psbt, other.script))).data.inputs[0]?.partialSig?.[0]?.signature ??
          signature.signature
      return { psbt: signed.toBase64() }
    }
    await expect(send({}, foreign)).rejects.toMatchObject({ code: 'TRANSACTION_MISMATCH' })
    await expect(
      send({}, async ({ psbt }) => ({ psbt: key.sign(psbt, { sighash: Transaction.SIGHASH_NONE }) })),
    ).rejects.toMatchObject({ code: 'TRANSACTION_MISMATCH' })
    await expect(send({}, async ({ psbt }) => ({ psbt }))).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    await expect(send({}, async () => ({ psbt: 'AAAA' }))).rejects.toMatchObject({ code: 'TRANSACTION_MISMATCH' })
    expect(chain.sent).toEqual([])
  })

  it('5. sends nothing if a taproot signature is for another transaction or only a part of it', async () => {
    const { key, chain, send } = setUp('p2tr', [{ value: 100_000n }])
    const thief = testKey('p2wpkh', 66)
    const moved: SignPsbt = async ({ psbt }) => {
      const tapKeySig = Psbt.fromBase64(key.sign(redirected(psbt, thief.script))).data.inputs[0]?.tapKeySig
      return {
        psbt: Psbt.fromBase64(psbt)
          .updateInput(0, { ...(tapKeySig && { tapKeySig }) })
          .toBase64(),
      }
    }
    await expect(send({}, moved)).rejects.toMatchObject({ code: 'TRANSACTION_MISMATCH' })
    const inPart: SignPsbt = async ({ psbt }) => ({ psbt: key.sign(psbt, { sighash: Transaction.SIGHASH_NONE }) })
    await expect(send({}, inPart)).rejects.toMatchObject({ code: 'TRANSACTION_MISMATCH' })
    expect(chain.sent).toEqual([])
    await send({}, async ({ psbt }) => ({ psbt: key.sign(psbt, { sighash: Transaction.SIGHASH_ALL }) }))
    expect(chain.sent).toHaveLength(1)
  })

  it('5. sends nothing if the wallet changes the nested segwit script', async () => {
    const { key, chain, send } = setUp('p2sh-p2wpkh', [{ value: 100_000n }])
    const attack: SignPsbt = async ({ psbt }) => {
      const signed = Psbt.fromBase64(key.sign(psbt, { finalise: true }))
      const [input] = signed.data.inputs
      if (input?.finalScriptSig) input.finalScriptSig = Uint8Array.of(...input.finalScriptSig, 0x51)
      return { psbt: signed.toBase64() }
    }
    await expect(send({}, attack)).rejects.toMatchObject({ code: 'TRANSACTION_MISMATCH' })
    expect(chain.sent).toEqual([])
  })

  it('includes a taproot internal key only if it belongs to the address', async () => {
    const { key, chain, send } = setUp('p2tr', [{ value: 100_000n }])
    const keys: (Uint8Array | undefined)[] = []
    const sign: SignPsbt = async ({ psbt }) => {
      keys.push(Psbt.fromBase64(psbt).data.inputs[0]?.tapInternalKey)
      return { psbt: key.sign(withInternalKey(psbt, key.account.publicKey ?? '')) }
    }
    const tweaked = toHex(key.script.slice(2))
    for (const publicKey of [key.account.publicKey ?? '', tweaked, 'ff'.repeat(32)])
      await send({ sender: { ...key.account, publicKey } }, sign)
    expect(keys.map((one) => one && toHex(one))).toEqual([key.account.publicKey?.slice(2), undefined, undefined])
    expect(chain.sent).toHaveLength(3)
  })

  it('checks the endpoint’s coin values against their transactions', async () => {
    const { chain, send } = setUp('p2pkh', [{ value: 100_000n }])
    const esplora: EsploraClient = {
      ...chain.esplora,
      async get(path) {
        const answer = await chain.esplora.get(path)
        return path.endsWith('/utxo')
          ? chain.coins.map(({ txid }) => ({ txid, vout: 0, value: 60_000, status: { confirmed: true } }))
          : answer
      },
    }
    await expect(send({}, undefined, esplora)).rejects.toMatchObject({ code: 'INTERNAL' })
    expect(chain.sent).toEqual([])
  })

  it('6. counts as sent if the chain knows the transaction, even after a failed broadcast', async () => {
    const { chain, send } = setUp('p2wpkh', [{ value: 100_000n }])
    const failure = new Failure('INTERNAL', { message: 'HTTP status code: 502' })
    const { get } = chain.esplora
    let taken = ''
    const silent = (isTaken: boolean): EsploraClient => ({
      async get(path) {
        if (!taken || path !== `/tx/${taken}`) return get(path)
        return { txid: taken, weight: 400, fee: 200, vin: [], vout: [], status: { confirmed: false } }
      },
      async post(_path, body) {
        if (isTaken) taken = Transaction.fromHex(body).getId()
        throw failure
      },
    })
    await expect(send({}, undefined, silent(false))).rejects.toMatchObject({
      code: 'TRANSACTION_UNCONFIRMED',
      data: { sentHash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    })
    const { txid } = await send({}, undefined, silent(true))
    expect(txid).toBe(taken)
  })

  it('6. fails with the chain’s own error if it rejects the transaction', async () => {
    const { chain, send } = setUp('p2wpkh', [{ value: 100_000n }])
    const refusal = new Failure('INTERNAL', { message: 'min relay fee not met', data: { status: 400 } })
    const refusing: EsploraClient = { ...chain.esplora, post: () => Promise.reject(refusal) }
    await expect(send({}, undefined, refusing)).rejects.toBe(refusal)
  })

  it('rejects with the wallet’s refusal', async () => {
    const { chain, send } = setUp('p2wpkh', [{ value: 100_000n }])
    await expect(send({}, () => Promise.reject(new Failure('USER_REJECTED')))).rejects.toMatchObject({
      code: 'USER_REJECTED',
    })
    expect(chain.sent).toEqual([])
  })
})

describe('sendSigned', () => {
  it('sends a dapp’s transaction only if it is fully signed and unchanged', async () => {
    const { key, chain, send } = setUp('p2tr', [{ value: 100_000n }])
    let requests = ''
    await send({}, ({ psbt }) => {
      requests = psbt
      return Promise.reject(new Failure('USER_REJECTED'))
    }).catch(() => {})
    const attack = sendSigned(requests, key.sign(redirected(requests, key.script)), chain.esplora, signal)
    await expect(attack).rejects.toMatchObject({ code: 'TRANSACTION_MISMATCH' })
    expect(chain.sent).toEqual([])
    const { txid } = await sendSigned(requests, key.sign(requests), chain.esplora, signal)
    expect(txid).toBe(sentBy(chain).getId())
    await expect(sendSigned('AAAA', requests, chain.esplora, signal)).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
  })
})
