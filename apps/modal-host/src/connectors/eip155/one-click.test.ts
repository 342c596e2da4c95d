import { configureNetworks } from '@postern/chains/networks'
import { type SignInMessage, SignInSession, signInMethods } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { formatMessage, parseMessage } from '@postern/siwx'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it, vi } from 'vitest'
import * as z from 'zod/mini'
import type { SignInEvent } from '../../snapshot/contract'
import type { MultiConnector } from '../connector'
import type { WalletConnectOptions } from '../walletconnect/options'
import { begin, eachTestMeets } from '../walletconnect/testing/meeting'
import { networks as everyNamespace, evmAccount, hostOptions } from '../walletconnect/testing/set-up'
import { createOneClick, placeholderAccount } from './one-click'

const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
const networks = configureNetworks(['ethereum', 'base'], {
  additional: [],
  gatewayEndpoint: (id) => `https://gateway.example/${id}`,
  imageUrl: () => '',
})
const evm = {
  accounts: [`eip155:1:${evmAccount}`, `eip155:8453:${evmAccount}`],
  methods: ['personal_sign', 'eth_sendTransaction'],
  events: ['chainChanged', 'accountsChanged'],
}

function testPage(
  answers: { create?: () => unknown; save?: () => unknown; of?: { domain?: string; uri?: string } } = {},
) {
  const asked: { readonly method: string; readonly params: unknown; readonly timeout: number }[] = []
  const notices: string[] = []
  const events: SignInEvent[] = []
  const written: SignInMessage[] = []
  function create(): unknown {
    const where = {
      accountAddress: placeholderAccount,
      chainId: 'eip155:1',
      domain: 'dapp.example',
      uri: 'https://dapp.example/in',
      ...answers.of,
    }
    const data = z.parse(signInMethods.siwxCreateMessage.result, {
      data: {
        ...{ ...where, version: '1', nonce: `nonce00${written.length}`, statement: 'Welcome' },
        // real time: WalletConnect's libraries compare it.
        ...{ issuedAt: new Date().toISOString(), expirationTime: new Date(Date.now() + 3_600_000).toISOString() },
        resources: ['https://dapp.example/terms'],
      },
      message: 'm',
    }).data
    written.push(data)
    return { data, message: formatMessage(data) }
  }
  const link: NonNullable<WalletConnectOptions['page']>['link'] = {
    async ask(method, params, { timeout }) {
      asked.push({ method, params, timeout })
      return method === 'siwxSetSessions' ? (answers.save ?? (() => null))() : (answers.create ?? create)()
    },
  }
  const page: NonNullable<WalletConnectOptions['page']> = {
    init: { signIn: 'siwx' },
    link,
    modal: { notify: (text) => notices.push(text) },
    onSignIn: (event) => events.push(event),
  }
  const saved = () =>
    asked
      .filter(({ method }) => method === 'siwxSetSessions')
      .map(({ params }) => z.object({ sessions: z.array(SignInSession) }).parse(params).sessions)
  return { page, asked, notices, events, written, saved }
}

const met = eachTestMeets()
const host = (page: ReturnType<typeof testPage>, changes: Partial<WalletConnectOptions> = {}) =>
  met.host({ networks, page: page.page, ...changes })

async function started(multi: MultiConnector) {
  const attempt = begin(multi, ['eip155'])
  await met.wallet.pair(await attempt.code())
  return attempt.granted
}
const hostless = () => expect(Object.keys(met.wallet.kit.getActiveSessions())).toEqual([])

