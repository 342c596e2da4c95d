import type { AccountOf } from '../namespaces/contract'
import { requestFailure } from '../shared/failures'
import { fromStandardChain } from '../shared/standard-chains'
import { fromBase58, fromBase64, sighashType, toBase58, toBase64 } from './bytes'

import { listOf, member } from './call'
import { numbered, type Router } from './router'

type Input = Readonly<Record<string, unknown>>

export type Sign = (inputs: readonly Input[], accountOf: AccountOf) => Promise<object[]>

/** Of the announced wallet. Source: https://github.com/anza-xyz/wallet-standard */
export function solanaFeatures(router: Router): Readonly<Record<string, Sign>> {
  const ask = (method: string, { account, chain }: Input, params: object): Promise<unknown> => {
    const network = fromStandardChain(chain)
    // An unknown network must not fall back to the connection's.
    if (chain !== undefined && network === undefined) throw requestFailure('INVALID_PARAMS')
    return router.request({
      method: `solana_${method}`,
      params: { ...params, pubkey: member(account, 'address'), ...(network && { network }) },
    })
  }
  const transactionOf = ({ transaction }: Input): string => toBase64(bytesOf(transaction))
  const signOne = async (input: Input) => {
    const answer = await ask('signTransaction', input, { transaction: transactionOf(input) })
    return { signedTransaction: fromBase64(member(answer, 'transaction')) }
  }
  const target = ({ account, chain }: Input) => JSON.stringify([member(account, 'address'), chain])

  return {
    'solana:signMessage': inTurn(async (input) => {
      const answer = await ask('signMessage', input, { message: toBase58(bytesOf(input.message)) })
      const changed = member(answer, 'signedMessage')
      return {
        signedMessage: changed === undefined ? input.message : fromBase58(changed),
        signature: fromBase58(member(answer, 'signature')),
      }
    }),
    'solana:signIn': inTurn(async (input, accountOf) => {
      await router.connect(false)
      const answer = await router.request({ method: 'solana_signIn', params: input })
      return {
        account: await accountOf(member(answer, 'address')),
        signedMessage: fromBase58(member(answer, 'message')),
        signature: fromBase58(member(answer, 'signature')),
      }
    }),
    'solana:signTransaction': (inputs, accountOf) =>
      numbered(async () => {
        const [first] = inputs
        if (first === undefined) return []
        // One account and network per request.
        if (inputs.length === 1 || inputs.some((input) => target(input) !== target(first)))
          return inTurn(signOne)(inputs, accountOf)
        const answer = await ask('signAllTransactions', first, { transactions: inputs.map(transactionOf) })
        return inputs.map((_, at) => ({ signedTransaction: fromBase64(member(answer, 'transactions', String(at))) }))
      }),
    'solana:signAndSendTransaction': inTurn(async (input) => {
      const { options } = input
      const params = { transaction: transactionOf(input), ...(isObject(options) && { sendOptions: options }) }
      return { signature: fromBase58(member(await ask('signAndSendTransaction', input, params), 'signature')) }
    }),
  }
}

/** Of the announced wallet. Source: https://github.com/ExodusMovement/bitcoin-wallet-standard */
export function bitcoinFeatures(router: Router): Readonly<Record<string, Sign>> {
  return {
    'bitcoin:signMessage': inTurn(async ({ account, message }) => {
      const params = { address: member(account, 'address'), message: textOf(message) }
      const answer = await router.request({ method: 'bip122_signMessage', params })
      return { signedMessage: message, signature: fromBase64(member(answer, 'signature')) }
    }),
    'bitcoin:signTransaction': inTurn(async ({ psbt, inputsToSign }) => {
      const signInputs = listOf(inputsToSign).flatMap((each) => {
        const flag = member(each, 'sigHash')
        return listOf(member(each, 'signingIndexes')).map((index) => ({
          index,
          address: member(each, 'account', 'address'),
          ...(typeof flag === 'string' && { sighashTypes: [sighashType(flag)] }),
        }))
      })
      const answer = await router.request({
        method: 'bip122_signPsbt',
        params: { psbt: toBase64(bytesOf(psbt)), signInputs },
      })
      return { signedPsbt: fromBase64(member(answer, 'psbt')) }
    }),
  }
}

/** In sequence: each may need an approval. */
function inTurn(ask: (input: Input, accountOf: AccountOf) => Promise<object>): Sign {
  return (inputs, accountOf) =>
    numbered(async () => {
      const answers: object[] = []
      for (const input of inputs) answers.push(await ask(input, accountOf))
      return answers
    })
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** @throws INVALID_PARAMS */
function bytesOf(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value
  throw requestFailure('INVALID_PARAMS')
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The request carries text: of bytes that are no UTF-8 the wallet would sign others. @throws INVALID_PARAMS */
function textOf(message: unknown): string {
  const bytes = bytesOf(message)
  try {
    return utf8.decode(bytes)
  } catch (cause) {
    throw requestFailure('INVALID_PARAMS', cause)
  }
}
