import { Failure } from '@postern/protocol/failure'
import { Psbt } from 'bitcoinjs-lib'
import { describe, expect, it } from 'vitest'
import type { EsploraClient } from '../chain-client'
import { bitcoinOutcome } from './outcome'
import { testKey, toHex } from './testing/test-chain'

const signal = new AbortController().signal
const [ada, bob, eve] = [testKey('p2wpkh', 1), testKey('p2wpkh', 2), testKey('p2wpkh', 3)]
const coin = 'c0'.repeat(32)
const txid = 'a1'.repeat(32)
const otherId = 'b2'.repeat(32)

const psbt = new Psbt()
  .addInput({ hash: coin, index: 1, witnessUtxo: { script: ada.script, value: 100_000n } })
  .addOutput({ script: bob.script, value: 30_000n })
  .addOutput({ script: ada.script, value: 69_000n })
  .toBase64()

type Output = readonly [script: Uint8Array, value: number]
const wanted: readonly Output[] = [
  [bob.script, 30_000],
  [ada.script, 69_000],
]

function transaction(id: string, confirmed: boolean, outputs: readonly Output[], vout = 1) {
  return {
    txid: id,
    weight: 560,
    fee: 1_000,
    vin: [{ txid: coin, vout }],
    vout: outputs.map(([script, value]) => ({ scriptpubkey: toHex(script), value })),
    status: { confirmed },
  }
}

type Mined = readonly ReturnType<typeof transaction>[]

const chainOf = (all: () => Mined): EsploraClient => ({
  async get(path) {
    if (path === `/address/${ada.address}/txs`) return all()
    const found = all().find((one) => path === `/tx/${one.txid}`)
    if (found === undefined) throw new Failure('INTERNAL', { data: { status: 404 } })
    return found
  },
  post: () => Promise.reject(new Error('Unexpected transaction')),
})

const look = (all: Mined) =>
  bitcoinOutcome(
    chainOf(() => all),
    { txid, psbt, address: ada.address },
  )(signal)

describe('bitcoinOutcome', () => {
  it('1. is pending in the mempool, and confirmed in a block', async () => {
    expect(await look([transaction(txid, false, wanted)])).toBeNull()
    expect(await look([transaction(txid, true, wanted)])).toEqual({ kind: 'confirmed' })
  })

  it('2. is replaced only by a confirmed transaction that spends its coin', async () => {
    const other = (confirmed: boolean, outputs: readonly Output[]) => look([transaction(otherId, confirmed, outputs)])
    expect(await other(false, [[eve.script, 99_000]])).toBeNull()
    expect(await other(true, [[eve.script, 99_000]])).toEqual({ kind: 'replaced', txid: otherId })
    expect(await other(true, [[ada.script, 98_000]])).toEqual({ kind: 'cancelled', txid: otherId })
    const dearer: readonly Output[] = [
      [ada.script, 60_000],
      [bob.script, 30_000],
    ]
    expect(await other(true, dearer)).toEqual({ kind: 'repriced', txid: otherId })
  })

  it('2. is pending while unknown, unless its coin is spent', async () => {
    expect(await look([])).toBeNull()
    expect(await look([transaction(otherId, true, [[eve.script, 1]], 0)])).toBeNull()
  })

  it('2. without a PSBT, remembers the coins that it saw the transaction spend', async () => {
    let all = [transaction(otherId, true, [[eve.script, 99_000]])]
    const ask = bitcoinOutcome(
      chainOf(() => all),
      { txid, address: ada.address },
    )
    expect(await ask(signal)).toBeNull()
    all = [transaction(txid, false, wanted)]
    expect(await ask(signal)).toBeNull()
    all = [transaction(otherId, true, [[eve.script, 99_000]])]
    expect(await ask(signal)).toEqual({ kind: 'replaced', txid: otherId })
  })

  it('a failing endpoint rejects', async () => {
    const failing: EsploraClient = {
      get: () => Promise.reject(new Failure('INTERNAL', { data: { status: 503 } })),
      post: () => Promise.reject(new Error('Unexpected transaction')),
    }
    const requests = bitcoinOutcome(failing, { txid, psbt, address: ada.address })(signal)
    await expect(requests).rejects.toMatchObject({ code: 'INTERNAL' })
  })
})
