/**
 * Visitors who arrive at a steady rate at three gateways on one PostgreSQL, while parts of it fail.
 *
 * 1. Each opens the modal, signs in by email, stores a wallet, looks at balances and signs in with a wallet of its own.
 *    Each has a network address and a mail domain of its own.
 * 2. Meanwhile a gateway is killed and started again, PostgreSQL restarts, and the first upstream of both EVM networks
 *    hangs. The clock of one gateway is 30 s ahead all the time.
 * 3. A call of a sign-in that fails is sent again, as a person presses "Try again". Calls may fail only in the seconds
 *    after a gateway or PostgreSQL went away.
 * 4. In the end each visitor is signed in, has one account, and the wallet that it stored. Each gateway logged once that
 *    the database was lost.
 */
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import * as z from 'zod/mini'
import { call, newKey, newToken } from '../../apps/gateway/src/testing/sign-in'
import { solve } from '../../apps/gateway/src/testing/solve'
import { newWallet } from '../../apps/gateway/src/testing/wallet'
import { startMailbox } from '../../packages/devnet/src/mailbox/start-mailbox'
import {
  EmailChallenge,
  type WalletApiAnswer,
  type WalletApiBody,
  type WalletApiCall,
  walletApi,
} from '../../packages/protocol/src'
import { formatMessage } from '../../packages/siwx/src'
import { stopServices } from '../../scripts/lib/process'
import { step } from '../../scripts/lib/step'
import { freePort } from './gateway'
import { dapp, formatLoad, settingOf, startChains } from './load'
import { type Replicas, startReplicas } from './replicas'
import { createVisitor } from './visitor'
import { createVisitorRequests, projectId, type Sample, type Setting } from './visitor-requests'

/** In ms. */
const aheadMs = [0, 0, 30_000]
const betweenTries = 500
const maxTries = 60
/** After a fault began: PostgreSQL and a gateway are back by then. */
const expected = 15_000
const mailTimeout = 60_000

type Fault = { readonly what: string; readonly began: number }
type Mailbox = Awaited<ReturnType<typeof startMailbox>>
type SignedIn = { readonly email: string; readonly authShare: string; check(): Promise<string> }

/** @param minutes in which all of them arrive. */
export async function measureArrivals(visitors: number, minutes: number): Promise<void> {
  const upstream = await startHanging()
  const smtpPort = await freePort()
  const mailbox = await startMailbox({ port: await freePort(), smtpPort })
  try {
    const chains = await step('The devnet', () => startChains((url) => [upstream.urlFor(url), url]))
    const env = { ...chains.env, SMTP_URL: `smtp://127.0.0.1:${smtpPort}` }
    const cluster = await step(`${aheadMs.length} replicas`, () => startReplicas(aheadMs, dapp, env))
    const samples: Sample[] = []
    const setting = settingOf(cluster.origin, (sample) => void samples.push(sample))
    const faults: Fault[] = []
    const failing = failInTurn(cluster, upstream, minutes * 60_000, faults)
    const lost: string[] = []
    const signedIn: SignedIn[] = []
    await step(`${visitors} visitors in ${minutes} min`, () =>
      Promise.all(
        Array.from({ length: visitors }, async (_, index) => {
          await pause((index * minutes * 60_000) / visitors)
          await visit(setting, index, mailbox)
            .then((one) => signedIn.push(one))
            .catch((error: unknown) => lost.push(`visitor ${index}: ${String(error)}`))
        }),
      ),
    )
    await failing
    console.log(`\n${formatLoad(samples)}\n`)
    const wrong = [
      ...lost,
      ...unexpected(samples, faults),
      ...(await step('What they stored', () => findWrong(signedIn, cluster))),
    ]
    console.log(
      `Signed in: ${signedIn.length} of ${visitors}. Memory of the replicas: ${(await cluster.memory()).join(', ')} MB`,
    )
    for (const line of wrong) console.log(`✗ ${line}`)
    if (wrong.length > 0) process.exitCode = 1
    await cluster.stop()
  } finally {
    await mailbox.stop()
    await upstream.stop()
    await stopServices()
  }
}

