/** The devnet's Bitcoin chain as an outsider reads it, PSBTs, and signature checks. */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { base64, hex } from '@scure/base'
import { address as addresses, crypto, opcodes, Psbt, script, Transaction } from 'bitcoinjs-lib'
import * as z from 'zod/mini'
import { bitcoinAccount, regtest } from '../../packages/devnet/src/bitcoin/accounts'
import { checkTaproot } from '../../packages/devnet/src/bitcoin/taproot'

const esplora = 'http://127.0.0.1:8549'

export type Purpose = 'payment' | 'ordinals'

export const bitcoinAddress = (account: number, purpose: Purpose = 'payment'): string =>
  bitcoinAccount(account)[purpose].address

async function ask(path: string, init?: RequestInit): Promise<unknown> {
  const response = await fetch(`${esplora}${path}`, init)
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${text}`)
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export const mine = (blocks = 1): Promise<unknown> => ask(`/devnet/mine?blocks=${blocks}`, { method: 'POST' })

export async function fund(address: string, satoshis: number): Promise<void> {
  await ask(`/devnet/fund?address=${address}&amount=${satoshis}`, { method: 'POST' })
  await mine()
}

export const broadcast = (transaction: string): Promise<unknown> => ask('/tx', { method: 'POST', body: transaction })

const Known = z.object({
  status: z.object({ confirmed: z.boolean() }),
  vout: z.array(z.object({ scriptpubkey_address: z.optional(z.string()), value: z.int() })),
})
const Unspent = z.array(z.object({ txid: z.string(), vout: z.int(), value: z.int() }))

export async function paidTo(txid: string, address: string): Promise<number | null> {
  const { status, vout } = Known.parse(await ask(`/tx/${txid}`))
  if (!status.confirmed) return null
  return vout.reduce((sum, output) => sum + (output.scriptpubkey_address === address ? output.value : 0), 0)
}

const fee = 1_000

/** Spends one output of the payment or ordinals address. */
export async function spendingPsbt(account: number, purpose: Purpose, to: string): Promise<string> {
  const { [purpose]: own } = bitcoinAccount(account)
  await fund(own.address, 50_000)
  const unspent = Unspent.parse(await ask(`/address/${own.address}/utxo`))
  const coin = unspent.find(({ value }) => value === 50_000)
  if (coin === undefined) throw new Error(`${own.address} has no coin.`)
  return new Psbt({ network: regtest })
    .addInput({
      hash: coin.txid,
      index: coin.vout,
      witnessUtxo: { script: own.output, value: BigInt(coin.value) },
    })
    .addOutput({ address: to, value: BigInt(coin.value - fee) })
    .toBase64()
}

/** Spends a new coin of 100,000 satoshis; the rest of the outputs is the fee. */
export async function psbtFrom(
  owner: string,
  outputs: readonly { readonly address: string; readonly value: number }[],
  sighashType?: number,
): Promise<string> {
  const value = 100_000
  await fund(owner, value)
  await mine()
  const unspent = Unspent.parse(await ask(`/address/${owner}/utxo`))
  const coin = unspent.find((each) => each.value === value)
  if (coin === undefined) throw new Error(`${owner} has no coin.`)
  return new Psbt({ network: regtest })
    .addInput({
      hash: coin.txid,
      index: coin.vout,
      witnessUtxo: { script: addresses.toOutputScript(owner, regtest), value: BigInt(value) },
      ...(sighashType !== undefined && { sighashType }),
    })
    .addOutputs(outputs.map((output) => ({ address: output.address, value: BigInt(output.value) })))
    .toBase64()
}

export function transactionOf(psbt: string): string {
  const signed = Psbt.fromBase64(psbt, { network: regtest })
  const isFinal = signed.data.inputs.every(({ finalScriptWitness }) => finalScriptWitness !== undefined)
  return (isFinal ? signed : signed.finalizeAllInputs()).extractTransaction(true).toHex()
}

/** Recoverable ECDSA or BIP-322 simple. */
export function isMessageSignedBy(account: number, purpose: Purpose, message: string, signature: string): boolean {
  const bytes = base64.decode(signature)
  return bytes.length === 65 && (bytes[0] ?? 0) >= 27
    ? isRecovered(account, message, bytes)
    : isBip322(account, purpose, message, bytes)
}

const utf8 = (text: string) => new TextEncoder().encode(text)

function isRecovered(account: number, message: string, signature: Uint8Array): boolean {
  const { key } = bitcoinAccount(account).payment
  const text = utf8(message)
  if (text.length >= 0xfd) throw new Error('The message is too long for this test.')
  const digest = crypto.hash256(Buffer.from([...utf8('\u0018Bitcoin Signed Message:\n'), text.length, ...text]))
  const recovery = ((signature[0] ?? 0) - 27) & 3
  const recovered = secp256k1.Signature.fromBytes(signature.slice(1), 'compact')
    .addRecoveryBit(recovery)
    .recoverPublicKey(digest)
  return hex.encode(recovered.toBytes(true)) === hex.encode(key.publicKey)
}

/** Source: https://github.com/bitcoin/bips/blob/master/bip-0322.mediawiki */
function isBip322(account: number, purpose: Purpose, message: string, witness: Uint8Array): boolean {
  const { [purpose]: own } = bitcoinAccount(account)
  const tag = crypto.sha256(utf8('BIP0322-signed-message'))
  const toSpend = new Transaction()
  toSpend.version = 0
  const digest = crypto.sha256(Uint8Array.of(...tag, ...tag, ...utf8(message)))
  toSpend.addInput(new Uint8Array(32), 0xffffffff, 0, script.compile([opcodes.OP_0 ?? 0, digest]))
  toSpend.addOutput(own.output, 0n)
  const toSign = new Transaction()
  toSign.version = 0
  toSign.addInput(toSpend.getHash(), 0, 0)
  toSign.addOutput(Uint8Array.of(opcodes.OP_RETURN ?? 0x6a), 0n)
  const items = itemsOf(witness)
  if (purpose === 'ordinals') {
    toSign.setWitness(0, items)
    return checkTaproot(toSign, () => ({ script: own.output, value: 0n })) === null
  }
  const [signed, publicKey] = items
  if (signed === undefined || publicKey === undefined) return false
  // P2WPKH signs the key's P2PKH (BIP-143).
  const code = script.compile([
    opcodes.OP_DUP ?? 0,
    opcodes.OP_HASH160 ?? 0,
    crypto.hash160(publicKey),
    opcodes.OP_EQUALVERIFY ?? 0,
    opcodes.OP_CHECKSIG ?? 0,
  ])
  const { signature, hashType } = script.signature.decode(signed)
  const hash = toSign.hashForWitnessV0(0, code, 0n, hashType)
  return hex.encode(publicKey) === hex.encode(own.key.publicKey) && own.key.verify(hash, signature)
}

/** A count, then items with one-byte lengths. */
function itemsOf(witness: Uint8Array): Uint8Array[] {
  const items: Uint8Array[] = []
  let at = 1
  while (at < witness.length) {
    const length = witness[at] ?? 0
    items.push(witness.slice(at + 1, at + 1 + length))
    at += 1 + length
  }
  if (items.length !== witness[0]) throw new Error('This is not a witness.')
  return items
}

/** The transaction to sign, in hex. */
export const unsignedOf = (psbt: string): string =>
  hex.encode(Psbt.fromBase64(psbt).data.globalMap.unsignedTx.toBuffer())

/** The transactions that prove the values of the inputs. */
export const previousOf = (psbt: string): readonly Uint8Array[] =>
  Psbt.fromBase64(psbt).data.inputs.flatMap(({ nonWitnessUtxo }) =>
    nonWitnessUtxo === undefined ? [] : [nonWitnessUtxo],
  )
