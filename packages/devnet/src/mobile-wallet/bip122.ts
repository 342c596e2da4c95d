import { readParams } from '@postern/evm-wallet/requests'
import { invalidParams, ProviderRpcError, unauthorized, unknownChain, unsupported } from '@postern/evm-wallet/rpc-error'
import { PsbtInput } from '@postern/protocol'
import { base64, hex } from '@scure/base'
import { address as addresses, Psbt, toXOnly } from 'bitcoinjs-lib'
import * as z from 'zod/mini'
import { bitcoinAccount, regtest, taprootSigner } from '../bitcoin/accounts'
import { signBip322, signEcdsa } from '../bitcoin/sign-message'
import type { MobileNamespace, Row, Task, TaskContext } from './contract'
import { decimal } from './solana'

/** Source: https://docs.walletconnect.network/wallet-sdk/chain-support/bitcoin */
const bip122Methods = ['getAccountAddresses', 'signMessage', 'signPsbt', 'sendTransfer'] as const

const Address = z.string().check(z.minLength(14), z.maxLength(90))
const SignMessage = z.object({
  account: Address,
  address: z.optional(Address),
  message: z.string().check(z.maxLength(65_536)),
  protocol: z.optional(z.enum(['ecdsa', 'bip322'])),
})
const SignPsbt = z.object({
  account: Address,
  psbt: z.string().check(z.maxLength(262_144)),
  signInputs: z.array(PsbtInput).check(z.minLength(1), z.maxLength(1024)),
  broadcast: z.optional(z.boolean()),
})
const SendTransfer = z.object({
  account: Address,
  recipientAddress: Address,
  amount: z.string().check(z.regex(/^[1-9][0-9]{0,15}$/)),
  changeAddress: z.optional(Address),
  feeRate: z.optional(z.number().check(z.positive(), z.lte(10_000))),
})
const Unspent = z.array(z.object({ txid: z.string(), vout: z.int(), value: z.int() }))

/** Relay minimum in satoshis: the higher of P2WPKH's and P2PKH's. */
const dust = 546n
/** In virtual bytes, rounded up: base, P2WPKH input, any output. */
const size = { base: 11, input: 68, output: 43 } as const

export type BitcoinAddress = {
  readonly address: string
  readonly publicKey: string
  readonly path: string
  readonly intention: 'payment' | 'ordinal'
}

export function bitcoinAddresses(index: number): readonly [BitcoinAddress, BitcoinAddress] {
  const { payment, ordinals } = bitcoinAccount(index)
  return [
    {
      address: payment.address,
      publicKey: hex.encode(payment.key.publicKey),
      path: payment.path,
      intention: 'payment',
    },
    {
      address: ordinals.address,
      publicKey: hex.encode(ordinals.key.publicKey),
      path: ordinals.path,
      intention: 'ordinal',
    },
  ]
}

async function bitcoinTask(method: string, params: unknown, context: TaskContext): Promise<Task> {
  const account = bitcoinAccount(context.account)
  const { payment, ordinals } = account
  const row = { label: 'Account', value: payment.address }
  const own = (address: string) => {
    if (address !== payment.address && address !== ordinals.address)
      throw unauthorized('The dapp may not use this address.')
  }
  switch (method) {
    case 'getAccountAddresses':
      return { title: 'Show the addresses', rows: [row], run: async () => bitcoinAddresses(context.account) }
    case 'signMessage': {
      const { account: of, address = of, message, protocol } = readParams(SignMessage, method, params)
      own(address)
      const isOrdinals = address === ordinals.address
      const scheme = protocol ?? (isOrdinals ? 'bip322' : 'ecdsa')
      if (scheme === 'ecdsa' && isOrdinals) throw invalidParams('A taproot address signs messages by BIP-322 only.')
      return {
        title: 'Sign a message',
        rows: [{ label: 'Address', value: address }],
        raw: message,
        run: async () => {
          const bytes = new TextEncoder().encode(message)
          const signature =
            scheme === 'ecdsa'
              ? hex.encode(signEcdsa(payment, bytes))
              : base64.encode(signBip322(account, isOrdinals ? 'ordinals' : 'payment', bytes))
          return { address, signature }
        },
      }
    }
    case 'signPsbt': {
      const { account: of, psbt: text, signInputs, broadcast = false } = readParams(SignPsbt, method, params)
      own(of)
      for (const { address } of signInputs) own(address)
      const psbt = readPsbt(text)
      const { url } = context
      if (broadcast && url === undefined) throw unknownChain(0)
      return {
        title: broadcast ? 'Sign and send a transaction' : 'Sign a transaction',
        rows: [row, ...outputsOf(psbt)],
        run: async () => {
          for (const { index, address, sighashTypes } of signInputs) {
            if (address === payment.address) psbt.signInput(index, payment.key, sighashTypes)
            else {
              if (psbt.data.inputs[index]?.tapInternalKey === undefined)
                psbt.updateInput(index, { tapInternalKey: toXOnly(ordinals.key.publicKey) })
              psbt.signInput(index, taprootSigner(ordinals), sighashTypes)
            }
          }
          if (!broadcast || url === undefined) return { psbt: psbt.toBase64() }
          const transaction = psbt.clone().finalizeAllInputs().extractTransaction()
          return { psbt: psbt.toBase64(), txid: await send(url, transaction.toHex(), context.fetch) }
        },
      }
    }
    case 'sendTransfer': {
      const transfer = readParams(SendTransfer, method, params)
      if (transfer.account !== payment.address) throw unauthorized('The wallet sends only from the payment address.')
      if (context.url === undefined) throw unknownChain(0)
      const { url } = context
      const { psbt, fee } = await buildTransfer(transfer, context.account, url, context.fetch)
      return {
        title: 'Send bitcoin',
        rows: [
          { label: 'To', value: transfer.recipientAddress },
          { label: 'Amount', value: `${decimal(BigInt(transfer.amount), 8)} BTC` },
          { label: 'Network fee', value: `${decimal(fee, 8)} BTC` },
        ],
        run: async () => {
          const transaction = psbt.signAllInputs(payment.key).finalizeAllInputs().extractTransaction()
          return { txid: await send(url, transaction.toHex(), context.fetch) }
        },
      }
    }
    default:
      throw unsupported(method)
  }
}

