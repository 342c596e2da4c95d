/** Number of tries, and the wait for the next email. */
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { Agent, request } from 'node:http'
import type { Response } from '@playwright/test'
import * as z from 'zod/mini'
import { codeField, codeOf, codeRefusal, signInByEmail, typeCode, typeEmail } from './support/embedded'
import { lastMail, newAddress, nextMail } from './support/mailbox'
import { modal, openConnect, press, status } from './support/postern'
import { expect, test } from './support/test'

const other = (code: string, step: number) => String((Number(code) + step) % 1_000_000).padStart(6, '0')

test('@main @embedded five tries per code, and 30 s between emails', async ({ page, visit }) => {
  const email = newAddress()
  // real time: the gateway checks it against its own clock
  const setToNow = () => page.clock.setFixedTime(Date.now())
  await setToNow()
  await visit({ wallets: [] })
  await openConnect(page)
  // real time: the gateway checks it against its own clock
  const sentAt = Date.now()
  await page.clock.setFixedTime(sentAt)
  await typeEmail(page, email)
  const code = codeOf(await nextMail(email))

  for (let step = 1; step <= 5; step++) {
    // The gateway takes no proof whose time is a minute off.
    await setToNow()
    await typeCode(page, other(code, step))
    await expect(codeRefusal(page, 'Wrong code')).toBeVisible()
    await expect(codeField(page)).toHaveValue('')
  }
  await setToNow()
  await typeCode(page, code)
  await expect(codeRefusal(page, 'Too many attempts')).toBeVisible()
  expect(await status(page)).toBe('disconnected')

  // However long the tries took, the 30 s are not over.
  await page.clock.setFixedTime(sentAt)
  await press(modal(page).getByRole('button', { name: 'Use a different email' }))
  await typeEmail(page, email)
  await expect(modal(page).getByText(/Please try again after \d+ seconds/)).toBeVisible()
  expect((await lastMail(email))?.code).toBe(code)
})

const Asked = z.object({ email: z.string(), deviceToken: z.string() })
const Begun = z.object({ flow: z.string() })
const Refused = z.object({ reasons: z.tuple([z.object({ name: z.string() })]) })

/** A thief's own proof of possession (RFC 9449), good for every try of a minute: the code decides, not the key. */
async function proofFor(port: number, path: string): Promise<string> {
  const origin = `http://wallet.postern.localhost:${port}`
  const nonce = await new Promise((resolve, reject) => {
    const headers = { host: new URL(origin).host, origin, 'content-type': 'application/json' }
    const asked = request({ host: '127.0.0.1', port, path: `${path}?projectId=demo`, method: 'POST', headers })
    asked.on('error', reject).on('response', (response) => {
      resolve(response.headers['dpop-nonce'])
      response.resume()
    })
    asked.end('{}')
  })
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { kty, crv, x, y } = publicKey.export({ format: 'jwk' })
  const head = { typ: 'dpop+jwt', alg: 'ES256', jwk: { kty, crv, x, y } }
  // real time: the gateway checks it against its own clock
  const payload = { jti: randomUUID(), htm: 'POST', htu: `${origin}${path}`, iat: Math.floor(Date.now() / 1000), nonce }
  const signed = [head, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return `${signed}.${signature.toString('base64url')}`
}

/** With the user's device token, twenty at a time from four addresses; counts the responses. */
async function tryCodes(port: number, device: object, codes: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const agent = new Agent({ keepAlive: true, maxSockets: 20 })
  const host = `wallet.postern.localhost:${port}`
  const answers = new Map<string, number>()
  let proof = proofFor(port, '/auth/email/verify')
  const tryOne = (otp: string, address: string, dpop: string) =>
    new Promise<string>((resolve, reject) => {
      const headers = {
        host,
        origin: `http://${host}`,
        'content-type': 'application/json',
        'x-forwarded-for': address,
        dpop,
      }
      const path = '/auth/email/verify?projectId=demo'
      const sent = request({ host: '127.0.0.1', port, path, method: 'POST', agent, headers }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
        })
        response.on('end', () => {
          const name = response.statusCode === 200 ? 'taken' : Refused.parse(JSON.parse(text)).reasons[0].name
          resolve(`${response.statusCode} ${name}${'retry-after' in response.headers ? ', later' : ''}`)
        })
      })
      sent.on('error', reject)
      sent.end(JSON.stringify({ ...device, otp }))
    })
  let next = 0
  const tryOn = async () => {
    for (let at = next++; at < codes.length; at = next++) {
      // On a slow machine, all of them take longer than a proof is good for.
      if (at % 500 === 499) proof = proofFor(port, '/auth/email/verify')
      const answer = await tryOne(codes[at] ?? '', `203.0.113.${at % 4}`, await proof)
      answers.set(answer, (answers.get(answer) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: 20 }, tryOn))
  agent.destroy()
  return answers
}

test('@embedded of ten thousand codes only five are checked, and another user can sign in meanwhile', async ({
  page,
  browser,
  visit,
  gateway,
}) => {
  const email = newAddress()
  const address = await visit({ wallets: [] })
  await openConnect(page)
  const isBegun = (response: Response) => new URL(response.url()).pathname === '/auth/email'
  const [response] = await Promise.all([page.waitForResponse(isBegun, { timeout: 60_000 }), typeEmail(page, email)])
  const { deviceToken } = Asked.parse(response.request().postDataJSON())
  const { flow } = Begun.parse(await response.json())
  const code = codeOf(await nextMail(email))

  const context = await browser.newContext()
  const neighbour = await context.newPage()
  const signIn = async () => {
    await neighbour.goto(address)
    await openConnect(neighbour)
    await signInByEmail(neighbour, newAddress())
    await expect.poll(() => status(neighbour), { timeout: 60_000 }).toBe('connected')
  }
  const codes = Array.from({ length: 10_000 }, (_, step) => other(code, step + 1))
  const [answers] = await Promise.all([tryCodes(gateway.port, { flow, deviceToken }, codes), signIn()])
  await context.close()
  expect(Object.fromEntries(answers)).toEqual({ '403 WRONG_CODE': 5, '429 TOO_MANY_ATTEMPTS, later': 9_995 })

  await typeCode(page, code)
  await expect(codeRefusal(page, 'Too many attempts')).toBeVisible()
  expect(await status(page)).toBe('disconnected')
})
