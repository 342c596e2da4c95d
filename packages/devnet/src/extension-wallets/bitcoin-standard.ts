/** Source: https://github.com/ExodusMovement/bitcoin-wallet-standard */

import { invalidParams } from '@postern/evm-wallet/rpc-error'
import { hex } from '@scure/base'
import * as z from 'zod/mini'
import { type BitcoinKeys, bitcoinChains, chainOf, type InputToSign, type ShownAddress } from './bitcoin-keys'
import { guarded, read, readPsbt } from './guarded'
import type { Owner } from './owner'
import { createEvents, type StandardAccount, type StandardWallet } from './standard'

const Bytes = z.instanceof(Uint8Array)
const Account = z.object({ address: z.string() })
const Connect = z.optional(z.object({ purposes: z.optional(z.array(z.enum(['payment', 'ordinals']))) }))
const sigHashes = {
  ALL: 0x01,
  NONE: 0x02,
  SINGLE: 0x03,
  'ALL|ANYONECANPAY': 0x81,
  'NONE|ANYONECANPAY': 0x82,
  'SINGLE|ANYONECANPAY': 0x83,
} as const
const SigHash = z.enum(['ALL', 'NONE', 'SINGLE', 'ALL|ANYONECANPAY', 'NONE|ANYONECANPAY', 'SINGLE|ANYONECANPAY'])
const SignMessage = z.object({ account: Account, message: Bytes })
const SignTransaction = z.object({
  psbt: Bytes,
  inputsToSign: z.array(
    z.object({ account: Account, signingIndexes: z.array(z.int().check(z.gte(0))), sigHash: z.optional(SigHash) }),
  ),
  chain: z.optional(z.string()),
})

const features = ['bitcoin:signMessage', 'bitcoin:signTransaction', 'bitcoin:signAndSendTransaction']

/**
 * A Wallet Standard Bitcoin wallet.
 *
 * 1. `bitcoin:connect` returns the addresses of the requested purposes. The standard has no `silent`, so apps read
 *    `accounts` to avoid a prompt.
 * 2. A message is signed by the kind of address: ECDSA for payment, BIP-322 for ordinals.
 * 3. Inputs are signed for the accounts they are listed under. The PSBT is returned unfinalized.
 */
export function createBitcoinStandardWallet(
  owner: Owner,
  keys: BitcoinKeys,
  { name, icon }: { readonly name: string; readonly icon: string },
): StandardWallet {
  const events = createEvents<[{ readonly accounts: readonly StandardAccount[] }]>()
  const view = ({ address, publicKey, purpose }: ShownAddress): StandardAccount & { readonly purpose: string } => ({
    address,
    publicKey: hex.decode(publicKey),
    chains: [owner.chain()],
    features,
    purpose,
  })
  const accounts = () => keys.visible().map(view)
  owner.listen(() => events.emit('change', { accounts: accounts() }))

  async function signed(input: z.output<typeof SignTransaction>) {
    if (input.chain !== undefined && input.chain !== owner.chain())
      throw invalidParams(`The transaction is for ${input.chain}, but the wallet is on ${owner.chain()}.`)
    const psbt = readPsbt(input.psbt, chainOf(owner.chain()).network)
    const wanted: InputToSign[] = input.inputsToSign.flatMap(({ account, signingIndexes, sigHash }) =>
      signingIndexes.map((index) => ({
        index,
        address: account.address,
        ...(sigHash !== undefined && { sighashTypes: [sigHashes[sigHash]] }),
      })),
    )
    return await keys.signPsbt(psbt, wanted)
  }

  const own = {
    'bitcoin:connect': {
      version: '1.0.0',
      connect: (input?: unknown) =>
        guarded(async () => {
          const { purposes = ['payment', 'ordinals'] } = read(Connect, input) ?? {}
          await owner.connect()
          const wanted = keys.visible().filter(({ purpose }) => purposes.includes(purpose))
          return { accounts: wanted.map(view) }
        }),
    },
    'bitcoin:disconnect': { version: '1.0.0', disconnect: async () => owner.disconnect() },
    'bitcoin:events': { version: '1.0.0', on: events.on },
    'bitcoin:signMessage': {
      version: '1.0.0',
      signMessage: (...inputs: unknown[]) =>
        guarded(async () => {
          const outcome: { signedMessage: Uint8Array; signature: Uint8Array }[] = []
          for (const input of inputs) {
            const { account, message } = read(SignMessage, input)
            outcome.push({ signedMessage: message, signature: await keys.signMessage(message, account.address) })
          }
          return outcome
        }),
    },
    'bitcoin:signTransaction': {
      version: '1.0.0',
      signTransaction: (...inputs: unknown[]) =>
        guarded(async () => {
          const outcome: { signedPsbt: Uint8Array }[] = []
          for (const input of inputs)
            outcome.push({ signedPsbt: (await signed(read(SignTransaction, input))).toBuffer() })
          return outcome
        }),
    },
    'bitcoin:signAndSendTransaction': {
      version: '1.0.0',
      signAndSendTransaction: (...inputs: unknown[]) =>
        guarded(async () => {
          const outcome: { txId: string }[] = []
          for (const input of inputs) {
            const psbt = (await signed(read(SignTransaction, input))).finalizeAllInputs()
            outcome.push({ txId: await keys.broadcast(psbt.extractTransaction(true).toHex()) })
          }
          return outcome
        }),
    },
  } as const

  return {
    version: '1.0.0',
    name,
    icon,
    chains: bitcoinChains.map(({ id }) => id),
    features: own,
    get accounts() {
      return accounts()
    },
  }
}
