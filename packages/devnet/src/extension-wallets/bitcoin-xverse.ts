/**
 * `window.XverseProviders.BitcoinProvider` for sats-connect, listed in `window.btc_providers`.
 * Source: https://docs.xverse.app/sats-connect
 */

import { ProviderRpcError, toProviderRpcError } from '@postern/evm-wallet/rpc-error'
import { base64 } from '@scure/base'
import * as z from 'zod/mini'
import { type BitcoinKeys, bitcoinChains, chainOf, type ShownAddress } from './bitcoin-keys'
import { read, readPsbt } from './guarded'
import type { Owner } from './owner'
import { createEvents } from './standard'

const networkNames = {
  'bitcoin:mainnet': 'Mainnet',
  'bitcoin:testnet': 'Testnet',
  'bitcoin:signet': 'Signet',
  'bitcoin:regtest': 'Regtest',
} as const
const nameOf = (id: string) => networkNames[chainOf(id).id]

const Purposes = z.array(z.enum(['payment', 'ordinals', 'stacks', 'starknet', 'spark']))
const GetAddresses = z.nullish(z.object({ purposes: z.optional(Purposes), message: z.optional(z.string()) }))
const Connect = z.nullish(
  z.object({ addresses: z.optional(Purposes), network: z.optional(z.string()), message: z.optional(z.string()) }),
)
const SignMessage = z.object({
  address: z.string(),
  message: z.string(),
  protocol: z.optional(z.enum(['ECDSA', 'BIP322'])),
})
const SignPsbt = z.object({
  psbt: z.string(),
  signInputs: z.optional(z.record(z.string(), z.array(z.int().check(z.gte(0))))),
  broadcast: z.optional(z.boolean()),
})
const SendTransfer = z.object({
  recipients: z.array(z.object({ address: z.string(), amount: z.int().check(z.positive()) })).check(z.minLength(1)),
})

/**
 * sats-connect's numbers by EIP-1193's.
 * Source: https://github.com/secretkeylabs/sats-connect-core/blob/main/src/request/types/index.ts
 */
const numbers: Readonly<Record<number, number>> = { 4001: -32000, 4100: -32002 }

export const xverseListing = (icon: string) => ({
  id: 'XverseProviders.BitcoinProvider',
  name: 'Xverse Wallet',
  icon,
  webUrl: 'https://www.xverse.app/',
  methods: ['getInfo', 'getAddresses', 'getAccounts', 'signMessage', 'signPsbt', 'sendTransfer', 'wallet_connect'],
})

/**
 * A mock of Xverse.
 *
 * 1. Every request resolves with an object: `result`, or `error` with a sats-connect code. It never rejects.
 * 2. Events are `accountChange`, `networkChange` and `disconnect`.
 */
