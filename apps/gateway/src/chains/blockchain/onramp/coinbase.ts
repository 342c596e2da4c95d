/**
 * Coinbase Onramp, or a provider with the same API.
 *
 * 1. Each call has its own token, signed for its method, host and path.
 * 2. Unknown networks are left out, and so are currencies without a known one.
 * 3. A failure is logged as host, path and a fixed reason, without keys, tokens, addresses or amounts.
 * 4. A rejected request (400) is distinguished from a failure.
 *
 * Source: https://docs.cdp.coinbase.com/onramp/introduction/welcome and
 * https://docs.cdp.coinbase.com/api-reference/v2/authentication
 */
import { randomBytes } from 'node:crypto'
import {
  type CaipNetworkId,
  Decimal,
  type OnRampOptions,
  type OnRampPurchases,
  type OnRampQuote,
} from '@postern/protocol'
import { SignJWT } from 'jose'
import * as z from 'zod/mini'
import type { Log } from '../../../platform/log/log'
import { parseJson } from '../../../platform/parse-json'
import { fetchText, reasonOf } from '../../../platform/upstreams/attempt'
import type { OnRampConfig } from './config'

/** No valid response. */
export class OnRampFailedError extends Error {
  override readonly name = 'OnRampFailedError'
}
/** Such as for the amount or currency. */
export class OnRampRefusedError extends Error {
  override readonly name = 'OnRampRefusedError'
}

export type Region = { readonly country: string; readonly subdivision: string | null }

export type SessionQuery = {
  readonly addresses: readonly { readonly address: string; readonly blockchains: readonly string[] }[]
  readonly assets: readonly string[]
  /** The session is valid only from this address. */
  readonly clientIp: string
}

/** @throws {OnRampFailedError | OnRampRefusedError} */
export type OnRamp = {
  options(region: Region): Promise<OnRampOptions>
  quote(query: {
    readonly purchaseCurrency: string
    readonly paymentCurrency: string
    readonly amount: string
    readonly network: string
    readonly region: Region
  }): Promise<OnRampQuote>
  session(query: SessionQuery): Promise<string>
  /** Newest first. */
  purchases(partnerUser: string): Promise<OnRampPurchases['purchases']>
}

const Text = z.string().check(z.maxLength(256))
const Limit = z.object({ id: Text, min: Decimal, max: Decimal })
const Options = z.object({
  payment_currencies: z.array(
    z.object({
      id: Text,
      limits: z.optional(z.array(z.unknown())),
      payment_method_limits: z.optional(z.array(z.unknown())),
    }),
  ),
  purchase_currencies: z.array(
    z.object({
      id: Text,
      name: Text,
      symbol: Text,
      networks: z.array(
        z.object({
          name: Text,
          display_name: Text,
          chain_id: z.optional(z.string()),
          contract_address: z.optional(Text),
        }),
      ),
    }),
  ),
})
const Value = z.object({ value: Decimal, currency: Text })
const Quote = z.object({
  payment_total: Value,
  payment_subtotal: Value,
  purchase_amount: Value,
  coinbase_fee: Value,
  network_fee: Value,
  quote_id: Text,
})
const Token = z.object({ token: z.string().check(z.regex(/^[\w.~+/=-]{1,4096}$/)) })
const Purchases = z.object({
  transactions: z.array(
    z.object({
      status: Text,
      tx_hash: z.nullish(Text),
      purchase_currency: z.nullish(Text),
      purchase_network: z.nullish(Text),
      purchase_amount: z.nullish(Value),
    }),
  ),
})