describe('one-step connect and sign-in', () => {
  it('1. has the wallet sign the page’s message, and saves the sessions before connecting', async () => {
    const page = testPage()
    const { multi } = host(page)
    met.wallet.learnToSignIn()
    const granted = started(multi)
    await met.wallet.signIn(account, ['eip155:1', 'eip155:8453'])
    const [own] = await granted
    expect(own?.session).toEqual({
      accounts: [{ namespace: 'eip155', address: evmAccount, type: 'eoa' }],
      networkId: 'eip155:1',
    })
    const [sessions = []] = page.saved()
    expect(sessions.map(({ data }) => `${data.chainId}:${data.accountAddress}`)).toEqual(evm.accounts)
    for (const { data, message, signature, cacao } of sessions) {
      // 4: the data matches the text, also for the page's strict parser
      expect(parseMessage(message)).toEqual(data)
      expect(formatMessage(data)).toBe(message)
      const [asked] = page.written
      expect(data).toMatchObject({
        ...{ domain: asked?.domain, uri: asked?.uri, nonce: asked?.nonce, expirationTime: asked?.expirationTime },
        ...{ version: '1' },
      })
      expect(data.statement).toMatch(/^Welcome I further authorize .*'personal_sign'/)
      expect(data.resources?.[0]).toBe('https://dapp.example/terms')
      expect(await account.signMessage({ message })).toBe(signature)
      expect(cacao).toMatchObject({ h: { t: 'caip122' }, s: { s: signature } })
    }
    expect(page.notices).toEqual(['Authenticating...'])
    expect(page.asked.map(({ method }) => method)).toEqual(['siwxCreateMessage', 'siwxSetSessions'])
  })

  it('1. is off without a plugin or if another namespace is configured (spec §4)', () => {
    const page = testPage()
    const { options } = hostOptions(met.relay.url, { networks })
    expect(createOneClick(options)).toBeNull()
    expect(createOneClick({ ...options, page: page.page, networks: everyNamespace })).toBeNull()
    for (const signIn of ['siwe', undefined] as const)
      expect(createOneClick({ ...options, page: { ...page.page, init: { signIn } } })).toBeNull()
    expect(createOneClick({ ...options, page: page.page })).not.toBeNull()
    expect(page.asked).toEqual([])
  })

  it.each([{ domain: 'bank.example' }, { uri: 'https://bank.example/in' }, { uri: 'http://dapp.example/in' }])(
    '1. never passes on a message for another site (%o)',
    async (of) => {
      const page = testPage({ of })
      const { options } = hostOptions(met.relay.url, { networks, page: page.page })
      expect(await createOneClick(options)?.request()).toBe(null)
      expect(await createOneClick({ ...options, page: testPage().page })?.request()).not.toBe(null)
    },
  )

  it('connects a wallet without support, and leaves sign-in as a separate step', async () => {
    const page = testPage()
    const { multi } = host(page)
    const granted = started(multi)
    await met.wallet.approve({ eip155: evm })
    expect(await granted).toHaveLength(1)
    expect(page.saved()).toEqual([])
    expect(page.notices).toEqual([])
  })

  it.each([
    ['throws', () => Promise.reject(new Failure('INTERNAL', { message: 'no database' }))],
    ['answers nonsense', () => ({ data: { nonce: 'n' }, message: '' })],
    ['is too late', () => Promise.reject(new Failure('TIMEOUT'))],
  ])('2. connects without sign-in if the page %s', async (_, create) => {
    const page = testPage({ create })
    const { multi } = host(page)
    met.wallet.learnToSignIn()
    const granted = started(multi)
    await met.wallet.approve({ eip155: evm })
    expect(await granted).toHaveLength(1)
    expect(page.asked).toMatchObject([{ method: 'siwxCreateMessage', timeout: 5_000 }])
  })

  it('2. connects without sign-in on the next attempt after the visitor declined', async () => {
    const page = testPage()
    const { multi } = host(page)
    met.wallet.learnToSignIn()
    const granted = started(multi)
    await met.wallet.refuseToSignIn()
    await expect(granted).rejects.toMatchObject({ code: 'USER_REJECTED' })
    hostless()
    const again = started(multi)
    await met.wallet.approve({ eip155: evm })
    expect(await again).toHaveLength(1)
    expect(page.saved()).toEqual([])
  })

  it('ends the connection if the page rejects the sessions, and fails with its message (spec §4)', async () => {
    const page = testPage({ save: () => Promise.reject(new Failure('INTERNAL', { message: 'not on the list' })) })
    const { multi } = host(page)
    met.wallet.learnToSignIn()
    const granted = started(multi)
    await met.wallet.signIn(account, ['eip155:1'])
    await expect(granted).rejects.toMatchObject({ message: 'not on the list' })
    await vi.waitFor(hostless, { timeout: 15_000 })
    expect(page.notices).toEqual(['Authenticating...'])
  })

  it('prepares no code while one is being created, so that the page is asked once', async () => {
    const page = testPage()
    const { multi } = host(page)
    multi.prepare()
    const attempt = begin(multi, ['eip155'])
    multi.prepare()
    await met.wallet.pair(await attempt.code())
    await met.wallet.approve({ eip155: evm })
    expect(await attempt.granted).toHaveLength(1)
    expect(page.asked.map(({ method }) => method)).toEqual(['siwxCreateMessage'])
  })

  it('4. leaves sign-in for later if the address is not checksummed', async () => {
    const page = testPage()
    const normalise = async () => [evmAccount]
    const { multi } = host(page, { normalise })
    met.wallet.learnToSignIn()
    const granted = started(multi)
    await met.wallet.signIn(account, ['eip155:1'], evmAccount.toLowerCase())
    expect(await granted).toHaveLength(1)
    expect(page.saved()).toEqual([])
  })
})