export function createXverse(owner: Owner, keys: BitcoinKeys) {
  const events = createEvents<[unknown]>()
  const view = ({ address, purpose, type, publicKey, xOnlyPublicKey }: ShownAddress) => ({
    address,
    publicKey: purpose === 'ordinals' ? xOnlyPublicKey : publicKey,
    purpose,
    addressType: type,
    walletType: 'software',
  })
  const network = () => ({ bitcoin: { name: nameOf(owner.chain()) } })
  const addresses = (purposes: readonly string[] | undefined) =>
    keys
      .visible()
      .filter(({ purpose }) => purposes === undefined || purposes.includes(purpose))
      .map(view)

  let [last, lastChain] = [JSON.stringify(addresses(undefined)), owner.chain()]
  owner.listen(() => {
    const now = addresses(undefined)
    if (owner.chain() !== lastChain)
      events.emit('networkChange', { type: 'networkChange', ...network(), addresses: now })
    else if (JSON.stringify(now) !== last) {
      if (now.length === 0) events.emit('disconnect', { type: 'disconnect' })
      else events.emit('accountChange', { type: 'accountChange', addresses: now })
    }
    last = JSON.stringify(now)
    lastChain = owner.chain()
  })

  const methods: { readonly [method: string]: (params: unknown) => Promise<unknown> } = {
    getInfo: async () => ({
      version: '1.0.0',
      platform: 'web',
      methods: Object.keys(methods),
      supports: ['WBIP001', 'WBIP004'],
    }),
    getAddresses: async (params) => {
      const options = read(GetAddresses, params)
      await owner.connect()
      return { addresses: addresses(options?.purposes), network: network() }
    },
    getAccounts: async (params) => {
      const options = read(GetAddresses, params)
      await owner.connect()
      return addresses(options?.purposes)
    },
    wallet_connect: async (params) => {
      const options = read(Connect, params)
      const wanted = bitcoinChains.find(({ id }) => nameOf(id) === options?.network)
      await owner.connect()
      if (wanted !== undefined && wanted.id !== owner.chain()) owner.switchChain(wanted.id)
      return { id: 'devnet', walletType: 'software', addresses: addresses(options?.addresses), network: network() }
    },
    wallet_getAccount: async () => {
      owner.permitted()
      return { id: 'devnet', walletType: 'software', addresses: addresses(undefined), network: network() }
    },
    wallet_disconnect: async () => {
      owner.disconnect()
      return null
    },
    wallet_renouncePermissions: async () => {
      owner.disconnect()
      return true
    },
    wallet_getNetwork: async () => network(),
    wallet_changeNetwork: async (params) => {
      const { name } = read(z.object({ name: z.string() }), params)
      const wanted = bitcoinChains.find(({ id }) => nameOf(id) === name)
      if (wanted === undefined) throw new ProviderRpcError(-32602, `The wallet does not know the network "${name}".`)
      if (wanted.id === owner.chain()) return null
      await owner.agree('Switch network', [
        { label: 'From', value: nameOf(owner.chain()) },
        { label: 'To', value: name },
      ])
      owner.switchChain(wanted.id)
      return null
    },
    signMessage: async (params) => {
      const { address, message, protocol } = read(SignMessage, params)
      const chosen = protocol === undefined ? undefined : protocol === 'ECDSA' ? 'ecdsa' : 'bip322'
      const ordinals = keys.visible().some((own) => own.address === address && own.purpose === 'ordinals')
      const signature = await keys.signMessage(message, address, chosen)
      return { signature: base64.encode(signature), address, protocol: protocol ?? (ordinals ? 'BIP322' : 'ECDSA') }
    },
    signPsbt: async (params) => {
      const { psbt, signInputs, broadcast } = read(SignPsbt, params)
      const bytes = decodeBase64(psbt)
      const inputs = Object.entries(signInputs ?? {}).flatMap(([address, indexes]) =>
        indexes.map((index) => ({ index, address })),
      )
      const parsed = readPsbt(bytes, chainOf(owner.permitted().chain).network)
      const signed = await keys.signPsbt(parsed, signInputs === undefined ? 'own' : inputs)
      if (broadcast !== true) return { psbt: signed.toBase64() }
      const txid = await keys.broadcast(signed.finalizeAllInputs().extractTransaction(true).toHex())
      return { psbt: signed.toBase64(), txid }
    },
    sendTransfer: async (params) => {
      const { recipients } = read(SendTransfer, params)
      const amounts = recipients.map(({ address, amount }) => ({ address, amount: BigInt(amount) }))
      return { txid: await keys.sendTransfer(amounts) }
    },
  }

  return {
    async request(method: unknown, params?: unknown) {
      const envelope = { jsonrpc: '2.0', id: crypto.randomUUID() }
      try {
        const run = typeof method === 'string' && Object.hasOwn(methods, method) ? methods[method] : undefined
        if (run === undefined) throw new ProviderRpcError(-32601, `The method "${method}" is not supported.`)
        owner.signal.throwIfAborted()
        return { ...envelope, result: await run(params) }
      } catch (cause) {
        const { code, message } = toProviderRpcError(cause)
        return { ...envelope, error: { code: numbers[code] ?? code, message } }
      }
    },
    addListener(info: unknown, callback?: (event: unknown) => void) {
      const { eventName, cb } = typeof info === 'string' ? { eventName: info, cb: callback } : read(Listening, info)
      return cb === undefined ? () => undefined : events.on(eventName, (event) => cb(event))
    },
  }
}

const Listening = z.object({
  eventName: z.string(),
  cb: z.custom<(event: unknown) => void>((value) => typeof value === 'function'),
})

function decodeBase64(text: string): Uint8Array {
  try {
    return base64.decode(text)
  } catch {
    throw new ProviderRpcError(-32602, 'The PSBT is not in base64.')
  }
}
