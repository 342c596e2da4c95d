import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { ProjectPage, projectPageElementId, WalletFramePage, walletPageElementId } from '@postern/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpointsOf } from '../../accounts/social/endpoints'
import { createProvider } from '../../accounts/social/provider'
import { readAccountAbstraction } from '../../chains/bundler/config'
import { ProjectInput } from '../../projects/project'
import { modalOrigin, startTestApp, type TestApp, walletOrigin } from '../../testing/app'
import { noon } from '../../testing/clock'

const endpoint = (id: string) => `{"${id}":"https://bundler.example.com/hush"}`
const provider = (name: 'google' | 'github') =>
  createProvider({
    provider: name,
    credentials: { clientId: 'id', clientSecret: 'hush' },
    endpoints: endpointsOf(name),
    redirectUri: walletOrigin,
    fetch,
    now: () => noon,
  })

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({
    accountAbstraction: readAccountAbstraction(
      {
        POSTERN_BUNDLERS:
          '{"eip155:1":"https://bundler.example.com/hush","eip155:10":"https://bundler.example.com/hush"}',
        POSTERN_PAYMASTERS: endpoint('eip155:10'),
      },
      [],
    ),
    providersOf: () =>
      new Map([
        ['google', provider('google')],
        ['github', provider('github')],
      ]),
    farcaster: {
      relay: {
        open: () => Promise.reject(new Error('not asked')),
        status: () => Promise.reject(new Error('not asked')),
      },
      chain: { upstreams: { exchange: async () => [] }, urls: [], idRegistry: '0x00' },
    },
  })
  await app.projects.add(ProjectInput.parse({ id: 'quiet', name: 'Quiet', features: { email: false, socials: [] } }))
  await app.projects.add(ProjectInput.parse({ id: 'some', name: 'Some', features: { socials: ['x', 'github'] } }))
  for (const name of ['sdk.html', 'window.html']) {
    await writeFile(path.join(app.walletDir, name), '<!doctype html><html><head></head><body></body></html>')
  }
})
afterAll(() => app.close())

function blockIn(html: string, elementId: string): unknown {
  const [, json = ''] = new RegExp(`<script type="application/json" id="${elementId}">(.*?)</script>`).exec(html) ?? []
  expect(json).not.toContain('<')
  return JSON.parse(json)
}
const walletData = async (projectId: string, page = 'sdk') =>
  WalletFramePage.parse(
    blockIn(await (await app.get(`${walletOrigin}/${page}?projectId=${projectId}`)).text(), walletPageElementId),
  )
const modalData = async (projectId: string) =>
  ProjectPage.parse(blockIn(await (await app.get(`/?projectId=${projectId}`)).text(), projectPageElementId))

