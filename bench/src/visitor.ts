/** The requests of the modal and the wallet's frame, without a browser; own connections and address. */
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import * as z from 'zod/mini'
import { blockchainAnswers as answers } from '../../packages/protocol/src/blockchain-api'

/** `ms`: until the last byte of the response. */
export type Sample = { readonly what: string; readonly ms: number; readonly failure: string | null }

export type Setting = {
  readonly port: number
  readonly dapp: string
  readonly networks: { readonly evm: readonly string[]; readonly solana: string; readonly bitcoin: string }
  readonly accounts: { readonly evm: string; readonly token: string; readonly solana: string; readonly bitcoin: string }
  /** Token addresses on the first EVM chain. */
  readonly swap: { readonly from: string; readonly to: string }
  readonly record: (sample: Sample) => void
}

export type Visitor = {
  /** Everything up to the wallet's frame: pages, files, directory, images, balances. */
  open(): Promise<void>
  /** Balances on four chains; now and then page and directory. */
  look(): Promise<void>
  /** Every view, for an address of its own. */
  openAccount(): Promise<void>
  lookAtAccount(): Promise<void>
  /** A code of an unknown sign-in. */
  guess(): Promise<void>
  leave(): void
}

type Answer = { readonly status: number; readonly body: Buffer; readonly headers: IncomingHttpHeaders }

const projectId = 'bench'
const Wallets = z.object({ data: z.array(z.object({ image_id: z.optional(z.string()) })) })
const RpcAnswers = z.array(z.object({ result: z.unknown() }))
/** Max per host, as in a browser. */
const connections = 6
const pictures = 8

export function createVisitor(setting: Setting, index: number): Visitor {
  const { port, dapp, networks, accounts } = setting
  const agents = { modal: newAgent(), wallet: newAgent() }
  const hosts = { modal: `modal.postern.localhost:${port}`, wallet: `wallet.postern.localhost:${port}` }
  const address = `198.18.${index >> 8}.${index & 255}`
  let seenPage: string | undefined

  const ask = (
    site: 'modal' | 'wallet',
    path: string,
    { body, headers = {} }: { body?: string; headers?: Record<string, string> } = {},
  ) =>
    new Promise<Answer>((resolve, reject) => {
      const sent = request(
        {
          host: '127.0.0.1',
          port,
          path,
          agent: agents[site],
          method: body === undefined ? 'GET' : 'POST',
          headers: {
            host: hosts[site],
            'accept-encoding': 'identity',
            'x-forwarded-for': address,
            'sec-fetch-site': 'same-origin',
            ...(body === undefined ? {} : { origin: `http://${hosts[site]}`, 'content-type': 'application/json' }),
            ...headers,
          },
        },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks), headers: response.headers }),
          )
          response.on('error', reject)
        },
      )
      sent.on('error', reject)
      sent.end(body)
    })

  /** @param problem returns what is wrong with a response, or null. */
  async function timed(
    what: string,
    asked: () => Promise<Answer>,
    problem: (answer: Answer) => string | null = ({ status }) => (status === 200 ? null : String(status)),
  ): Promise<Answer | null> {
    const began = performance.now()
    try {
      const answer = await asked()
      setting.record({ what, ms: performance.now() - began, failure: problem(answer) })
      return answer
    } catch (cause) {
      setting.record({ what, ms: performance.now() - began, failure: String(cause) })
      return null
    }
  }

  const filesOf = (site: 'modal' | 'wallet', page: Answer | null) => {
    const paths = [...String(page?.body ?? '').matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(
      ([, path = '']) => path,
    )
    const headers = { 'accept-encoding': 'br' }
    return Promise.all(paths.map((path) => timed('a script or style', () => ask(site, path, { headers }))))
  }

  const directory = async () => {
    const answer = await timed('a page of the directory', () =>
      ask('modal', `/getWallets?projectId=${projectId}&page=1&entries=40`),
    )
    return answer?.status === 200 ? Wallets.parse(JSON.parse(String(answer.body))).data : []
  }

  const rpc = (chainId: string, calls: readonly { method: string; params: unknown }[]) =>
    timed(
      'balances by JSON-RPC',
      () =>
        ask('modal', `/v1/?chainId=${chainId}&projectId=${projectId}`, {
          body: JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }))),
        }),
      ({ status, body }) =>
        status === 200 && RpcAnswers.safeParse(JSON.parse(String(body))).success
          ? null
          : `${status} ${String(body).slice(0, 120)}`,
    )

  const balances = () =>
    Promise.all([
      ...networks.evm.map((chainId) =>
        rpc(chainId, [
          { method: 'eth_getBalance', params: [accounts.evm, 'latest'] },
          // balanceOf(address)
          {
            method: 'eth_call',
            params: [{ to: accounts.token, data: `0x70a08231${accounts.evm.slice(2).padStart(64, '0')}` }, 'latest'],
          },
        ]),
      ),
      rpc(networks.solana, [{ method: 'getBalance', params: [accounts.solana] }]),
      timed('a balance by Esplora', () =>
        ask('modal', `/v1/esplora/${networks.bitcoin}/address/${accounts.bitcoin}?projectId=${projectId}`),
      ),
    ])

  const page = () =>
    timed(
      "the modal's page",
      () =>
        ask('modal', `/?projectId=${projectId}`, {
          headers: {
            referer: `${dapp}/`,
            'sec-fetch-site': 'cross-site',
            ...(seenPage === undefined ? {} : { 'if-none-match': seenPage }),
          },
        }),
      ({ status, headers }) => {
        const expected = seenPage === undefined || seenPage !== headers.etag ? 200 : 304
        seenPage = headers.etag
        return status === expected ? null : `${status} for ${expected}`
      },
    )

  const frame = () =>
    timed("the wallet's frame", () =>
      ask('wallet', `/sdk?projectId=${projectId}&chainId=${networks.evm[0] ?? ''}&version=4`, {
        headers: { referer: `http://${hosts.modal}/`, 'sec-fetch-site': 'same-site' },
      }),
    )

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
      await money('what can be bought', answers.onRampOptions, '/v1/onramp/options')
      await money('a quote of the seller', answers.onRampQuote, '/v1/onramp/quote', {}, buying)
      await money('names', answers.nameProfiles, `/v1/profile/reverse/${own}`)
      await money('suggested names', answers.nameSuggestions, `/v1/profile/suggestions/visitor-${index}`)
      await money('smart sessions', answers.smartSessions, `/v1/sessions/${on(own)}`)
    },
    async lookAtAccount() {
      await Promise.all([...portfolio(), prices(), quote(), event('LOOK')])
    },
    async open() {
      await filesOf('modal', await page())
      const wallets = await directory()
      const ids = wallets.flatMap(({ image_id }) => (image_id === undefined ? [] : [image_id])).slice(0, pictures)
      await Promise.all([
        ...ids.map((id) => timed("a wallet's picture", () => ask('modal', `/getWalletImage/${id}`))),
        frame().then((answer) => filesOf('wallet', answer)),
      ])
      await balances()
    },
    async look() {
      await Promise.all([balances(), directory(), page()])
    },
    async guess() {
      const secret = () => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')
      const body = JSON.stringify({ flow: secret(), deviceToken: secret(), otp: '000000' })
      await timed(
        'a guessed code',
        () => ask('wallet', `/auth/email/verify?projectId=${projectId}`, { body }),
        ({ status }) => (status === 410 || status === 429 ? null : String(status)),
      )
    },
    leave() {
      agents.modal.destroy()
      agents.wallet.destroy()
    },
  }
}

function newAgent(): Agent {
  return new Agent({ keepAlive: true, maxSockets: connections })
}
