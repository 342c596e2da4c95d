import { parseAnswer } from '@postern/chains/nodes/ask-node'
import { blockchainAnswers as answers, ErrorBody, limits, SupportedChains } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { asFailure } from '@postern/protocol/wallet-errors'
import type * as z from 'zod/mini'
import { type HttpClient, HttpError } from '../services/http'
import type { BlockchainApi } from '../snapshot/money'

/**
 * The Blockchain API over HTTP.
 *
 * 1. A malformed response is INTERNAL.
 * 2. A status that is not OK is HTTP_STATUS, with the service's own message if any.
 * 3. An unregistered name (404) is null.
 */
export function createBlockchainApi(http: HttpClient, projectId: string): BlockchainApi {
  async function parsed<T>(schema: z.ZodMiniType<T>, answer: Promise<unknown>): Promise<T> {
    const body = await answer.catch((thrown: unknown) => {
      throw inOurWords(thrown)
    })
    return parseAnswer(schema, body)
  }
  const at = (...parts: readonly string[]) => `/v1/${parts.map((part) => encodeURIComponent(part)).join('/')}`
  const withSignal = (signal: AbortSignal | undefined) => (signal === undefined ? {} : { signal })

  return {
    supportedChains: (signal) => parsed(SupportedChains, http.get(at('supported-chains'), withSignal(signal))),
    identity: ({ address, ...query }, signal) =>
      parsed(answers.identity, http.get(at('identity', address), { query, ...withSignal(signal) })),
    balance: ({ address, chainId, forceUpdate }, signal) =>
      parsed(
        answers.balance,
        http.get(at('account', address, 'balance'), {
          query: { currency: 'usd', chainId, forceUpdate },
          ...withSignal(signal),
        }),
      ),
    history: ({ address, ...query }, signal) =>
      parsed(answers.history, http.get(at('account', address, 'history'), { query, ...withSignal(signal) })),
    nfts: ({ address, ...query }, signal) =>
      parsed(answers.nfts, http.get(at('account', address, 'nfts'), { query, ...withSignal(signal) })),
    prices: (addresses, signal) =>
      parsed(
        answers.prices,
        http.post(at('fungible', 'price'), { body: { currency: 'usd', addresses, projectId }, ...withSignal(signal) }),
      ),
    swapTokens: (chainId, signal) =>
      parsed(answers.swapTokens, http.get(at('convert', 'tokens'), { query: { chainId }, ...withSignal(signal) })),
    swapQuotes: (query, signal) =>
      parsed(answers.swapQuotes, http.get(at('convert', 'quotes'), { query, ...withSignal(signal) })),
    swapAllowance: (query, signal) =>
      parsed(answers.swapAllowance, http.get(at('convert', 'allowance'), { query, ...withSignal(signal) })),
    gasPrices: (chainId, signal) =>
      parsed(answers.gasPrices, http.get(at('convert', 'gas-price'), { query: { chainId }, ...withSignal(signal) })),
    buildSwap: (query, signal) =>
      parsed(
        answers.buildSwap,
        http.post(at('convert', 'build-transaction'), {
          body: { ...query, eip155: { slippage: limits.swapSlippagePercent }, projectId },
          ...withSignal(signal),
        }),
      ),
    buildApprove: (query, signal) =>
      parsed(answers.buildApprove, http.get(at('convert', 'build-approve'), { query, ...withSignal(signal) })),
    async name({ name, ...query }, signal) {
      try {
        const path = at('profile', 'account', name)
        return await parsed(answers.nameProfile, http.get(path, { query, ...withSignal(signal) }))
      } catch (thrown) {
        if (httpStatusOf(thrown) === 404) return null
        throw thrown
      }
    },
    namesOf: (address, signal) =>
      parsed(answers.nameProfiles, http.get(at('profile', 'reverse', address), withSignal(signal))),
    nameSuggestions: (name, signal) =>
      parsed(answers.nameSuggestions, http.get(at('profile', 'suggestions', name), withSignal(signal))),
    registerName: (body) => parsed(answers.registerName, http.post(at('profile', 'account'), { body })),
    releaseName: (body) => parsed(answers.releaseName, http.post(at('profile', 'account', 'release'), { body })),
    onRampOptions: (signal) => parsed(answers.onRampOptions, http.get(at('onramp', 'options'), withSignal(signal))),
    onRampQuote: (body, signal) =>
      parsed(answers.onRampQuote, http.post(at('onramp', 'quote'), { body, ...withSignal(signal) })),
    onRampUrl: (body) => parsed(answers.onRampUrl, http.post(at('generators', 'onrampurl'), { body })),
    onRampPurchases: (partnerUserId, signal) =>
      parsed(answers.onRampPurchases, http.get(at('onramp', 'purchases', partnerUserId), withSignal(signal))),
    smartSessions: (account, signal) =>
      parsed(answers.smartSessions, http.get(at('sessions', account), withSignal(signal))),
    async revokeSession(address, body) {
      try {
        await http.post(at('sessions', address, 'revoke'), { body })
      } catch (thrown) {
        throw inOurWords(thrown)
      }
    },
  }
}

function inOurWords(thrown: unknown): Failure {
  if (!(thrown instanceof HttpError)) return asFailure(thrown)
  const errorBody = ErrorBody.safeParse(thrown.body)
  const reason = errorBody.success ? errorBody.data.reasons[0]?.description : undefined
  const { status } = thrown
  return new Failure('HTTP_STATUS', { message: reason ?? thrown.message, data: { status }, cause: thrown })
}

export function httpStatusOf(thrown: unknown): number | null {
  const data: unknown = thrown instanceof Failure ? thrown.data : null
  return typeof data === 'object' && data !== null && 'status' in data && typeof data.status === 'number'
    ? data.status
    : null
}
