/**
 * `window.unisat` and `window.okxwallet.bitcoin` share most calls: one address, hex PSBTs.
 * Sources: https://docs.unisat.io/dev/open-api-documentation/unisat-wallet and
 * https://web3.okx.com/build/dev-docs/sdks/chains/bitcoin/provider
 */

import { unsupported } from '@postern/evm-wallet/rpc-error'
import { base64, hex } from '@scure/base'
import * as z from 'zod/mini'
import { type BitcoinKeys, chainOf } from './bitcoin-keys'
import { guarded, read, readPsbt } from './guarded'
import type { Owner } from './owner'
import { createEvents } from './standard'

const unisatChains = [
  { id: 'bitcoin:mainnet', enum: 'BITCOIN_MAINNET', name: 'Bitcoin Mainnet', network: 'livenet' },
  { id: 'bitcoin:testnet', enum: 'BITCOIN_TESTNET', name: 'Bitcoin Testnet', network: 'testnet' },
  { id: 'bitcoin:signet', enum: 'BITCOIN_SIGNET', name: 'Bitcoin Signet', network: 'testnet' },
  { id: 'bitcoin:regtest', enum: 'BITCOIN_REGTEST', name: 'Bitcoin Regtest', network: 'testnet' },
] as const

const Hex = z.string().check(z.regex(/^([0-9a-f]{2})+$/i))
const Sats = z.int().check(z.positive())
const Protocol = z._default(z.enum(['ecdsa', 'bip322-simple']), 'ecdsa')
const PsbtOptions = z.nullish(
  z.object({
    autoFinalized: z.optional(z.boolean()),
    toSignInputs: z.optional(
      z.array(
        z.object({
          index: z.int().check(z.gte(0)),
          address: z.optional(z.string()),
          publicKey: z.optional(z.string()),
          sighashTypes: z.optional(z.array(z.int())),
        }),
      ),
    ),
  }),
)
const SendOptions = z.nullish(z.object({ feeRate: z.optional(z.number().check(z.positive())) }))

/** The one address is the payment address. */
function shared(owner: Owner, keys: BitcoinKeys) {
  const events = createEvents<[unknown]>()
  const addresses = () => keys.visible().slice(0, 1)
  const accounts = () => addresses().map(({ address }) => address)
  const address = () => {
    owner.permitted()
    return accounts()[0] ?? ''
  }
  async function signPsbt(psbtHex: unknown, options: unknown): Promise<string> {
    const { autoFinalized = true, toSignInputs } = read(PsbtOptions, options) ?? {}
    const psbt = readPsbt(hex.decode(read(Hex, psbtHex).toLowerCase()), chainOf(owner.permitted().chain).network)
    const inputs = toSignInputs?.map(({ index, address: named, sighashTypes }) => ({
      index,
      address: named,
      sighashTypes,
    }))
    const signed = await keys.signPsbt(psbt, inputs ?? 'own')
    if (autoFinalized) {
      const done = inputs?.map(({ index }) => index) ?? signed.data.inputs.map((_, index) => index)
      for (const index of done) if (signed.data.inputs[index]?.finalScriptWitness === undefined) finalize(signed, index)
    }
    return signed.toHex()
  }
  const finalize = (psbt: ReturnType<typeof readPsbt>, index: number) => {
    const { partialSig, tapKeySig } = psbt.data.inputs[index] ?? {}
    if (partialSig !== undefined || tapKeySig !== undefined) psbt.finalizeInput(index)
  }

  return {
    events,
    accounts,
    addresses,
    api: {
      requestAccounts: () =>
        guarded(async () => {
          await owner.connect()
          return accounts()
        }),
      getAccounts: async () => accounts(),
      getPublicKey: () =>
        guarded(async () => {
          address()
          return addresses()[0]?.publicKey ?? ''
        }),
      getNetwork: async () => unisatChains.find(({ id }) => id === owner.chain())?.network ?? 'testnet',
      signMessage: (message: unknown, protocol?: unknown) =>
        guarded(async () => {
          const chosen = read(Protocol, protocol) === 'ecdsa' ? 'ecdsa' : 'bip322'
          return base64.encode(await keys.signMessage(read(z.string(), message), address(), chosen))
        }),
      signPsbt: (psbtHex: unknown, options?: unknown) => guarded(() => signPsbt(psbtHex, options)),
      signPsbts: (psbtHexes: unknown, options?: unknown) =>
        guarded(async () => {
          const signed: string[] = []
          const each = read(z.optional(z.array(z.unknown())), options)
          for (const [index, one] of read(z.array(Hex), psbtHexes).entries())
            signed.push(await signPsbt(one, each?.[index]))
          return signed
        }),
      pushPsbt: (psbtHex: unknown) =>
        guarded(async () => {
          const psbt = readPsbt(hex.decode(read(Hex, psbtHex).toLowerCase()), chainOf(owner.permitted().chain).network)
          return await keys.broadcast(psbt.extractTransaction(true).toHex())
        }),
      sendBitcoin: (to: unknown, satoshis: unknown, options?: unknown) =>
        guarded(async () => {
          const recipient = { address: read(z.string(), to), amount: BigInt(read(Sats, satoshis)) }
          return await keys.sendTransfer([recipient], read(SendOptions, options)?.feeRate)
        }),
      on: (event: string, listener: (data: unknown) => void) => void events.on(event, listener),
      removeListener: events.off,
    },
  }
}

