/** Keys, addresses and coins: all real except the network. */
import * as ecc from '@bitcoinerlab/secp256k1'
import type { Account } from '@postern/protocol'
import { crypto, initEccLib, networks, Psbt, payments, Transaction, toXOnly } from 'bitcoinjs-lib'
import type { EsploraClient } from '../../chain-client'
import type { SpendableKind } from '../coins'

initEccLib(ecc)

export const regtest = 'bip122:0f9188f13cb7b2c71f2a335e3a4fc328'

function present<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('missing')
  return value
}

export type TestKey = {
  readonly address: string
  readonly script: Uint8Array
  readonly account: Account
  /** Of inputs that are not taproot's. */
  readonly signer: { readonly publicKey: Uint8Array; sign(hash: Uint8Array): Uint8Array }
  sign(psbt: string, options?: { finalise?: boolean; sighash?: number }): string
}

/** `seed`: 1 to 254, or 256 to 65,279. */
export function testKey(kind: SpendableKind, seed = 1): TestKey {
  const network = networks.regtest
  const secret = new Uint8Array(32).fill(seed)
  if (seed > 255) secret[1] = seed >> 8
  const publicKey = present(ecc.pointFromScalar(secret, true))
  const internal = toXOnly(publicKey)
  const inner = payments.p2wpkh({ pubkey: publicKey, network })
  const payment = {
    p2pkh: () => payments.p2pkh({ pubkey: publicKey, network }),
    p2wpkh: () => inner,
    'p2sh-p2wpkh': () => payments.p2sh({ redeem: inner, network }),
    p2tr: () => payments.p2tr({ internalPubkey: internal, network }),
  }[kind]()
  const address = present(payment.address)
  const signer = {
    publicKey,
    sign: (hash: Uint8Array) => ecc.sign(hash, secret),
    signSchnorr: (hash: Uint8Array) => ecc.signSchnorr(hash, secret),
  }
  const even = publicKey[0] === 3 ? ecc.privateNegate(secret) : secret
  const tweaked = present(ecc.privateAdd(even, crypto.taggedHash('TapTweak', internal)))
  const taprootSigner = {
    publicKey: present(ecc.pointFromScalar(tweaked, true)),
    sign: (hash: Uint8Array) => ecc.sign(hash, tweaked),
    signSchnorr: (hash: Uint8Array) => ecc.signSchnorr(hash, tweaked),
  }

  return {
    address,
    script: present(payment.output),
    account: { namespace: 'bip122', address, type: 'payment', publicKey: toHex(publicKey) },
    signer,
    sign(base64, { finalise = false, sighash } = {}) {
      const psbt = Psbt.fromBase64(base64)
      if (sighash !== undefined)
        for (const index of psbt.data.inputs.keys()) psbt.updateInput(index, { sighashType: sighash })
      const types = sighash === undefined ? undefined : [sighash]
      for (const index of psbt.data.inputs.keys())
        psbt.signInput(index, kind === 'p2tr' ? taprootSigner : signer, types)
      if (finalise) psbt.finalizeAllInputs()
      return psbt.toBase64()
    },
  }
}

export type TestCoin = { readonly value: bigint; readonly isConfirmed?: boolean; readonly fromOthers?: boolean }

/** An Esplora for one address. Its coins are outputs of full transactions, so that they can be proven. */
export function testEsplora(
  key: Pick<TestKey, 'address' | 'script'>,
  coins: readonly TestCoin[],
  feeEstimates: Record<string, number> = {},
) {
  const made = coins.map(({ value, isConfirmed = true, fromOthers = false }, index) => {
    const transaction = new Transaction()
    transaction.addInput(new Uint8Array(32).fill(7), index)
    transaction.addOutput(key.script, value)
    return { value, isConfirmed, fromOthers, hex: transaction.toHex(), txid: transaction.getId() }
  })
  const sent: string[] = []
  const requests: string[] = []
  const status = (confirmed: boolean) => ({
    confirmed,
    ...(confirmed && { block_height: 101, block_time: 1_700_000_000 }),
  })
  const output = (value: bigint, address: string) => ({
    scriptpubkey: toHex(key.script),
    scriptpubkey_address: address,
    value: Number(value),
  })

  function answer(path: string): unknown {
    if (path === '/fee-estimates') return feeEstimates
    if (path === `/address/${key.address}/utxo`)
      return made.map(({ txid, value, isConfirmed }) => ({
        txid,
        vout: 0,
        value: Number(value),
        status: status(isConfirmed),
      }))
    const coin = made.find(({ txid }) => path.startsWith(`/tx/${txid}`))
    if (coin && path.endsWith('/hex')) return coin.hex
    if (coin && path.endsWith('/outspends')) return [{ spent: false }]
    if (coin)
      return {
        txid: coin.txid,
        weight: 400,
        fee: 200,
        vin: [
          {
            txid: '07'.repeat(32),
            vout: 0,
            prevout: output(coin.value + 200n, coin.fromOthers ? 'bcrt1qother' : key.address),
          },
        ],
        vout: [output(coin.value, key.address)],
        status: status(coin.isConfirmed),
      }
    throw new Error(`404 ${path}`)
  }

  const esplora: EsploraClient = {
    async get(path) {
      requests.push(path)
      return answer(path)
    },
    async post(_path, body) {
      sent.push(body)
      return Transaction.fromHex(body).getId()
    },
  }
  return { esplora, sent, requests, coins: made }
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
