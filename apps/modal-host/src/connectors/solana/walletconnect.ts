import { solanaRequests } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { parseObjectParams } from '@postern/protocol/validation/params'
import { base58, base64 } from '@scure/base'
import * as z from 'zod/mini'
import { parseResult } from '../parse'
import type { Dialect, WireRequest } from '../walletconnect/dialects/dialect'
import { plainAddresses } from '../walletconnect/dialects/plain-addresses'
import { solanaCompositions } from './walletconnect-compose'

const methods = [
  'solana_getAccounts',
  'solana_requestAccounts',
  'solana_signMessage',
  'solana_signTransaction',
  'solana_signAllTransactions',
  'solana_signAndSendTransaction',
]

/** Some wallets also return the transaction. */
const Signed = z.union([
  z.string(),
  z.object({ signature: z.optional(z.string()), transaction: z.optional(z.string()), txid: z.optional(z.string()) }),
])
const SignedAll = z.union([
  z.array(z.string()),
  z.object({ transactions: z.array(z.string()) }),
  z.object({ signatures: z.array(z.string()) }),
])

async function sign(transaction: string, pubkey: string, signature: string): Promise<string> {
  const { addSignature } = await import('@postern/chains/solana/transaction')
  return addSignature(transaction, pubkey, signature)
}

/**
 * Solana through WalletConnect. Source: https://docs.walletconnect.network/wallet-sdk/chain-support/solana
 *
 * 1. Messages are base58 and transactions base64; the session's chain replaces `network`.
 * 2. `pubkey` defaults to the active account. One outside the session is UNAUTHORIZED.
 * 3. Wallets return variants (a bare signature, base64 for base58, a base58 transaction): converted or rejected.
 * 4. A signature without the transaction is inserted here, at its key's position.
 */
export const solanaDialect: Dialect = {
  methods,
  events: ['accountsChanged', 'chainChanged'],
  addresses: plainAddresses('solana'),
  compositions: solanaCompositions,
  namesNetwork: true,
  referenceOf: (chain) => chain,

  localAnswer(method, { accounts }) {
    if (method === 'solana_getAccounts' || method === 'solana_requestAccounts') {
      return accounts.map(({ address }) => ({ pubkey: address }))
    }
    return undefined
  },

  toWire(method, params, { accounts }): WireRequest {
    const active = accounts[0]?.address
    const own = <T extends { pubkey?: string | undefined; network?: unknown }>({ network: _, ...rest }: T) => {
      const pubkey = rest.pubkey ?? active
      if (!accounts.some(({ address }) => address === pubkey) || pubkey === undefined) throw new Failure('UNAUTHORIZED')
      return { ...rest, pubkey }
    }
    switch (method) {
      case 'solana_signMessage':
        return {
          method,
          params: own(parseObjectParams(solanaRequests[method].params, params)),
          read: (result) => parseResult(solanaRequests[method].result, { signature: readSignature(result) }),
        }
      case 'solana_signTransaction': {
        const sent = own(parseObjectParams(solanaRequests[method].params, params))
        return { method, params: sent, read: (result) => readSigned(result, sent) }
      }
      case 'solana_signAllTransactions': {
        const sent = own(parseObjectParams(solanaRequests[method].params, params))
        return { method, params: sent, read: (result) => readAllSigned(result, sent) }
      }
      case 'solana_signAndSendTransaction':
        return {
          method,
          params: own(parseObjectParams(solanaRequests[method].params, params)),
          read: (result) => parseResult(solanaRequests[method].result, { signature: readSignature(result) }),
        }
      default:
        throw new Failure('UNSUPPORTED_METHOD')
    }
  },
}

async function readSigned(result: unknown, sent: { transaction: string; pubkey: string }): Promise<unknown> {
  const schema = solanaRequests.solana_signTransaction.result
  const answer = parseResult(Signed, result)
  const given = typeof answer === 'string' ? undefined : answer.transaction
  if (given !== undefined) {
    const transaction = toBase64(given)
    return parseResult(schema, { signature: readSignature(result), transaction })
  }
  const signature = readSignature(result)
  return parseResult(schema, { signature, transaction: await sign(sent.transaction, sent.pubkey, signature) })
}

async function readAllSigned(result: unknown, sent: { transactions: string[]; pubkey: string }): Promise<unknown> {
  const answer = parseResult(SignedAll, result)
  const items = Array.isArray(answer) ? answer : 'transactions' in answer ? answer.transactions : answer.signatures
  if (items.length !== sent.transactions.length) throw new Failure('INTERNAL')
  const transactions = await Promise.all(
    sent.transactions.map((transaction, at) => {
      const one = items[at] ?? ''
      const signature = signatureOf(one)
      return signature === undefined ? toBase64(one) : sign(transaction, sent.pubkey, signature)
    }),
  )
  return parseResult(solanaRequests.solana_signAllTransactions.result, { transactions })
}

function readSignature(result: unknown): string {
  const answer = parseResult(Signed, result)
  const text = typeof answer === 'string' ? answer : (answer.signature ?? answer.txid)
  const signature = text === undefined ? undefined : signatureOf(text)
  if (signature === undefined) throw new Failure('INTERNAL', { message: 'The wallet answered no signature' })
  return signature
}

/** 64 bytes as base58, from base58 or base64. */
function signatureOf(text: string): string | undefined {
  for (const coder of [base58, base64]) {
    try {
      const bytes = coder.decode(text)
      if (bytes.length === 64) return base58.encode(bytes)
    } catch {
      // Not in this alphabet.
    }
  }
  return undefined
}

/** From base64 or base58. */
function toBase64(text: string): string {
  try {
    return base64.encode(base64.decode(text))
  } catch {
    try {
      return base64.encode(base58.decode(text))
    } catch (cause) {
      throw new Failure('INTERNAL', { message: 'The wallet answered no transaction', cause })
    }
  }
}