export function createUnisat(owner: Owner, keys: BitcoinKeys) {
  const { api, events, accounts } = shared(owner, keys)
  const info = () => {
    const { enum: name, ...rest } = unisatChains.find(({ id }) => id === owner.chain()) ?? unisatChains[3]
    return { enum: name, name: rest.name, network: rest.network }
  }
  let [lastAccounts, lastChain] = [accounts().join(), owner.chain()]
  owner.listen(() => {
    const now = accounts()
    if (now.join() !== lastAccounts) events.emit('accountsChanged', now)
    if (owner.chain() !== lastChain) {
      events.emit('networkChanged', info().network)
      events.emit('chainChanged', info())
    }
    lastAccounts = now.join()
    lastChain = owner.chain()
  })
  return {
    ...api,
    isUniSat: true,
    getChain: async () => info(),
    switchChain: (chain: unknown) =>
      guarded(async () => {
        const wanted = unisatChains.find((candidate) => candidate.enum === chain)
        if (wanted === undefined) throw unsupported(`switchChain to ${chain}`)
        if (wanted.id !== owner.chain()) {
          await owner.agree('Switch network', [
            { label: 'From', value: info().name },
            { label: 'To', value: wanted.name },
          ])
          owner.switchChain(wanted.id)
        }
        return info()
      }),
    pushTx: (options: unknown) =>
      guarded(async () => await keys.broadcast(read(z.object({ rawtx: Hex }), options).rawtx)),
    disconnect: async () => owner.disconnect(),
  }
}

export function createOkx(owner: Owner, keys: BitcoinKeys) {
  const { api, events, accounts, addresses } = shared(owner, keys)
  const account = () => {
    const [first] = addresses()
    if (first === undefined) return null
    const { address, publicKey } = first
    return { address, publicKey, compressedPublicKey: publicKey }
  }
  let last = accounts().join()
  owner.listen(() => {
    if (accounts().join() === last) return
    last = accounts().join()
    events.emit('accountsChanged', accounts())
    events.emit('accountChanged', account())
  })
  return {
    ...api,
    connect: () =>
      guarded(async () => {
        await owner.connect()
        return account()
      }),
    pushTx: (raw: unknown) => guarded(async () => await keys.broadcast(read(Hex, raw))),
    disconnect: async () => owner.disconnect(),
  }
}
