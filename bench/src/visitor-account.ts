/** The requests of one visitor's account area. */
import * as z from 'zod/mini'
import { blockchainAnswers as answers } from '../../packages/protocol/src/gateway/blockchain-api'
import { projectId, type Setting, type VisitorRequests } from './visitor-requests'

export type VisitorAccount = {
  /** Every view, for an address of its own. */
  openAccount(): Promise<void>
  lookAtAccount(): Promise<void>
}

export function createVisitorAccount(setting: Setting, index: number, { ask, timed }: VisitorRequests): VisitorAccount {
  const { dapp, networks, accounts } = setting
  const own = `0x${(index + 1).toString(16).padStart(8, '0')}${accounts.evm.slice(10)}`
  const [chainId = ''] = networks.evm
  const on = (token: string) => `${chainId}:${token}`

  const money = (
    what: string,
    schema: z.ZodMiniType,
    path: string,
    query: Readonly<Record<string, string>> = {},
    body?: unknown,
  ) =>
    timed(
      what,
      () =>
        ask('modal', `${path}?${new URLSearchParams({ projectId, ...query })}`, {
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      ({ status, body: answer }) =>
        status < 300 && schema.safeParse(JSON.parse(String(answer))).success
          ? null
          : `${status} ${String(answer).slice(0, 120)}`,
    )

  const portfolio = () =>
    networks.evm.map((id) =>
      money('balances of an account', answers.balance, `/v1/account/${own}/balance`, { currency: 'usd', chainId: id }),
    )
  const prices = () =>
    money(
      'prices',
      answers.prices,
      '/v1/fungible/price',
      {},
      {
        currency: 'usd',
        addresses: [on(setting.swap.from), on(setting.swap.to)],
        projectId,
      },
    )
  const quote = () => {
    const { from, to } = setting.swap
    const query = { amount: `${10n ** 15n + BigInt(index)}`, userAddress: on(own), from: on(from), to: on(to) }
    return money("a swap's quote", answers.swapQuotes, '/v1/convert/quotes', query)
  }
  const event = (name: string) =>
    money(
      'an event',
      z.object({ status: z.literal('ok') }),
      '/e',
      {},
      {
        eventId: crypto.randomUUID(),
        url: `${dapp}/`,
        domain: new URL(dapp).hostname,
        timestamp: Date.now(),
        props: { type: 'track', event: name, properties: { view: 'Account' } },
      },
    )
  const buying = { purchaseCurrency: 'ETH', paymentCurrency: 'USD', amount: '50', network: 'postern-31337' }

  return {
    async openAccount() {
      const everywhere = <T>(ask: (id: string) => Promise<T>) => Promise.all(networks.evm.map(ask))
      await Promise.all([
        ...portfolio(),
        money('an identity', answers.identity, `/v1/identity/${own}`),
        event('ACCOUNT_OPEN'),
      ])
      await everywhere((id) =>
        money("an account's collectibles", answers.nfts, `/v1/account/${own}/nfts`, { chainId: id }),
      )
      await everywhere((id) =>
        money("an account's history", answers.history, `/v1/account/${own}/history`, { chainId: id }),
      )
      await Promise.all([
        money('tokens to swap', answers.swapTokens, '/v1/convert/tokens', { chainId }),
        money('gas prices', answers.gasPrices, '/v1/convert/gas-price', { chainId }),
        prices(),
      ])
      await quote()
      await money('assets to buy', answers.onRampOptions, '/v1/onramp/options')
      await money("a seller's quote", answers.onRampQuote, '/v1/onramp/quote', {}, buying)
      await money('names', answers.nameProfiles, `/v1/profile/reverse/${own}`)
      await money('suggested names', answers.nameSuggestions, `/v1/profile/suggestions/visitor-${index}`)
      await money('smart sessions', answers.smartSessions, `/v1/sessions/${on(own)}`)
    },
    async lookAtAccount() {
      await Promise.all([...portfolio(), prices(), quote(), event('LOOK')])
    },
  }
}