/** Each fault begins after a fifth of the time more. */
async function failInTurn(cluster: Replicas, upstream: Hanging, ms: number, faults: Fault[]): Promise<void> {
  const begin = (what: string) => {
    faults.push({ what, began: performance.now() })
    console.log(`· ${what}`)
  }
  await pause(ms / 5)
  begin('A gateway is killed')
  await cluster.kill(0)
  await pause(2_000)
  await cluster.revive(0)
  await pause(ms / 5)
  begin('PostgreSQL restarts')
  await cluster.restartDatabase()
  await pause(ms / 5)
  console.log('· The first upstream of the EVM networks hangs')
  upstream.hang(true)
  await pause(ms / 5)
  upstream.hang(false)
}

async function visit(setting: Setting, index: number, mailbox: Mailbox): Promise<SignedIn> {
  const visitor = createVisitor(setting, index)
  const email = `ada@visitor-${index}.example`
  const wallet = createWalletFrame(setting, index)
  await visitor.open()
  const { user, token } = await signIn(wallet, email, mailbox)
  const { addresses, split } = newWallet()
  const shares = await split('create', user)
  // That it exists already means that the answer to the first call was lost: the check at the end compares the share.
  await wallet.ask('createWallet', { addresses, shares }, token, ['WALLET_EXISTS'])
  await visitor.look()
  await signInWithWallet(setting, index)
  visitor.leave()
  return {
    email,
    authShare: shares.authShare,
    check: async () => (await wallet.ask('deviceShare', {}, token))?.authShare ?? '',
  }
}

type Reasons = readonly string[]

/** The wallet frame's calls, each sent again while it fails. */
function createWalletFrame(setting: Setting, index: number) {
  const { ask, hosts, timed } = createVisitorRequests(setting, addressOf(index))
  const key = newKey()
  let nonce = ''
  const app = {
    auth: { proofs: { nonce: () => nonce } },
    async request(url: string, init: RequestInit) {
      const { pathname, search } = new URL(url)
      const headers = Object.fromEntries(new Headers(init.headers))
      const answer = await timed(
        pathname,
        () => ask('wallet', `${pathname}${search}`, { body: String(init.body), headers }),
        ({ status }) => (status < 500 ? null : String(status)),
      )
      if (answer === null) return Response.json({}, { status: 502 })
      nonce = String(answer.headers['dpop-nonce'] ?? nonce)
      return new Response(new Uint8Array(answer.body), { status: answer.status })
    },
  }

  return {
    /** Null after one of the accepted reasons. @throws after a refusal, or when no call is answered. */
    async ask<C extends WalletApiCall>(
      name: C,
      body: WalletApiBody<C>,
      token?: string,
      accepted: Reasons = [],
    ): Promise<WalletApiAnswer<C> | null> {
      for (let tries = 0; tries < maxTries; tries += 1) {
        const more = { site: `http://${hosts.wallet}`, projectId, key, ...(token === undefined ? {} : { token }) }
        const { status, failure = '', json } = await call(app, name, body, more)
        if (status === 200) return answerOf(name, json)
        if (accepted.includes(failure)) return null
        if (status < 500 && failure !== 'DPOP_REFUSED') throw new Error(`${name}: ${status} ${failure}`)
        if (status >= 500) await pause(betweenTries)
      }
      throw new Error(`${name} was not answered`)
    },
  }
}
type WalletFrame = ReturnType<typeof createWalletFrame>

const answers: { readonly [C in WalletApiCall]: { readonly answer: { parse(value: unknown): WalletApiAnswer<C> } } } =
  walletApi
const answerOf = <C extends WalletApiCall>(name: C, json: unknown): WalletApiAnswer<C> =>
  answers[name].answer.parse(json)

/** Asks for another code if the answer to a used one was lost. */
async function signIn(wallet: WalletFrame, email: string, mailbox: Mailbox) {
  const deviceToken = newToken()
  let after = 0
  for (let tries = 0; tries < maxTries; tries += 1) {
    const begun = await beginSignIn(wallet, { email, deviceToken, origin: dapp })
    if (begun === null) {
      await pause(betweenTries)
      continue
    }
    const mail = await mailbox.messages.next({ to: email, after }, AbortSignal.timeout(mailTimeout))
    if (mail === null || mail.code === null) throw new Error(`No code for ${email}`)
    after = mail.id
    const verify = { flow: begun.flow, otp: mail.code, deviceToken }
    const signed = await wallet.ask('emailVerify', verify, undefined, ['CODE_SPENT', 'CODE_EXPIRED'])
    if (signed !== null) return { user: signed.user.id, token: signed.sessionToken }
  }
  throw new Error(`${email} was not signed in`)
}

