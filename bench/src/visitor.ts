/** The requests of the modal and the wallet's frame, without a browser; own connections and address. */
import * as z from 'zod/mini'
import { createVisitorAccount, type VisitorAccount } from './visitor-account'
import { type Answer, createVisitorRequests, projectId, type Setting, type Site } from './visitor-requests'

export type Visitor = VisitorAccount & {
  /** Everything up to the wallet's frame: pages, files, directory, images, balances. */
  open(): Promise<void>
  /** Balances on four chains; now and then page and directory. */
  look(): Promise<void>
  /** A code of an unknown sign-in. */
  guess(): Promise<void>
  leave(): void
}

const Wallets = z.object({ data: z.array(z.object({ image_id: z.optional(z.string()) })) })
const RpcAnswers = z.array(z.object({ result: z.unknown() }))
const pictures = 8

export function createVisitor(setting: Setting, index: number): Visitor {
  const { dapp, networks, accounts } = setting
  const requests = createVisitorRequests(setting, `198.18.${index >> 8}.${index & 255}`)
  const { hosts, ask, timed } = requests
  let seenPage: string | undefined

  const filesOf = (site: Site, page: Answer | null) => {
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

  return {
    ...createVisitorAccount(setting, index, requests),
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
    leave: requests.leave,
  }
}
