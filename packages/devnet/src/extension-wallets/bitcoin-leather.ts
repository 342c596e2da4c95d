/** `window.LeatherProvider`. Source: https://leather.gitbook.io/developers */

import { ProviderRpcError, toProviderRpcError } from '@postern/evm-wallet/rpc-error'
import { base64, hex } from '@scure/base'
import * as z from 'zod/mini'
import { type BitcoinKeys, chainOf } from './bitcoin-keys'
import { read, readPsbt } from './guarded'
import type { Owner } from './owner'

const Hex = z.string().check(z.regex(/^([0-9a-f]{2})+$/i))
const Amount = z.union([z.string().check(z.regex(/^[1-9][0-9]*$/)), z.int().check(z.positive())])
const SignMessage = z.object({ message: z.string(), paymentType: z.optional(z.enum(['p2wpkh', 'p2tr'])) })
const SignPsbt = z.object({
  hex: Hex,
  signAtIndex: z.optional(z.union([z.int(), z.array(z.int())])),
  allowedSighash: z.optional(z.array(z.int())),
  broadcast: z.optional(z.boolean()),
})
const Recipient = z.object({ address: z.string(), amount: Amount })
const SendTransfer = z.union([z.object({ recipients: z.array(Recipient).check(z.minLength(1)) }), Recipient])

export const leatherListing = (icon: string) => ({
  id: 'LeatherProvider',
  name: 'Leather',
  icon,
  webUrl: 'https://leather.io',
  methods: ['getInfo', 'getAddresses', 'signMessage', 'signPsbt', 'sendTransfer'],
})

/**
 * Resolves with `{ jsonrpc, id, result }`; rejects with `{ jsonrpc, id, error }`, not an Error.
 * Messages are signed by BIP-322.
 */
export function createLeather(owner: Owner, keys: BitcoinKeys) {
  const named = (type: 'p2wpkh' | 'p2tr') => {
    owner.permitted()
    return keys.visible().find((own) => own.type === type)?.address ?? ''
  }
  const methods: { readonly [method: string]: (params: unknown) => Promise<unknown> } = {
    getInfo: async () => ({ version: '6.0.0', platform: 'extension', supportedMethods: leatherListing('').methods }),
    getAddresses: async () => {
      await owner.connect()
      return {
        addresses: keys.visible().map(({ address, type, publicKey, path, xOnlyPublicKey }) => ({
          symbol: 'BTC',
          type,
          address,
          publicKey,
          derivationPath: path,
          ...(type === 'p2tr' && { tweakedPublicKey: xOnlyPublicKey }),
        })),
      }
    },
    signMessage: async (params) => {
      const { message, paymentType = 'p2wpkh' } = read(SignMessage, params)
      const address = named(paymentType)
      const signature = await keys.signMessage(message, address, 'bip322')
      return { signature: base64.encode(signature), address, message }
    },
    signPsbt: async (params) => {
      const { hex: psbtHex, signAtIndex, allowedSighash, broadcast } = read(SignPsbt, params)
      const parsed = readPsbt(hex.decode(psbtHex.toLowerCase()), chainOf(owner.permitted().chain).network)
      const inputs =
        signAtIndex === undefined
          ? 'own'
          : [signAtIndex].flat().map((index) => ({ index, sighashTypes: allowedSighash }))
      const signed = await keys.signPsbt(parsed, inputs)
      if (broadcast !== true) return { hex: signed.toHex() }
      const txid = await keys.broadcast(signed.finalizeAllInputs().extractTransaction(true).toHex())
      return { hex: signed.toHex(), txid }
    },
    sendTransfer: async (params) => {
      const transfer = read(SendTransfer, params)
      const recipients = 'recipients' in transfer ? transfer.recipients : [transfer]
      const amounts = recipients.map(({ address, amount }) => ({ address, amount: BigInt(amount) }))
      return { txid: await keys.sendTransfer(amounts) }
    },
  }
  return {
    isLeather: true,
    async request(method: unknown, params?: unknown): Promise<unknown> {
      const envelope = { jsonrpc: '2.0', id: crypto.randomUUID() }
      try {
        const run = typeof method === 'string' && Object.hasOwn(methods, method) ? methods[method] : undefined
        if (run === undefined) throw new ProviderRpcError(-32601, `"${method}" is not supported`)
        owner.signal.throwIfAborted()
        return { ...envelope, result: await run(params) }
      } catch (cause) {
        const { code, message } = toProviderRpcError(cause)
        throw { ...envelope, error: { code, message } }
      }
    },
  }
}