function readPsbt(text: string): Psbt {
  try {
    return Psbt.fromBase64(text, { network: regtest })
  } catch {
    throw invalidParams('This is not a PSBT.')
  }
}

function outputsOf(psbt: Psbt): readonly Row[] {
  return psbt.txOutputs.flatMap(({ address, value }) => [
    { label: 'To', value: address ?? 'data' },
    { label: 'Amount', value: `${decimal(value, 8)} BTC` },
  ])
}

/** Largest coins first. The remainder returns as change unless it is dust. */
async function buildTransfer(
  { recipientAddress, amount: text, changeAddress, feeRate }: z.infer<typeof SendTransfer>,
  index: number,
  url: string,
  fetch: typeof globalThis.fetch,
): Promise<{ psbt: Psbt; fee: bigint }> {
  const { payment } = bitcoinAccount(index)
  const read = async (path: string): Promise<unknown> => (await fetch(`${url}${path}`)).json()
  const coins = Unspent.parse(await read(`/address/${payment.address}/utxo`)).sort((a, b) => b.value - a.value)
  const estimates = z.record(z.string(), z.number()).parse(await read('/fee-estimates'))
  const rate = Math.max(1, feeRate ?? estimates['2'] ?? 1)
  const amount = BigInt(text)
  if (amount < dust) throw invalidParams('The amount is too small to relay.')

  const psbt = new Psbt({ network: regtest })
  try {
    psbt.addOutput({ address: recipientAddress, value: amount })
    if (changeAddress !== undefined) addresses.toOutputScript(changeAddress, regtest)
  } catch {
    throw invalidParams('The address is for another network.')
  }
  let sum = 0n
  for (const [used, { txid, vout, value }] of coins.entries()) {
    psbt.addInput({ hash: txid, index: vout, witnessUtxo: { script: payment.output, value: BigInt(value) } })
    sum += BigInt(value)
    const fee = BigInt(Math.ceil((size.base + size.input * (used + 1) + size.output * 2) * rate))
    const change = sum - amount - fee
    if (change < 0n) continue
    if (change < dust) return { psbt, fee: sum - amount }
    psbt.addOutput({ address: changeAddress ?? payment.address, value: change })
    return { psbt, fee }
  }
  throw new ProviderRpcError(-32000, 'The wallet does not have enough bitcoin for the amount and the fee.')
}

async function send(url: string, transaction: string, fetch: typeof globalThis.fetch): Promise<string> {
  const response = await fetch(`${url}/tx`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: transaction,
  })
  const text = await response.text()
  if (!response.ok) throw new ProviderRpcError(-32000, text)
  return text
}

export const bip122: MobileNamespace = {
  name: 'Bitcoin',
  methods: bip122Methods,
  events: ['accountsChanged', 'chainChanged', 'bip122_addressesChanged'],
  address: (account) => bitcoinAddresses(account)[0].address,
  task: bitcoinTask,
  /** All addresses, with keys. The session's accounts are payment addresses. */
  sessionProperties: (account) => ({ bip122_getAccountAddresses: JSON.stringify(bitcoinAddresses(account)) }),
}
