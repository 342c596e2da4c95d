import { bip122Requests } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { parseObjectParams } from '@postern/protocol/validation/params'
import { base64, hex } from '@scure/base'
import * as z from 'zod/mini'
import { parseResult } from '../parse'
import type { Dialect, SessionState, WireRequest } from '../walletconnect/dialects/dialect'
import { bitcoinAddresses } from './walletconnect-accounts'
import { bip122Compositions, broadcastSigned } from './walletconnect-compose'

const Signed = z.object({
  address: z.optional(z.string()),
  signature: z.string().check(z.maxLength(65_536)),
})
const SignedPsbt = z.object({ psbt: z.string().check(z.maxLength(524_288)), txid: z.optional(z.nullable(z.string())) })
/** `tx_id`: the specification's first version. */
const Sent = z.union([z.string(), z.object({ txid: z.string() }), z.object({ tx_id: z.string() })])

/**
 * Bitcoin through WalletConnect. Source: https://docs.walletconnect.network/wallet-sdk/chain-support/bitcoin
 *
 * 1. Method names lack `bip122_`; every request names the `account`, the first payment address.
 * 2. Signatures and PSBTs arrive in hex or base64; both become base64.
 * 3. An account outside the session is UNAUTHORIZED.
 * 4. Wallets that ignore `protocol` sign their own way: a signature of the other type is UNSUPPORTED_METHOD.
 * 5. A PSBT to broadcast that returns without a `txid` was only signed.
 */
export const bip122Dialect: Dialect = {
  methods: ['getAccountAddresses', 'signMessage', 'signPsbt', 'sendTransfer'],
  events: ['bip122_addressesChanged', 'accountsChanged', 'chainChanged'],
  addresses: bitcoinAddresses,
  compositions: bip122Compositions,
  namesNetwork: true,
  referenceOf: (chain) => chain,

  complete: async (method, params, result, context) =>
    method === 'bip122_signPsbt' ? broadcastSigned(params, result, context) : result,

  localAnswer(method, { accounts, networkId }) {
    if (method === 'bip122_getNetwork') return networkId
    if (method !== 'bip122_getAccountAddresses' && method !== 'bip122_requestAccounts') return undefined
    return accounts.map(({ address, publicKey, path, type }) => ({
      address,
      ...(publicKey !== undefined && { publicKey }),
      ...(path !== undefined && { path }),
      purpose: type === 'ordinals' ? 'ordinals' : 'payment',
    }))
  },

  toWire(method, params, state): WireRequest {
    switch (method) {
      case 'bip122_signMessage': {
        const { address, message, protocol } = parseObjectParams(bip122Requests[method].params, params)
        assertOwn(state, address)
        return {
          method: 'signMessage',
          params: { account: address, address, message, ...(protocol !== undefined && { protocol }) },
          read: (result) => {
            const signature = toBase64(parseResult(Signed, result).signature)
            const answer = parseResult(bip122Requests[method].result, { address, signature })
            if (protocol !== undefined && protocol !== protocolOf(answer.signature))
              throw new Failure('UNSUPPORTED_METHOD')
            return answer
          },
        }
      }
      case 'bip122_signPsbt': {
        const { psbt, signInputs, broadcast } = parseObjectParams(bip122Requests[method].params, params)
        return {
          method: 'signPsbt',
          params: { account: accountOf(state), psbt, signInputs, broadcast: broadcast ?? false },
          read: (result) => {
            const answer = parseResult(SignedPsbt, result)
            const { txid } = answer
            return parseResult(bip122Requests[method].result, {
              psbt: toBase64(answer.psbt),
              ...(typeof txid === 'string' && { txid }),
            })
          },
        }
      }
      case 'bip122_sendTransfer': {
        const { account, ...rest } = parseObjectParams(bip122Requests[method].params, params)
        if (account !== undefined) assertOwn(state, account)
        return {
          method: 'sendTransfer',
          params: { account: account ?? accountOf(state), ...rest },
          read: (result) => {
            const answer = parseResult(Sent, result)
            const txid = typeof answer === 'string' ? answer : 'txid' in answer ? answer.txid : answer.tx_id
            return parseResult(bip122Requests[method].result, { txid: txid.toLowerCase() })
          },
        }
      }
      default:
        throw new Failure('UNSUPPORTED_METHOD')
    }
  },
}

/** A recoverable ECDSA signature is 65 bytes; a BIP-322 witness never is. */
function protocolOf(signature: string): 'ecdsa' | 'bip322' {
  return base64.decode(signature).length === 65 ? 'ecdsa' : 'bip322'
}

function assertOwn({ accounts }: SessionState, address: string): void {
  if (!accounts.some((account) => account.address === address)) throw new Failure('UNAUTHORIZED')
}

function accountOf({ accounts }: SessionState): string {
  return (accounts.find(({ type }) => type === 'payment') ?? accounts[0])?.address ?? ''
}

/** From hex or base64; at this length no text is both. */
function toBase64(text: string): string {
  return /^([0-9a-f]{2}){40,}$/i.test(text) ? base64.encode(hex.decode(text.toLowerCase())) : text
}