/** Null if the last mail was a moment ago. */
async function beginSignIn(wallet: WalletFrame, body: WalletApiBody<'email'>) {
  const begun = await wallet.ask('email', body, undefined, ['CHALLENGE_REQUIRED', 'EMAIL_COOLDOWN'])
  if (begun !== null) return begun
  const challenge = EmailChallenge.safeParse(await wallet.ask('emailChallenge', { email: body.email }))
  if (!challenge.success) return null
  return wallet.ask('email', { ...body, solution: solve(challenge.data) }, undefined, ['EMAIL_COOLDOWN'])
}

const Nonce = z.object({ nonce: z.string() })
const Token = z.object({ token: z.string() })

async function signInWithWallet(setting: Setting, index: number): Promise<void> {
  const { ask, timed, leave } = createVisitorRequests(setting, addressOf(index))
  const account = privateKeyToAccount(generatePrivateKey())
  const page = { origin: dapp, 'sec-fetch-site': 'cross-site' }
  const siwx = async (route: string, body: unknown) => {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const path = `/v1/siwx/${route}?projectId=${projectId}`
      const answer = await timed(`sign-in with wallet: ${route}`, () =>
        ask('modal', path, { headers: page, body: JSON.stringify(body) }),
      )
      if (answer?.status === 200) return JSON.parse(String(answer.body))
      if (answer !== null && answer.status < 500) throw new Error(`siwx ${route}: ${answer.status} ${answer.body}`)
      await pause(betweenTries)
    }
    throw new Error(`siwx ${route} was not answered`)
  }
  for (let tries = 0; tries < 3; tries += 1) {
    const { nonce } = Nonce.parse(await siwx('nonce', {}))
    const message = formatMessage({
      accountAddress: account.address,
      chainId: 'eip155:1',
      domain: new URL(dapp).host,
      uri: dapp,
      version: '1',
      nonce,
      issuedAt: new Date().toISOString(),
    })
    const signed = Token.safeParse(
      await siwx('authenticate', { message, signature: await account.signMessage({ message }) }),
    )
    if (signed.success) break
  }
  leave()
}

const addressOf = (index: number) => `198.18.${index >> 8}.${index & 255}`

function unexpected(samples: readonly Sample[], faults: readonly Fault[]): string[] {
  return samples.flatMap(({ what, began, ms, failure }) => {
    if (failure === null) return []
    const isDue = faults.some((fault) => began + ms >= fault.began && began <= fault.began + expected)
    return isDue ? [] : [`${what} failed while nothing else did: ${failure}`]
  })
}

async function findWrong(signedIn: readonly SignedIn[], cluster: Replicas): Promise<string[]> {
  const wrong: string[] = []
  for (const { email, authShare, check } of signedIn) {
    const stored = await check().catch(String)
    if (stored !== authShare) wrong.push(`${email} has another share than it stored: ${stored}`)
  }
  const client = new pg.Client({ connectionString: cluster.databaseUrl })
  await client.connect()
  try {
    for (const table of ['users', 'wallets']) {
      const { rows } = await client.query<{ count: string }>(`select count(*) from ${table}`)
      const count = Number(rows[0]?.count)
      if (count !== signedIn.length) wrong.push(`${count} rows in ${table} for ${signedIn.length} visitors`)
    }
  } finally {
    await client.end()
  }
  for (const [number, messages] of cluster.messages().entries()) {
    const said = messages.filter((message) => message === 'database connection lost').length
    if (said !== 1) wrong.push(`Gateway ${number} said ${said} times that the database was lost`)
  }
  return wrong
}

type Hanging = Awaited<ReturnType<typeof startHanging>>

/** An upstream that passes calls on to a node, or lets them wait. */
async function startHanging() {
  let isHanging = false
  const server = createServer((incoming, outgoing) => {
    if (isHanging) return
    const target = Number(incoming.url?.slice(1))
    const passed = request(
      { host: '127.0.0.1', port: target, method: incoming.method, headers: incoming.headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      },
    )
    passed.on('error', () => outgoing.destroy())
    incoming.pipe(passed)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  return {
    urlFor: (node: string) => `http://127.0.0.1:${port}/${new URL(node).port}`,
    hang(next: boolean) {
      isHanging = next
    },
    async stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}
