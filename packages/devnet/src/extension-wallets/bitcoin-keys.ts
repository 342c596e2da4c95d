/** Independent of the provider API. */

import { invalidParams, unauthorized } from '@postern/evm-wallet/rpc-error'
import { hex } from '@scure/base'
import { address as addresses, networks, Psbt, payments, Transaction } from 'bitcoinjs-lib'
import { type BitcoinAccount, bitcoinAccount, taprootSigner } from '../bitcoin/accounts'
import { signBip322, signEcdsa } from '../bitcoin/sign-message'
import type { Esplora } from './esplora'
import type { Owner } from './owner'

export const bitcoinChains = [
  { id: 'bitcoin:regtest', name: 'Bitcoin Regtest', esplora: 'http://127.0.0.1:8549', network: networks.regtest },
  { id: 'bitcoin:mainnet', name: 'Bitcoin', esplora: 'https://blockstream.info/api', network: networks.bitcoin },
  {
    id: 'bitcoin:testnet',
    name: 'Bitcoin Testnet',
    esplora: 'https://blockstream.info/testnet/api',
    network: networks.testnet,
  },
  {
    id: 'bitcoin:signet',
    name: 'Bitcoin Signet',
    esplora: 'https://mempool.space/signet/api',
    network: networks.testnet,
  },
] as const
export type BitcoinChain = (typeof bitcoinChains)[number]

export type Purpose = 'payment' | 'ordinals'
export type ShownAddress = {
  readonly address: string
  readonly purpose: Purpose
  readonly type: 'p2wpkh' | 'p2tr'
  /** 33 bytes, hexadecimal. */
  readonly publicKey: string
  /** 32 bytes, hexadecimal. */
  readonly xOnlyPublicKey: string
  readonly path: string
}

export function chainOf(id: string): BitcoinChain {
  return bitcoinChains.find((chain) => chain.id === id) ?? bitcoinChains[0]
}

/** The payment address, then the ordinals address. */
export function addressesOn(account: number, chain: string): readonly [ShownAddress, ShownAddress] {
  const keys = bitcoinAccount(account)
  const { network } = chainOf(chain)
  const shown = (purpose: Purpose, address: string | undefined): ShownAddress => {
    const { path, key } = keys[purpose]
    const publicKey = hex.encode(key.publicKey)
    const type = purpose === 'payment' ? 'p2wpkh' : 'p2tr'
    return { address: address ?? '', purpose, type, publicKey, xOnlyPublicKey: publicKey.slice(2), path }
  }
  return [
    shown('payment', payments.p2wpkh({ pubkey: keys.payment.key.publicKey, network }).address),
    shown('ordinals', payments.p2tr({ internalPubkey: keys.ordinals.internalPubkey, network }).address),
  ]
}

export type InputToSign = {
  readonly index: number
  /** Default: any of the account's addresses. */
  readonly address?: string | undefined
  readonly sighashTypes?: readonly number[] | undefined
}

export type BitcoinKeys = {
  /** Empty without permission. */
  visible(): readonly ShownAddress[]
  /** Asks, then signs: 65 bytes of ECDSA, or a BIP-322 witness. The address decides the default. */
  signMessage(
    message: string | Uint8Array,
    address: string,
    protocol?: 'ecdsa' | 'bip322' | undefined,
  ): Promise<Uint8Array>
  /** Asks, then signs. `own`: all of the account's inputs. */
  signPsbt(psbt: Psbt, inputs: readonly InputToSign[] | 'own'): Promise<Psbt>
  /** Asks first, then pays from the payment address. Returns the id. Amounts in satoshis. */
  sendTransfer(
    recipients: readonly { readonly address: string; readonly amount: bigint }[],
    feeRate?: number | undefined,
  ): Promise<string>
  /** Returns the id. */
  broadcast(transaction: string): Promise<string>
}

/** Virtual bytes of a P2WPKH transaction; the output is of the largest kind. */
const [overhead, inputSize, outputSize] = [11, 68, 43]
/** Nodes do not relay a smaller change output. */
const dust = 294n

/**
 * Signs with the account's Bitcoin keys.
 *
 * 1. Nothing is signed for an address hidden from the dapp (4100) or without the user's approval (4001).
 * 2. A PSBT input is signed only if it spends from the named address. Signing fails without such an input.
 * 3. The question shows each recipient's amount and the network fee.
 */
