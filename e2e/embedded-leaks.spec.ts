/** The gateway stores and logs nothing that opens a wallet, and no email address. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { dappPage } from './support/dapp'
import { codeOf } from './support/embedded'
import { createGateway } from './support/gateway'
import { lastMail, newAddress, nextMail } from './support/mailbox'
import { status } from './support/postern'
import { expect, test } from './support/test'
import { openSecurity, openWindow, signInOnNewDevice } from './support/wallet-window'

/** Fields known only to the user, their browser and their mailbox. */
const secretNames = new Set([
  'authShare',
  'claim',
  'deviceToken',
  'email',
  'flow',
  'identityToken',
  'recoveryShare',
  'sessionToken',
  'ticket',
  'token',
])

function collect(value: unknown, found: Set<string>): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) {
    if (secretNames.has(name) && typeof member === 'string') found.add(member)
    else collect(member, found)
  }
}

/** Of all requests between the wallet's pages and the gateway. */
function overhear(page: Page): { readonly secrets: Set<string>; readonly settled: () => Promise<unknown> } {
  const secrets = new Set<string>()
  const reading: Promise<unknown>[] = []
  page.context().on('response', (response) => {
    const asked = response.request()
    if (asked.method() !== 'POST' || !response.url().includes('//wallet.postern.')) return
    collect(asked.postDataJSON(), secrets)
    const read = response.json().then(
      (answer: unknown) => collect(answer, secrets),
      () => {},
    )
    reading.push(read)
  })
  return { secrets, settled: () => Promise.all(reading) }
}

/** Except the keys that encrypt the rest. */
async function bytesIn(folder: string): Promise<Buffer> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && entry.name !== 'secrets.json')
  return Buffer.concat(await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name)))))
}

test('@main @embedded the gateway’s database and log contain no address, code, token, share or recovery word', async ({
  page,
  sites,
  lane,
}) => {
  const project = {
    id: 'demo',
    name: 'A project to find',
    allowedOrigins: [sites.origin('dapp')],
    defaultAncestors: false,
  }
  const gateway = await createGateway(lane.ownGatewayPort, [project], undefined, 'trace', {}, true)
  try {
    await gateway.start()
    const { secrets, settled } = overhear(page)
    const email = newAddress()
    await page.goto(sites.serve('dapp', '/', dappPage({ host: gateway.origin, wallets: [] })))
    await page.waitForFunction(() => 'Postern' in window)
    await signInOnNewDevice(page, email)
    await expect.poll(() => status(page), { timeout: 60_000 }).toBe('connected')

    const codes = [(await lastMail(email))?.code ?? '']
    const before = await lastMail(email)
    await openSecurity(page)
    const popup = await openWindow(page, /^Export keys/)
    await popup.getByRole('button', { name: 'I understand' }).click()
    codes.push(codeOf(await nextMail(email, before)))
    await popup.getByRole('textbox', { name: '6-digit code' }).fill(codes[1] ?? '')
    await popup.getByRole('button', { name: 'Show Twelve words' }).click()
    const word = popup.locator('output[data-kind="mnemonic"] span')
    await expect(word).toHaveCount(12)
    const words = await word.allTextContents()
    await popup.getByRole('button', { name: 'Show Ethereum key' }).click()
    const shown = popup.locator('output[data-kind="eip155"]')
    await expect(shown).toHaveText(/^0x[0-9a-f]{64}$/)
    const key = (await shown.textContent()) ?? ''
    await settled()
    const log = gateway.log()
    await gateway.stop()

    const kept = await bytesIn(gateway.data)
    expect(kept.includes(project.name)).toBe(true)
    expect(log).not.toBe('')
    expect([...secrets]).toContain(email)
    expect(secrets.size).toBeGreaterThanOrEqual(6)
    const needles = [
      ...secrets,
      email.split('@')[0] ?? '',
      words.join(' '),
      words.slice(0, 2).join(' '),
      key,
      key.slice(2),
    ]
    for (const needle of needles) {
      expect(needle.length).toBeGreaterThan(5)
      expect(kept.includes(needle), 'the database holds a secret').toBe(false)
      expect(log.includes(needle), 'the log holds a secret').toBe(false)
    }
    for (const code of codes) expect(new RegExp(`\\b${code}\\b`).test(log), 'the log holds a code').toBe(false)
  } finally {
    await gateway.remove()
  }
})