/** By the provider's names. */
const otherNetworks: ReadonlyMap<string, CaipNetworkId> = new Map([
  ['solana', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
  ['bitcoin', 'bip122:000000000019d6689c085ae165831e93'],
])

/** In ms. */
const timeout = 10_000
const maxResponseBytes = 2_097_152
/** In seconds. */
const tokenLifetime = 120
const purchasesAtOnce = 20

export function createCoinbaseOnRamp({
  config,
  isKnown,
  fetch,
  log,
  now,
}: {
  readonly config: OnRampConfig
  readonly isKnown: (id: string) => boolean
  readonly fetch: typeof globalThis.fetch
  readonly log: Pick<Log, 'warn'>
  /** Epoch milliseconds. */
  readonly now: () => number
}): OnRamp {
  const base = config.api.pathname.replace(/\/+$/, '')
  const algorithm = config.privateKey.asymmetricKeyType === 'ec' ? 'ES256' : 'EdDSA'

  function sign(method: string, path: string): Promise<string> {
    const at = Math.floor(now() / 1000)
    return new SignJWT({
      iss: 'cdp',
      sub: config.keyId,
      nbf: at,
      exp: at + tokenLifetime,
      uri: `${method} ${config.api.host}${path}`,
    })
      .setProtectedHeader({ alg: algorithm, kid: config.keyId, nonce: randomBytes(16).toString('hex'), typ: 'JWT' })
      .sign(config.privateKey)
  }

  async function call<T>(
    schema: z.ZodMiniType<T>,
    {
      method,
      what,
      path,
      query = {},
      body,
    }: {
      readonly method: 'GET' | 'POST'
      readonly what: string
      readonly path: string
      readonly query?: Readonly<Record<string, string>>
      readonly body?: unknown
    },
  ): Promise<T> {
    const fail = (reason: string) => {
      log.warn({ host: config.api.host, what, reason }, 'on-ramp failed')
      return new OnRampFailedError(`The on-ramp failed: ${reason}`)
    }
    const target = new URL(config.api)
    target.pathname = `${base}${path}`
    target.search = String(new URLSearchParams(query))
    const headers = {
      authorization: `Bearer ${await sign(method, target.pathname)}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    const { response, text } = await fetchText(target.href, init, timeout, { fetch, maxResponseBytes }).catch(
      (error: unknown) => {
        throw fail(reasonOf(error))
      },
    )
    if (response.status === 400) throw new OnRampRefusedError('The on-ramp refused what was asked for')
    if (!response.ok) throw fail(`status ${response.status}`)
    const parsed = schema.safeParse(parseJson(text))
    if (!parsed.success) throw fail('another shape')
    return parsed.data
  }

  return {
    async options({ country, subdivision }) {
      const query = { country, ...(subdivision === null ? {} : { subdivision }) }
      const answer = await call(Options, { method: 'GET', what: 'options', path: '/buy/options', query })
      return {
        paymentCurrencies: answer.payment_currencies.map(({ id, limits, payment_method_limits: methods }) => ({
          id,
          payment_method_limits: (limits ?? methods ?? []).flatMap((limit) => {
            const read = Limit.safeParse(limit)
            return read.success ? [{ ...read.data, id: read.data.id.toLowerCase() }] : []
          }),
        })),
        purchaseCurrencies: answer.purchase_currencies.flatMap(({ networks, ...currency }) => {
          const known = networks.flatMap((network) => {
            const chainId = chainOf(network.name, network.chain_id ?? '')
            const { name, display_name, contract_address = '' } = network
            return chainId !== null && isKnown(chainId.caip)
              ? [{ name, display_name, chain_id: chainId.code, contract_address }]
              : []
          })
          return known.length === 0 ? [] : [{ ...currency, networks: known }]
        }),
      }
    },
    async quote({ purchaseCurrency, paymentCurrency, amount, network, region }) {
      const body = {
        purchase_currency: purchaseCurrency,
        purchase_network: network,
        payment_amount: amount,
        payment_currency: paymentCurrency,
        payment_method: 'CARD',
        country: region.country,
        ...(region.subdivision === null ? {} : { subdivision: region.subdivision }),
      }
      const quote = await call(Quote, { method: 'POST', what: 'quote', path: '/buy/quote', body })
      return {
        paymentTotal: asMoney(quote.payment_total),
        paymentSubtotal: asMoney(quote.payment_subtotal),
        purchaseAmount: asMoney(quote.purchase_amount),
        networkFee: asMoney(quote.network_fee),
        serviceFee: asMoney(quote.coinbase_fee),
        quoteId: quote.quote_id,
      }
    },
    async session({ addresses, assets, clientIp }) {
      const body = { addresses, ...(assets.length === 0 ? {} : { assets }), clientIp }
      return (await call(Token, { method: 'POST', what: 'session', path: '/token', body })).token
    },
    async purchases(partnerUser) {
      const path = `/buy/user/${encodeURIComponent(partnerUser)}/transactions`
      const query = { pageSize: `${purchasesAtOnce}` }
      const { transactions } = await call(Purchases, { method: 'GET', what: 'purchases', path, query })
      return transactions.map((transaction) => ({
        status: statusOf(transaction.status),
        hash: transaction.tx_hash === '' ? null : (transaction.tx_hash ?? null),
        symbol: transaction.purchase_currency ?? '',
        network: transaction.purchase_network ?? '',
        amount: transaction.purchase_amount?.value ?? '0',
      }))
    },
  }
}

/** `code`: chain id (EVM) or CAIP-2. */
function chainOf(name: string, chainId: string): { readonly caip: string; readonly code: string } | null {
  const other = otherNetworks.get(name.toLowerCase())
  if (other !== undefined) return { caip: other, code: other }
  if (/^[1-9]\d{0,15}$/.test(chainId)) return { caip: `eip155:${chainId}`, code: chainId }
  return /^(?:solana|bip122):/.test(chainId) ? { caip: chainId, code: chainId } : null
}

function asMoney({ value, currency }: z.infer<typeof Value>) {
  return { amount: value, currency }
}

function statusOf(status: string): 'pending' | 'delivered' | 'failed' {
  if (status.endsWith('_SUCCESS')) return 'delivered'
  return status.endsWith('_FAILED') ? 'failed' : 'pending'
}