export function createBitcoinKeys(owner: Owner, connect: (base: string) => Esplora): BitcoinKeys {
  const visible = () => {
    const seen = owner.visible()
    return seen === null || owner.signal.aborted ? [] : addressesOn(seen.account, seen.chain)
  }
  function own(address: string): { readonly shown: ShownAddress; readonly account: BitcoinAccount } {
    const { account } = owner.permitted()
    const shown = visible().find((candidate) => candidate.address === address)
    if (shown === undefined) throw unauthorized('The requested account has not been authorized by the user.')
    return { shown, account: bitcoinAccount(account) }
  }
  const node = () => connect(chainOf(owner.chain()).esplora)

  return {
    visible,
    async signMessage(message, address, protocol) {
      const { shown, account } = own(address)
      const bytes = typeof message === 'string' ? new TextEncoder().encode(message) : message
      const text = typeof message === 'string' ? message : new TextDecoder().decode(message)
      await owner.agree('Sign a message', [{ label: 'Account', value: address }], { raw: text })
      const chosen = protocol ?? (shown.purpose === 'payment' ? 'ecdsa' : 'bip322')
      if (chosen === 'bip322') return signBip322(account, shown.purpose, bytes)
      if (shown.purpose === 'ordinals') throw invalidParams('A taproot address signs messages by BIP-322 only.')
      return signEcdsa(account.payment, bytes)
    },
    async signPsbt(psbt, inputs) {
      const { account: index, chain } = owner.permitted()
      const { network } = chainOf(chain)
      const ownAddresses = addressesOn(index, chain)
      const addressOf = (input: number) => spentAddress(psbt, input, network)
      const wanted: readonly InputToSign[] =
        inputs === 'own'
          ? Array.from({ length: psbt.inputCount }, (_, input) => ({ index: input })).filter(({ index: input }) =>
              ownAddresses.some(({ address }) => address === addressOf(input)),
            )
          : inputs
      const chosen = wanted.map((input) => {
        const address = addressOf(input.index)
        const shown = ownAddresses.find((candidate) => candidate.address === address)
        if (shown === undefined || (input.address !== undefined && input.address !== address))
          throw invalidParams(`Input ${input.index} does not spend from this account.`)
        return { ...input, purpose: shown.purpose }
      })
      if (chosen.length === 0) throw invalidParams('No input of this transaction spends from this account.')
      await owner.agree('Sign a transaction', psbtRows(psbt, ownAddresses, network))
      const account = bitcoinAccount(index)
      for (const { index: input, purpose, sighashTypes } of chosen) {
        const types = sighashTypes === undefined || sighashTypes.length === 0 ? undefined : [...sighashTypes]
        if (purpose === 'ordinals') {
          if (psbt.data.inputs[input]?.tapInternalKey === undefined)
            psbt.updateInput(input, { tapInternalKey: account.ordinals.internalPubkey })
          psbt.signInput(input, taprootSigner(account.ordinals), types)
        } else psbt.signInput(input, account.payment.key, types)
      }
      return psbt
    },
    async sendTransfer(recipients, feeRate) {
      const { account: index, chain } = owner.permitted()
      const { network } = chainOf(chain)
      const account = bitcoinAccount(index)
      const [payment] = addressesOn(index, chain)
      for (const { address, amount } of recipients) {
        if (!isAddress(address, network)) throw invalidParams(`${address} is not an address of this network.`)
        if (amount < dust) throw invalidParams(`${amount} satoshis are not enough to send.`)
      }
      const rate = feeRate ?? (await node().feeRate())
      const total = recipients.reduce((sum, { amount }) => sum + amount, 0n)
      const psbt = new Psbt({ network })
      let gathered = 0n
      const fee = () =>
        BigInt(Math.ceil(rate * (overhead + psbt.inputCount * inputSize + (recipients.length + 1) * outputSize)))
      for (const { txid, vout, value } of await node().unspent(payment.address)) {
        if (gathered >= total + fee() && psbt.inputCount > 0) break
        psbt.addInput({ hash: txid, index: vout, witnessUtxo: { script: account.payment.output, value } })
        gathered += value
      }
      if (gathered < total + fee()) throw invalidParams('The account does not have enough bitcoin.')
      for (const { address, amount } of recipients) psbt.addOutput({ address, value: amount })
      const change = gathered - total - fee()
      if (change >= dust) psbt.addOutput({ address: payment.address, value: change })
      await owner.agree('Send bitcoin', psbtRows(psbt, [payment], network))
      psbt.signAllInputs(account.payment.key).finalizeAllInputs()
      return await node().broadcast(psbt.extractTransaction(true).toHex())
    },
    broadcast: (transaction) => node().broadcast(transaction),
  }
}

/** Amounts that leave the wallet, and the network fee, in bitcoin. */
function psbtRows(psbt: Psbt, ownAddresses: readonly ShownAddress[], network: BitcoinChain['network']) {
  const outputs = psbt.txOutputs.map(({ address, value }) => ({ address: address ?? 'data', value }))
  const leaving = outputs.filter(({ address }) => ownAddresses.every((own) => own.address !== address))
  const inputs = Array.from({ length: psbt.inputCount }, (_, input) => spentValue(psbt, input))
  const known = inputs.every((value) => value !== undefined)
  const paid = outputs.reduce((sum, { value }) => sum + value, 0n)
  const inputTotal = inputs.reduce<bigint>((sum, value) => sum + (value ?? 0n), 0n)
  return [
    {
      label: 'From',
      value: [...new Set(inputs.map((_, input) => spentAddress(psbt, input, network) ?? 'unknown'))].join(', '),
    },
    ...leaving.map(({ address, value }) => ({ label: 'To', value: `${btc(value)} BTC to ${address}` })),
    { label: 'Network fee', value: known ? `${btc(inputTotal - paid)} BTC` : 'unknown' },
  ]
}

function btc(satoshis: bigint): string {
  const sign = satoshis < 0n ? '-' : ''
  const digits = `${satoshis < 0n ? -satoshis : satoshis}`.padStart(9, '0')
  return `${sign}${digits.slice(0, -8)}.${digits.slice(-8)}`
}

function spent(psbt: Psbt, input: number) {
  const { witnessUtxo, nonWitnessUtxo } = psbt.data.inputs[input] ?? {}
  if (witnessUtxo !== undefined) return witnessUtxo
  const index = psbt.txInputs[input]?.index
  if (nonWitnessUtxo === undefined || index === undefined) return undefined
  return Transaction.fromBuffer(nonWitnessUtxo).outs[index]
}
const spentValue = (psbt: Psbt, input: number) => spent(psbt, input)?.value

function spentAddress(psbt: Psbt, input: number, network: BitcoinChain['network']): string | undefined {
  const output = spent(psbt, input)
  if (output === undefined) return undefined
  try {
    return addresses.fromOutputScript(output.script, network)
  } catch {
    return undefined
  }
}

function isAddress(text: string, network: BitcoinChain['network']): boolean {
  try {
    addresses.toOutputScript(text, network)
    return true
  } catch {
    return false
  }
}
