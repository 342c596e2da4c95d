/** Forged, altered, replayed and expired sign-ins, all with real signatures. */
import type { Page } from '@playwright/test'
import { formatMessage, type SignInMessage } from '@postern/siwx'
import { getAddress, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { evm } from './support/money'
import { expect, test } from './support/test'

const site = 'http://demo.localhost:4500'
const iso = (ms: number) => new Date(ms).toISOString()

type Answer = { readonly status: number; readonly body: unknown }

/** The browser adds the origin. */
const ask = (page: Page, path: string, body?: unknown): Promise<Answer> =>
  page.evaluate(
    async ([path, body]) => {
      const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
      const response = await fetch(`/siwx/${path}`, body === undefined ? {} : json)
      return { status: response.status, body: await response.json() }
    },
    [path, body] as const,
  )

const refusal = (status: number, name: string) => ({ status, body: { reasons: [{ name }] } })
const notSignedIn = refusal(401, 'NOT_SIGNED_IN')

async function newNonce(page: Page): Promise<string> {
  const { body } = await ask(page, 'nonce', {})
  if (typeof body !== 'object' || body === null) throw new Error('No nonce')
  return `${Reflect.get(body, 'nonce')}`
}

function visitor() {
  const account = privateKeyToAccount(generatePrivateKey())
  const textOf = (nonce: string, changes: Partial<SignInMessage> = {}) =>
    formatMessage({
      ...{ accountAddress: account.address, chainId: 'eip155:31337', version: '1', nonce },
      // real time: the demo’s server checks it against its own clock
      ...{ domain: new URL(site).host, uri: site, issuedAt: iso(Date.now()) },
      ...changes,
    })
  const sign = async (nonce: string, changes: Partial<SignInMessage> = {}) => {
    const message = textOf(nonce, changes)
    return { message, signature: await account.signMessage({ message }) }
  }
  return { address: account.address, textOf, sign }
}

test.beforeEach(async ({ page }) => {
  await page.goto('/')
})

test('@main @siwx a nonce works once, and only on the server that issued it', async ({ page }) => {
  const who = visitor()
  const signed = await who.sign(await newNonce(page))
  expect(await ask(page, 'authenticate', signed)).toMatchObject({
    status: 200,
    body: { session: { address: who.address, chainId: 'eip155:31337' } },
  })
  expect(await ask(page, 'me')).toMatchObject({ status: 200, body: { sessions: [{ address: who.address }] } })
  expect(await ask(page, 'authenticate', signed)).toMatchObject(refusal(401, 'NONCE_INVALID'))
  const made = await visitor().sign('4b0a2f6d8c1e3a5f7b9d0c2e4a6f8b1d')
  expect(await ask(page, 'authenticate', made)).toMatchObject(refusal(401, 'NONCE_INVALID'))
})

test('@siwx a contract’s signature is valid as long as the contract confirms it', async ({ page }) => {
  const contract = getAddress(visitor().address)
  // Returns isValidSignature's selector (EIP-1271), or nothing.
  const agrees: Hex = '0x631626ba7e60e01b5f5260205ff3'
  const disagrees: Hex = '0x5f5f5260205ff3'
  await evm.setCode({ address: contract, bytecode: agrees })
  const { sign } = visitor()
  const signed = await sign(await newNonce(page), { accountAddress: contract })
  expect(await ask(page, 'authenticate', signed)).toMatchObject({
    status: 200,
    body: { session: { address: contract } },
  })
  expect(await ask(page, 'me')).toMatchObject({ status: 200 })
  await evm.setCode({ address: contract, bytecode: disagrees })
  expect(await ask(page, 'me')).toMatchObject(notSignedIn)
  const again = await sign(await newNonce(page), { accountAddress: contract })
  expect(await ask(page, 'authenticate', again)).toMatchObject(refusal(401, 'SIGNATURE_INVALID'))
  // A session stays ended.
  await evm.setCode({ address: contract, bytecode: agrees })
  expect(await ask(page, 'me')).toMatchObject(notSignedIn)
})

test('@siwx a session that was signed out or altered grants nothing', async ({ page, context }) => {
  expect(await ask(page, 'authenticate', await visitor().sign(await newNonce(page)))).toMatchObject({ status: 200 })
  const [cookie] = await context.cookies(site)
  if (cookie === undefined) throw new Error('The server set no cookie.')
  expect(cookie).toMatchObject({ name: 'siwx', httpOnly: true, sameSite: 'Lax' })
  expect(await page.evaluate(() => document.cookie)).toBe('')

  const [head = '', claims = '', signature = ''] = cookie.value.split('.')
  const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'siwx+jwt' })).toString('base64url')
  const richer = JSON.parse(Buffer.from(claims, 'base64url').toString())
  richer.sessions[0].address = visitor().address
  const forged = Buffer.from(JSON.stringify(richer)).toString('base64url')
  for (const value of [`${head}.${forged}.${signature}`, `${none}.${forged}.`, `${none}.${claims}.${signature}`]) {
    await context.addCookies([{ ...cookie, value }])
    expect(await ask(page, 'me')).toMatchObject(notSignedIn)
  }

  await context.addCookies([cookie])
  expect(await ask(page, 'me')).toMatchObject({ status: 200 })
  expect(await ask(page, 'sign-out', {})).toEqual({ status: 200, body: { sessions: [] } })
  expect(await context.cookies(site)).toEqual([])
  await context.addCookies([cookie])
  expect(await ask(page, 'me')).toMatchObject(notSignedIn)
})

test('@main @siwx a cross-site page can neither sign in or out, nor read anything', async ({
  page,
  context,
  sites,
}) => {
  const signed = await visitor().sign(await newNonce(page))
  expect(await ask(page, 'authenticate', await visitor().sign(await newNonce(page)))).toMatchObject({ status: 200 })
  const evil = await context.newPage()
  await evil.goto(sites.serve('evil', '/', '<!doctype html><title>Elsewhere</title>'))
  const outcomes = await evil.evaluate(
    async ([site, signed]) => {
      const send = (path: string, init: RequestInit) =>
        fetch(`${site}/siwx/${path}`, { credentials: 'include', ...init }).then(
          ({ type }) => type,
          () => 'refused',
        )
      const body = JSON.stringify(signed)
      return [
        await send('me', {}),
        await send('authenticate', { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
        await send('sign-out', { method: 'POST', mode: 'no-cors', body: '{}' }),
        await send('authenticate', { method: 'POST', mode: 'no-cors', body }),
      ]
    },
    [site, signed] as const,
  )
  // Without CORS the request is sent, but not readable.
  expect(outcomes).toEqual(['refused', 'refused', 'opaque', 'opaque'])
  expect(await ask(page, 'me')).toMatchObject({ status: 200 })
  expect(await ask(page, 'authenticate', signed), 'its nonce is still good').toMatchObject({ status: 200 })
})
