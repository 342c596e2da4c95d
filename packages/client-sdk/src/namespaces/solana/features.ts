import { fromBase58, fromBase64, toBase58, toBase64 } from '../../adapters/bytes'
import { member } from '../../adapters/call'
import { numbered, type Router } from '../../adapters/router'
import { bytesOf, inSequence } from '../../adapters/standard-features'
import { requestFailure } from '../../shared/failures'
import { isObject } from '../../shared/is-object'
import { fromStandardChain } from '../../shared/standard-chains'
import type { Input, Sign } from '../contract'

/** Source: https://github.com/anza-xyz/wallet-standard */
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
    'solana:signMessage': inSequence(async (input) => {
      const answer = await ask('signMessage', input, { message: toBase58(bytesOf(input.message)) })
      const changed = member(answer, 'signedMessage')
      return {
        signedMessage: changed === undefined ? input.message : fromBase58(changed),
        signature: fromBase58(member(answer, 'signature')),
      }
    }),
    'solana:signIn': inSequence(async (input, accountOf) => {
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
        // A request has one account and network.
        if (inputs.length === 1 || inputs.some((input) => target(input) !== target(first)))
          return inSequence(signOne)(inputs, accountOf)
        const answer = await ask('signAllTransactions', first, { transactions: inputs.map(transactionOf) })
        return inputs.map((_, at) => ({ signedTransaction: fromBase64(member(answer, 'transactions', String(at))) }))
      }),
    'solana:signAndSendTransaction': inSequence(async (input) => {
      const { options } = input
      const params = { transaction: transactionOf(input), ...(isObject(options) && { sendOptions: options }) }
      return { signature: fromBase58(member(await ask('signAndSendTransaction', input, params), 'signature')) }
    }),
  }
}
