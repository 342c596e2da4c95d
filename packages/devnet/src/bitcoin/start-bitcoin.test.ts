import { connect } from 'node:net'
import { Psbt, Transaction } from 'bitcoinjs-lib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { freePorts } from '../http/free-ports'
import { bitcoinAccount, regtest, taprootSigner } from './accounts'
import { type BitcoinChain, fundedBitcoinAccounts, startBitcoin } from './start-bitcoin'

const { port, still: stillPort, other: otherPort } = await freePorts('port', 'still', 'other')
const [ada, bob, carol] = [bitcoinAccount(0), bitcoinAccount(1), bitcoinAccount(2)]
const Unspent = z.array(
  z.object({ txid: z.string(), vout: z.number(), value: z.number(), status: z.object({ confirmed: z.boolean() }) }),
)
const Stats = z.object({ funded_txo_sum: z.number(), spent_txo_sum: z.number(), tx_count: z.number() })
const AddressView = z.object({ address: z.string(), chain_stats: Stats, mempool_stats: Stats })

let chain: BitcoinChain
beforeAll(async () => {
  chain = await startBitcoin({ port })
})
afterAll(() => chain.stop())

/** Of the chain that the test asks. */
let asked = port
const call = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${asked}${path}`, init)
const read = async (path: string): Promise<unknown> => (await call(path)).json()
const text = async (path: string) => (await call(path)).text()
const unspent = async (address: string) => Unspent.parse(await read(`/address/${address}/utxo`))
const post = (hex: string) => call('/tx', { method: 'POST', body: hex })

/** Ada's first output, to Bob. */
async function payment(): Promise<Psbt> {
  const [coin] = await unspent(ada.payment.address)
  if (coin === undefined) throw new Error('no coin')
  return new Psbt({ network: regtest })
    .addInput({
      hash: coin.txid,
      index: coin.vout,
      witnessUtxo: { script: ada.payment.output, value: BigInt(coin.value) },
    })
    .addOutput({ address: bob.payment.address, value: 25_000n })
    .addOutput({ address: ada.payment.address, value: BigInt(coin.value) - 25_500n })
}
const finished = (psbt: Psbt) => psbt.finalizeAllInputs().extractTransaction(true)

describe('startBitcoin', () => {
  test('1. the mnemonic’s accounts have confirmed funds', async () => {
    for (let index = 0; index < fundedBitcoinAccounts; index++) {
      const account = bitcoinAccount(index)
      const payments = await unspent(account.payment.address)
      expect(payments.map(({ value, status }) => [value, status.confirmed])).toEqual([
        [600_000_000, true],
        [400_000_000, true],
      ])
      expect((await unspent(account.ordinals.address)).map(({ value }) => value)).toEqual([10_000])
    }
    expect(AddressView.parse(await read(`/address/${ada.payment.address}`))).toMatchObject({
      chain_stats: { funded_txo_sum: 1_000_000_000, spent_txo_sum: 0 },
      mempool_stats: { tx_count: 0 },
    })
  })

  test('a transfer waits in the mempool until it is mined', async () => {
    const psbt = (await payment()).signAllInputs(ada.payment.key)
    const transaction = finished(psbt)
    const answered = await post(transaction.toHex())
    expect([answered.status, await answered.text()]).toEqual([200, transaction.getId()])
    const id = transaction.getId()
    expect(await read(`/tx/${id}/status`)).toEqual({ confirmed: false })
    expect(await read('/mempool')).toMatchObject({ count: 1, total_fee: 500 })
    expect(await read('/mempool/txids')).toEqual([id])
    expect(AddressView.parse(await read(`/address/${bob.payment.address}`)).mempool_stats.funded_txo_sum).toBe(25_000)

    const before = Number(await text('/blocks/tip/height'))
    await call('/devnet/mine?blocks=2', { method: 'POST' })
    expect(Number(await text('/blocks/tip/height'))).toBe(before + 2)
    expect(await read(`/tx/${id}`)).toMatchObject({
      txid: id,
      fee: 500,
      vin: [{ prevout: { scriptpubkey_address: ada.payment.address, scriptpubkey_type: 'v0_p2wpkh' } }],
      vout: [{ scriptpubkey_address: bob.payment.address, value: 25_000 }, {}],
      status: { confirmed: true, block_height: before + 1 },
    })
    expect(await text(`/tx/${id}/hex`)).toBe(transaction.toHex())
    expect(await read('/mempool')).toMatchObject({ count: 0 })
    const hash = await text(`/block-height/${before + 1}`)
    expect(await read(`/block/${hash}`)).toMatchObject({ height: before + 1, tx_count: 2 })
    expect(await read(`/block/${hash}/txids`)).toContain(id)
    expect(await read(`/tx/${id}/outspends`)).toEqual([{ spent: false }, { spent: false }])
  })

  test('2. a transfer confirms without a mine request', async () => {
    const transaction = finished((await payment()).signAllInputs(ada.payment.key))
    await post(transaction.toHex())
    await expect
      .poll(() => read(`/tx/${transaction.getId()}/status`), { timeout: 15_000 })
      .toMatchObject({ confirmed: true })
  })

  test('a transfer waits again after a reorganisation, with what spends its change, and is mined again', async () => {
    const first = finished((await payment()).signAllInputs(ada.payment.key))
    await post(first.toHex())
    const [, change] = first.outs
    const second = finished(
      new Psbt({ network: regtest })
        .addInput({
          hash: first.getId(),
          index: 1,
          witnessUtxo: { script: ada.payment.output, value: change?.value ?? 0n },
        })
        .addOutput({ address: ada.payment.address, value: (change?.value ?? 0n) - 500n })
        .signAllInputs(ada.payment.key),
    )
    await call('/devnet/mine', { method: 'POST' })
    await post(second.toHex())
    await call('/devnet/mine', { method: 'POST' })
    const height = Number(await text('/blocks/tip/height'))
    await call('/devnet/reorganise?depth=2', { method: 'POST' })
    expect(Number(await text('/blocks/tip/height'))).toBe(height + 1)
    const statuses = () => Promise.all([first, second].map((one) => read(`/tx/${one.getId()}/status`)))
    expect(await statuses()).toEqual([{ confirmed: false }, { confirmed: false }])
    expect((await unspent(ada.payment.address)).map(({ txid }) => txid)).toContain(second.getId())
    await call('/devnet/mine', { method: 'POST' })
    expect(await statuses()).toEqual([first, second].map(() => expect.objectContaining({ confirmed: true })))
  })

  test('only its own key can spend an ordinals output', async () => {
    const [coin] = await unspent(ada.ordinals.address)
    if (coin === undefined) throw new Error('no coin')
    const { internalPubkey, output } = ada.ordinals
    const spend = () =>
      new Psbt({ network: regtest })
        .addInput({
          hash: coin.txid,
          index: coin.vout,
          tapInternalKey: internalPubkey,
          witnessUtxo: { script: output, value: BigInt(coin.value) },
        })
        .addOutput({ address: carol.ordinals.address, value: BigInt(coin.value) - 400n })
    const stolen = finished(spend().signAllInputs(taprootSigner(ada.ordinals)))
    stolen.outs.forEach((out) => {
      out.script = bob.ordinals.output
    })
    const refused = await post(stolen.toHex())
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('Invalid Schnorr signature')])

    const unsigned = finished(spend().signAllInputs(taprootSigner(ada.ordinals)))
    unsigned.setWitness(0, [new Uint8Array([1]), new Uint8Array([2])])
    expect(await (await post(unsigned.toHex())).text()).toContain('script paths are not supported')

    const right = finished(spend().signAllInputs(taprootSigner(ada.ordinals)))
    expect((await post(right.toHex())).status).toBe(200)
    await call('/devnet/mine', { method: 'POST' })
    expect((await unspent(carol.ordinals.address)).map(({ value }) => value)).toContain(9_600)
  })

  test('rejects a wrong signature, too large outputs, a double spend, a missing input and malformed data', async () => {
    const psbt = await payment()
    const transaction = finished((await payment()).signAllInputs(ada.payment.key))
    transaction.outs.forEach((out) => {
      out.value += 1n
    })
    expect((await post(transaction.toHex())).status).toBe(400)

    const generous = finished((await payment()).signAllInputs(ada.payment.key))
    generous.outs.forEach((out) => {
      out.value += 1_000_000n
    })
    expect(await (await post(generous.toHex())).text()).toContain('bad-txns-in-belowout')

    const first = finished(psbt.signAllInputs(ada.payment.key))
    expect((await post(first.toHex())).status).toBe(200)
    const second = first.clone()
    second.locktime = 1
    expect((await post(second.toHex())).status).toBe(400)
    expect(await (await post(first.toHex())).text()).toContain('already in block chain or mempool')

    const orphan = first.clone()
    const [input] = orphan.ins
    if (input === undefined) throw new Error('no input')
    input.hash = new Uint8Array(32).fill(7)
    expect(await (await post(orphan.toHex())).text()).toContain('bad-txns-inputs-missingorspent')
    for (const nonsense of ['', 'zz', '00', 'ab'.repeat(500)]) expect((await post(nonsense)).status).toBe(400)
    await call('/devnet/mine', { method: 'POST' })
  })

  describe('a replacement (BIP-125)', () => {
    let still: BitcoinChain
    beforeAll(async () => {
      asked = stillPort
      // No block comes between a transaction and its replacement.
      still = await startBitcoin({ port: asked, blockMs: 0 })
    })
    afterAll(async () => {
      asked = port
      await still.stop()
    })
    const sequence = 0xffff_fffd
    type Coin = { readonly txid: string; readonly vout: number; readonly value: number }
    /** Returns the coins to Carol, less the fee. */
    function spend(coins: readonly Coin[], fee: number, of = sequence): string {
      const psbt = new Psbt({ network: regtest })
      const total = coins.reduce((sum, { value }) => sum + value, 0)
      for (const { txid, vout, value } of coins) {
        const witnessUtxo = { script: carol.payment.output, value: BigInt(value) }
        psbt.addInput({ hash: txid, index: vout, sequence: of, witnessUtxo })
      }
      psbt.addOutput({ address: carol.payment.address, value: BigInt(total - fee) })
      return finished(psbt.signAllInputs(carol.payment.key)).toHex()
    }
    const sent = async (hex: string) => {
      const answered = await post(hex)
      return [answered.status, await answered.text()] as const
    }
    const coinsOf = async () => {
      await call('/devnet/mine', { method: 'POST' })
      const [one, other] = await unspent(carol.payment.address)
      if (one === undefined || other === undefined) throw new Error('no coins')
      return [one, other] as const
    }

    test('takes the place of what signals it, and of what spends that', async () => {
      const [coin] = await coinsOf()
      const [, first] = await sent(spend([coin], 500))
      const [status, child] = await sent(spend([{ txid: first, vout: 0, value: coin.value - 500 }], 500))
      expect(status).toBe(200)
      const [, second] = await sent(spend([coin], 1_500))
      expect(await read('/mempool/txids')).toEqual([second])
      for (const gone of [first, child]) expect((await call(`/tx/${gone}`)).status).toBe(404)
      await call('/devnet/mine', { method: 'POST' })
      expect(await read(`/tx/${second}/status`)).toMatchObject({ confirmed: true })
    })

    test('is refused without a signal, with an unconfirmed coin, or for too low a fee', async () => {
      const [coin, other] = await coinsOf()
      const [, final] = await sent(spend([coin], 500, 0xffff_ffff))
      expect(await sent(spend([coin], 5_000))).toEqual([400, expect.stringContaining('txn-mempool-conflict')])
      const [, first] = await sent(spend([other], 500))
      const waiting = { txid: final, vout: 0, value: coin.value - 500 }
      const refused = (why: string) => [400, expect.stringContaining(why)]
      expect(await sent(spend([other, waiting], 9_000))).toEqual(refused('replacement-adds-unconfirmed'))
      expect(await sent(spend([other], 500 + 50))).toEqual(refused('not enough additional fees to relay'))
      expect(await sent(spend([other], 500 - 50))).toEqual(refused('new feerate'))
      const [, child] = await sent(spend([{ txid: first, vout: 0, value: other.value - 500 }], 2_000))
      expect(await sent(spend([other], 2_400))).toEqual(refused('less fees than conflicting txs'))
      expect(new Set(z.array(z.string()).parse(await read('/mempool/txids')))).toEqual(new Set([final, first, child]))
    })

    test('that bcoin refuses leaves what it would have replaced', async () => {
      const [coin] = await coinsOf()
      const [, first] = await sent(spend([coin], 500))
      const wrong = Transaction.fromHex(spend([coin], 5_000))
      wrong.outs.forEach((out) => {
        out.value -= 1n
      })
      expect((await sent(wrong.toHex()))[0]).toBe(400)
      expect(await read('/mempool/txids')).toEqual([first])
      await call('/devnet/mine', { method: 'POST' })
      expect(await read(`/tx/${first}/status`)).toMatchObject({ confirmed: true })
    })
  })

  test('the faucet pays, and invalid or unknown requests get 400 or 404', async () => {
    const fresh = bitcoinAccount(7).payment.address
    const paid = await call(`/devnet/fund?address=${fresh}&amount=12345`, { method: 'POST' })
    expect(await paid.json()).toEqual({ txid: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect((await unspent(fresh)).map(({ value }) => value)).toEqual([12_345])
    const together = Array.from({ length: 5 }, () =>
      call(`/devnet/fund?address=${fresh}&amount=1000`, { method: 'POST' }),
    )
    expect((await Promise.all(together)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect((await call('/devnet/fund?address=invalid&amount=1', { method: 'POST' })).status).toBe(400)
    expect((await call(`/devnet/fund?address=${fresh}&amount=-1`, { method: 'POST' })).status).toBe(400)
    expect((await call('/address/bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq/utxo')).status).toBe(400)
    expect((await call(`/tx/${'0'.repeat(64)}`)).status).toBe(404)
    expect((await call('/nothing')).status).toBe(404)
    expect(await read('/fee-estimates')).toMatchObject({ '1': 2, '144': 1 })
    expect((await call('/blocks/tip/hash')).headers.get('access-control-allow-origin')).toBe('*')
  })

  test('3. a taken port or an abort rejects, and stop frees the port', async () => {
    await expect(startBitcoin({ port })).rejects.toThrow(String(port))
    await expect(startBitcoin({ port: otherPort, signal: AbortSignal.abort(new Error('no')) })).rejects.toThrow('no')
    const other = await startBitcoin({ port: otherPort })
    await other.stop()
    await other.stop()
    expect(await isListening(otherPort)).toBe(false)
  })
})

function isListening(at: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(at, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