describe('data of the pages', () => {
  test.each(['sdk', 'window'])('/%s: its project, the modal, and the gateway’s sign-in methods', async (page) => {
    expect(await walletData('demo', page)).toEqual({
      projectId: 'demo',
      projectName: 'Demo </script> & Co',
      modalOrigin,
      allowedOrigins: ['https://app.example.com', 'https://*.preview.example.com'],
      defaultAncestors: true,
      approvals: { place: 'auto', trustedOrigins: [] },
      networks: [],
      smartAccounts: [
        { chainId: 1, paymaster: false },
        { chainId: 10, paymaster: true },
      ],
      socials: ['google', 'github'],
      farcaster: true,
      email: true,
      recovery: 'any',
      recoveryChoice: 'later',
      swapRouters: [],
      tokens: [],
    })
  })

  test('where the project’s users approve', async () => {
    const approvals = { place: 'window' as const, windowAboveUsd: 100, trustedOrigins: ['https://app.example.com'] }
    await app.projects.add(ProjectInput.parse({ id: 'careful', name: 'Careful', approvals }))
    expect((await walletData('careful')).approvals).toEqual(approvals)
  })

  test('that pages of this machine are trusted, with `gateway dev` only', async () => {
    expect((await walletData('demo')).approvals).not.toHaveProperty('trustsLoopback')
    const development = await startTestApp({ trustsLoopback: true })
    await writeFile(path.join(development.walletDir, 'sdk.html'), '<!doctype html><html><head></head></html>')
    await development.projects.add(ProjectInput.parse({ id: 'dev', name: 'Development' }))
    const page = await (await development.get(`${walletOrigin}/sdk?projectId=dev`)).text()
    expect(WalletFramePage.parse(blockIn(page, walletPageElementId)).approvals.trustsLoopback).toBe(true)
  })

  test.each([true, false])('the project’s choice of smart sessions, if it has one: %s', async (smartSessions) => {
    expect(await walletData('demo')).not.toHaveProperty('smartSessions')
    const id = `sessions-${smartSessions}`
    await app.projects.add(ProjectInput.parse({ id, name: 'Sessions', features: { smartSessions } }))
    expect(await walletData(id)).toMatchObject({ smartSessions })
  })

  test('the modal: the wallet’s origin and its sign-in methods', async () => {
    expect((await modalData('demo')).wallet).toEqual({
      origin: walletOrigin,
      email: true,
      socials: ['google', 'github'],
      farcaster: true,
      smartAccountChainIds: [1, 10],
    })
  })

  test('has only sign-in methods that the project wants and that have credentials', async () => {
    expect((await modalData('some')).wallet).toMatchObject({ socials: ['github'], farcaster: true })
    expect(await walletData('some')).toMatchObject({ socials: ['github'], email: true })
  })

  test('a project without sign-in methods has no wallet', async () => {
    expect((await modalData('quiet')).wallet).toBeNull()
    expect(await walletData('quiet')).toMatchObject({ socials: [], email: false, farcaster: false })
  })

  test('contains no key of a bundler or provider', async () => {
    for (const url of [
      '/?projectId=demo',
      `${walletOrigin}/sdk?projectId=demo`,
      `${walletOrigin}/window?projectId=demo`,
    ]) {
      expect(await (await app.get(url)).text()).not.toContain('hush')
    }
  })
})

describe('navigations to the window', () => {
  const url = `${walletOrigin}/window?projectId=demo`
  test.each([
    ['the modal page', url, `${modalOrigin}/`, 200],
    ['itself, reloaded', url, `${walletOrigin}/window`, 200],
    ['no referrer', url, undefined, 200],
    ['a dapp', url, 'https://app.example.com/', 404],
    ['another page', url, 'https://evil.test/', 404],
    ['an unknown project', `${walletOrigin}/window?projectId=other`, undefined, 404],
    ['the modal site', `${modalOrigin}/window?projectId=demo`, undefined, 404],
  ])('%s', async (_, from, referer, status) => {
    expect((await app.get(from, referer === undefined ? {} : { Referer: referer })).status).toBe(status)
  })

  test('is sent again only after the project changes', async () => {
    const at = `${walletOrigin}/window?projectId=some`
    const etag = (await app.get(at)).headers.get('ETag') ?? ''
    expect((await app.get(at, { 'If-None-Match': etag })).status).toBe(304)
    await app.projects.update('some', { name: 'Another' })
    expect((await app.get(at, { 'If-None-Match': etag })).status).toBe(200)
  })
})

describe('blockchain routes on the wallet site', () => {
  const call = (headers: Record<string, string>) =>
    app.get(`${walletOrigin}/v1/supported-chains?projectId=demo`, headers)

  test('are only for its own pages', async () => {
    const own = await call({ 'Sec-Fetch-Site': 'same-origin' })
    expect(own.status).toBe(200)
    expect(own.headers.get('Access-Control-Allow-Origin')).toBeNull()
    expect((await call({ Origin: 'https://app.example.com', 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403)
    expect((await call({ Origin: modalOrigin, 'Sec-Fetch-Site': 'same-site' })).status).toBe(403)
    expect((await app.get(`${walletOrigin}/v1/supported-chains`)).status).toBe(401)
  })

  test('still work on the modal site', async () => {
    const response = await app.get('/v1/supported-chains?projectId=demo', { Origin: 'https://app.example.com' })
    expect(response.status).toBe(200)
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('https://app.example.com')
    const wallet = await app.get('/v1/supported-chains?projectId=demo', { Origin: walletOrigin })
    expect(wallet.status).toBe(403)
  })
})
