/** What another site can do with a visitor's session, with real signatures. */
import type { Page } from '@playwright/test'
import { formatMessage } from '@postern/siwx'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
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

async function newNonce(page: Page): Promise<string> {
  const { body } = await ask(page, 'nonce', {})
  if (typeof body !== 'object' || body === null) throw new Error('No nonce')
  return `${Reflect.get(body, 'nonce')}`
}

/** Of a new account. */
async function signIn(nonce: string) {
  const account = privateKeyToAccount(generatePrivateKey())
  const message = formatMessage({
    ...{ accountAddress: account.address, chainId: 'eip155:31337', version: '1', nonce },
    // real time: the demo’s server checks it against its own clock
    ...{ domain: new URL(site).host, uri: site, issuedAt: iso(Date.now()) },
  })
  return { message, signature: await account.signMessage({ message }) }
}

test.beforeEach(async ({ page }) => {
  await page.goto('/')
})

test('@main @siwx a cross-site page can neither sign in or out, nor read anything', async ({
  page,
  context,
  sites,
}) => {
  const signed = await signIn(await newNonce(page))
  expect(await ask(page, 'authenticate', await signIn(await newNonce(page)))).toMatchObject({ status: 200 })
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
