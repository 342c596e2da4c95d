import { devnetAccounts } from '@postern/devnet'
import { allChains, dappPage, devnetWallet } from './support/dapp'
import { signedIn } from './support/embedded'
import { card, connect, inDapp, modal, openConnect, pageAlert, press } from './support/postern'
import { expect, test } from './support/test'

test('@sdk diagnose() reports no problem on a healthy page', async ({ page, visit }) => {
  await visit()
  await connect(page)
  const checks = await inDapp(page, (postern) => postern.diagnose())
  // Not the page's fault.
  expect(checks.filter(({ ok, check }) => !ok && !/storage/i.test(check))).toEqual([])
  expect(checks.length).toBeGreaterThan(5)
  expect(checks.find(({ check }) => check === 'published code')?.ok).toBe(true)
})

test('@sdk diagnose() detects a policy that blocks the frame', async ({ page, gateway, sites }) => {
  const policy = `default-src 'none'; script-src ${gateway.origin}; connect-src ${gateway.origin}`
  await page.goto(
    sites.serve('dapp', '/', {
      headers: { 'content-security-policy': policy },
      body: dappPage({ host: gateway.origin }),
    }),
  )
  await page.waitForFunction(() => 'Postern' in window)
  const checks = await inDapp(page, (postern) => postern.diagnose())
  const refused = checks.find(({ detail, fix, ok }) => !ok && `${detail} ${fix}`.includes('frame-src'))
  expect(refused?.fix).toContain(gateway.origin)
})

test('@smoke @main @sdk a wrong option is named in the alert and in the error; an unknown one is ignored with a warning', async ({
  page,
  visit,
}) => {
  const warnings: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'warning') warnings.push(message.text())
  })
  await visit({ attributes: { features: '{"email":"yes"}' } })
  const error = await inDapp(page, (postern) => postern.open().catch(({ code, data }) => ({ code, data })))
  const issue = { path: 'features.email', message: 'Expected boolean, received string' }
  expect(error).toEqual({ code: 'INVALID_PARAMS', data: { issues: [issue] } })
  await expect(pageAlert(page)).toContainText(`${issue.path}: ${issue.message}`)

  await visit({ attributes: { features: '{"chat":true}' } })
  await openConnect(page)
  expect(warnings.filter((text) => text.includes('features.chat'))).toHaveLength(1)
})

test('@sdk @money getProfile() and the button show the name, picture and balance of a connected account', async ({
  page,
  visit,
}) => {
  const [alice, bob] = devnetAccounts
  const profileOf = (address = '') =>
    page.evaluate((asked) => window.Postern?.getProfile(asked).catch(({ code }: { code: string }) => code), address)
  await visit({ wallets: [devnetWallet(0)] })
  await connect(page)
  const avatar = expect.stringMatching(/^data:image\/[a-z]+;base64,/)
  expect(await profileOf(alice?.address)).toEqual({ name: 'alice.eth', avatar })
  expect(await profileOf(bob?.address)).toBe('UNAUTHORIZED')

  const element = page.locator('postern-button')
  const button = element.getByRole('button')
  await expect(button).toHaveText(/^0x.{2}…/)
  await element.evaluate((each) => {
    for (const attribute of ['name', 'avatar', 'balance']) each.setAttribute(attribute, '')
  })
  await expect(button).toHaveText(/^alice\.eth[\d,.]+ ETH$/)
  await expect(button).toHaveAccessibleName(new RegExp(`^Account alice.eth ${alice?.address} .+ ETH$`, 'i'))
  const picture = element.locator('img')
  await expect
    .poll(() => picture.evaluate((img) => img instanceof HTMLImageElement && img.naturalWidth))
    .toBeGreaterThan(0)
})

test('@sdk the dapp’s own words replace those of Connect, and no others', async ({ page, visit }) => {
  const overrides = JSON.stringify({ 'connect.title': 'Anmelden', 'email.label': 'Seed phrase' })
  await visit({ attributes: { locale: 'de', overrides } })
  await inDapp(page, (postern) => postern.open())
  await expect(card(page, 'Anmelden')).toBeVisible()
  await expect(modal(page).getByText('Seed phrase')).toHaveCount(0)
  await expect(modal(page).getByRole('textbox', { name: 'E-Mail-Adresse' })).toBeVisible()
})

test('@sdk connect({ email }) shows that way alone, filled in, and the others on request', async ({ page, visit }) => {
  await visit()
  const leaving = inDapp(page, (postern) =>
    postern.connect({ email: 'ada@example.com' }).catch(({ code }: { code: string }) => code),
  )
  await expect(card(page, 'Connect').getByRole('textbox')).toHaveValue('ada@example.com')
  await expect(card(page, 'Connect').getByRole('list')).toHaveCount(0)
  await press(card(page, 'Connect').getByRole('button', { name: 'Other ways to connect' }))
  await expect(card(page, 'Connect').getByRole('list').first()).toBeVisible()
  await inDapp(page, (postern) => postern.close())
  expect(await leaving).toBe('USER_REJECTED')
})

test('@main @sdk @embedded getIdentityToken() tells the dapp’s server who signed in, and nothing without a sign-in', async ({
  page,
  visit,
}) => {
  const askToken = () =>
    inDapp(page, (postern) => postern.getIdentityToken().catch(({ code }: { code: string }) => code))
  await visit({ wallets: [], networks: allChains })
  expect(await askToken()).toBe('UNAUTHORIZED')
  const { solana } = await signedIn(page)
  const token = await askToken()
  const claims = decode(token.split('.')[1])
  expect(claims).toMatchObject({ aud: 'demo', addresses: { solana, eip155: expect.stringMatching(/^0x/) } })
  const keys = await page.evaluate(async (url) => (await fetch(url)).json(), `${claims.iss}/.well-known/jwks.json`)
  expect(keys.keys.map(({ kid }: { kid: string }) => kid)).toContain(decode(token.split('.')[0]).kid)
  await inDapp(page, (postern) => postern.disconnect())
  expect(await askToken()).toBe('UNAUTHORIZED')
})

const decode = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString())
