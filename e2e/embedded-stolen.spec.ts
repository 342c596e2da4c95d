/** What a thief of a session token can do with it: nothing, without the key of its browser. */
import type { Page, Request } from '@playwright/test'
import { allChains } from './support/dapp'
import { signs, walletFrame } from './support/embedded'
import { newAddress } from './support/mailbox'
import { status } from './support/postern'
import { expect, test } from './support/test'
import { connectedAddresses, openOn, signInOnNewDevice } from './support/wallet-window'

type Stolen = { readonly token: string; readonly isExtractable: boolean }

function frameOf(page: Page) {
  const frame = walletFrame(page)
  if (frame === undefined) throw new Error('The wallet has no frame')
  return frame
}

/** Reads the session from the wallet's storage, as script on its origin could. */
function stealSession(page: Page): Promise<Stolen> {
  return frameOf(page).evaluate(async () => {
    const settled = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    const database = await settled(indexedDB.open('postern-wallet/demo'))
    const session: unknown = await settled(database.transaction('rows').objectStore('rows').get('session'))
    database.close()
    if (typeof session !== 'object' || session === null || !('token' in session) || !('key' in session))
      throw new Error('No session in storage')
    const { token, key } = session
    const privateKey = typeof key === 'object' && key !== null && 'privateKey' in key ? key.privateKey : null
    if (!(privateKey instanceof CryptoKey)) throw new Error('No key in storage')
    const isExtractable = await crypto.subtle.exportKey('jwk', privateKey).then(
      () => true,
      () => false,
    )
    return { token: String(token), isExtractable }
  })
}

/** Asks from a page of the wallet's origin in another browser, with the token and a key of the thief's own. */
function askForShare(page: Page, token: string) {
  return frameOf(page).evaluate(async (stolen) => {
    const base64Url = (bytes: Uint8Array) =>
      btoa(String.fromCharCode(...bytes))
        .replaceAll('+', '-')
        .replaceAll('/', '_')
        .replaceAll('=', '')
    const text = (value: string) => new TextEncoder().encode(value)
    const digest = async (value: string) => new Uint8Array(await crypto.subtle.digest('SHA-256', text(value)))
    const key = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign'])
    const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', key.publicKey)

    async function ask(headers: Record<string, string>) {
      const response = await fetch('/wallet/device/share?projectId=demo', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: '{}',
      })
      return { status: response.status, text: await response.text(), nonce: response.headers.get('dpop-nonce') }
    }

    async function prove(nonce: string | null) {
      const payload = {
        jti: base64Url(crypto.getRandomValues(new Uint8Array(32))),
        htm: 'POST',
        htu: `${location.origin}/wallet/device/share`,
        // real time: the gateway checks it against its own clock
        iat: Math.floor(Date.now() / 1000),
        nonce,
        ath: base64Url(await digest(stolen)),
      }
      const head = { typ: 'dpop+jwt', alg: 'ES256', jwk: { kty, crv, x, y } }
      const signed = [head, payload].map((part) => base64Url(text(JSON.stringify(part)))).join('.')
      const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, key.privateKey, text(signed))
      return `${signed}.${base64Url(new Uint8Array(signature))}`
    }

    const bare = await ask({ authorization: `Bearer ${stolen}` })
    const unproven = await ask({ authorization: `DPoP ${stolen}` })
    const proof = await prove(bare.nonce)
    const proven = await ask({ authorization: `DPoP ${stolen}`, dpop: proof })
    return [bare, unproven, proven].map((answer) => ({ status: answer.status, text: answer.text }))
  }, token)
}

test('@main @embedded @hostile a stolen session token fetches no share, and its owner stays signed in', async ({
  page,
  visit,
  browser,
}) => {
  await visit({ wallets: [], networks: allChains })
  await signInOnNewDevice(page, newAddress())
  const addresses = await connectedAddresses(page)
  const { token, isExtractable } = await stealSession(page)
  expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/)
  expect(isExtractable).toBe(false)

  const elsewhere = await browser.newContext()
  const thief = await openOn(elsewhere, page.url())
  await signInOnNewDevice(thief, newAddress())
  await connectedAddresses(thief)
  for (const answer of await askForShare(thief, token)) {
    expect(answer.status).toBe(401)
    expect(answer.text).toContain('SESSION_EXPIRED')
    expect(answer.text).not.toContain('authShare')
  }
  await elsewhere.close()

  expect(await status(page)).toBe('connected')
  await signs(page, addresses[0], 'Still here')
})

test('@main @embedded @hostile a recorded call of the wallet fetches its share once', async ({ page, visit }) => {
  await visit({ wallets: [], networks: allChains })
  await signInOnNewDevice(page, newAddress())
  const addresses = await connectedAddresses(page)
  const isProven = (request: Request) => request.url().includes('/wallet/device/share') && 'dpop' in request.headers()
  const [request] = await Promise.all([
    page.waitForRequest(isProven, { timeout: 60_000 }),
    signs(page, addresses[0], 'Recorded'),
  ])
  const { authorization = '', dpop = '' } = request.headers()
  expect(authorization).toMatch(/^DPoP /)
  const replayed = await frameOf(page).evaluate(
    async (headers) => {
      const response = await fetch('/wallet/device/share?projectId=demo', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: '{}',
      })
      return { status: response.status, text: await response.text() }
    },
    { authorization, dpop },
  )
  expect(replayed.status).toBe(401)
  expect(replayed.text).toContain('DPOP_REFUSED')
})
