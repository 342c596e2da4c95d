import type { BrowserContext, Locator, Page, Response } from '@playwright/test'
import { type OidcProvider, startOidcProvider } from '@postern/devnet'
import * as z from 'zod/mini'
import { axeFaults } from './support/access'
import { allChains, dappPage } from './support/dapp'
import { newEvmAddress, signInByEmail } from './support/embedded'
import { createGateway } from './support/gateway'
import { lastMail, newAddress } from './support/mailbox'
import { addressesIn, card, modal, openConnect, status } from './support/postern'
import type { Sites } from './support/sites'
import { finishAtProvider, openSocial, popupOf } from './support/social'
import { expect, type Lane, test } from './support/test'

const Project = z.object({ id: z.string(), name: z.string() })
type Project = z.infer<typeof Project>
const admin = { name: 'ann', role: 'admin', token: 'operator-token-of-ann-0123456789' }
const viewer = { name: 'vic', role: 'viewer', token: 'operator-token-of-vic-0123456789' }
const demo = { id: 'demo', name: 'Any development origin', allowedOrigins: [], defaultAncestors: true }

const startGateway = async (lane: Lane, settings: Readonly<Record<string, string>> = {}) => {
  const gateway = await createGateway(lane.ownGatewayPort, [demo], undefined, 'warn', {
    POSTERN_ADMIN_PORT: String(lane.adminPort),
    POSTERN_ADMIN_TOKENS: JSON.stringify([admin, viewer]),
    ...settings,
  })
  await gateway.start()
  return gateway
}

const consoleUrl = (lane: Lane, path = '/') => `http://127.0.0.1:${lane.adminPort}${path}`

async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel('Token').fill(token)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** As an admin. */
const askApi = (lane: Lane, method: 'POST' | 'PATCH', path: string, body?: unknown) =>
  fetch(consoleUrl(lane, `/admin/v1${path}`), {
    method,
    headers: { Authorization: `Bearer ${admin.token}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

/** For a test that changes it: other tests use the same gateway. */
async function createProject(lane: Lane): Promise<Project> {
  const { id: _, ...project } = { ...demo, name: 'To be changed' }
  return Project.parse(await (await askApi(lane, 'POST', '/projects', project)).json())
}

/** Returns the answer. */
async function save(desk: Page): Promise<Response> {
  const [saved] = await Promise.all([
    desk.waitForResponse((response) => response.request().method() === 'PATCH'),
    desk.getByRole('button', { name: 'Save' }).click(),
  ])
  return saved
}

async function openOnPhone(context: BrowserContext, lane: Lane, { id, name }: Project): Promise<Page> {
  const desk = await context.newPage()
  await desk.setViewportSize({ width: 360, height: 640 })
  await desk.goto(consoleUrl(lane, `/projects/${id}`))
  await signIn(desk, admin.token)
  await expect(heading(desk, name)).toBeVisible()
  return desk
}

/** @returns the user's email address. */
async function signInToDapp(page: Page, sites: Sites, host: string, projectId = demo.id): Promise<string> {
  const email = newAddress()
  await page.goto(sites.serve('dapp', '/', dappPage({ host, projectId, networks: allChains, wallets: [] })))
  await page.waitForFunction(() => 'Postern' in window)
  await openConnect(page)
  await signInByEmail(page, email)
  await expect.poll(() => status(page), { timeout: 60_000 }).toBe('connected')
  return email
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

/** With a provider at which `admins` are admins and `viewers` viewers. */
async function startWithProvider(lane: Lane) {
  const provider = await startOidcProvider({ port: 0, redirectUri: consoleUrl(lane, '/sign-in/callback') })
  const roles = [
    { claim: 'groups', value: 'admins', role: 'admin' },
    { claim: 'groups', value: 'viewers', role: 'viewer' },
  ]
  const gateway = await startGateway(lane, {
    POSTERN_ADMIN_OIDC_ISSUER: provider.issuer,
    POSTERN_ADMIN_OIDC_CLIENT_ID: provider.clientId,
    POSTERN_ADMIN_OIDC_CLIENT_SECRET: provider.clientSecret,
    POSTERN_ADMIN_OIDC_ROLES: JSON.stringify(roles),
    POSTERN_ADMIN_ORIGIN: new URL(consoleUrl(lane)).origin,
  })
  const remove = async () => {
    await gateway.remove()
    await provider.stop()
  }
  return { gateway, provider, remove }
}

const providerButton = (page: Page, { issuer }: OidcProvider) =>
  page.getByRole('button', { name: `Sign in with ${new URL(issuer).host}` })

type ProviderAnswer = { readonly email?: string; readonly button?: 'Allow' | 'Deny' }

async function answerProvider(page: Page, groups: string, answer: ProviderAnswer = {}): Promise<void> {
  const { email = 'ann@example.com', button = 'Allow' } = answer
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Groups').fill(groups)
  await page.getByRole('button', { name: button }).click()
}

async function faultlessInBothSchemes(page: Page, name: string): Promise<void> {
  await expect(heading(page, name)).toBeVisible()
  await expect(page.getByText('Loading…')).toHaveCount(0)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await axeFaults(page), colorScheme).toEqual([])
  }
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0)
}

/** They share a gateway. */
test.describe(() => {
  test.describe.configure({ mode: 'default' })
  let office: Awaited<ReturnType<typeof startWithProvider>>
  test.beforeAll(async ({ lane }) => {
    office = await startWithProvider(lane)
  })
  test.afterAll(() => office.remove())

  test('@main @operator makes a project, tests an origin, signs a user out, and reads it in the audit log', async ({
    page,
    context,
    sites,
    lane,
  }) => {
    const { gateway } = office
    const email = await signInToDapp(page, sites, gateway.origin)

    const desk = await context.newPage()
    const errors: string[] = []
    desk.on('pageerror', (error) => errors.push(error.message))
    desk.on('console', (message) => {
      if (/Content Security Policy|Trusted/.test(message.text())) errors.push(message.text())
    })
    await desk.goto(consoleUrl(lane))
    await signIn(desk, admin.token)
    await expect(heading(desk, 'Projects')).toBeFocused()

    await desk.getByLabel('Name').fill('Shop')
    await desk.getByLabel('Origin').fill('https://*.shop.example')
    await desk.getByRole('button', { name: 'Create project' }).click()
    await expect(heading(desk, 'Shop')).toBeVisible()
    await expect(desk.getByText(`${gateway.origin}/postern.js`)).toBeVisible()
    await desk.getByRole('button', { name: 'Copy' }).click()
    await expect(desk.getByRole('button', { name: 'Copied' })).toBeVisible()

    const testOrigin = async (origin: string) => {
      await desk.getByLabel('Origin or URL').fill(origin)
      await desk.getByRole('button', { name: 'Test' }).click()
    }
    await testOrigin('https://www.shop.example/cart')
    await expect(desk.getByText('https://www.shop.example is allowed by https://*.shop.example')).toBeVisible()
    await testOrigin('https://evil.example')
    await expect(desk.getByText('https://evil.example is not allowed')).toBeVisible()
    await desk.getByLabel('Allowed origins').fill('https://*.shop.example\nhttps://evil.example')
    await desk.getByLabel('swaps').selectOption('off')
    await save(desk)
    await testOrigin('https://evil.example')
    await expect(desk.getByText('https://evil.example is allowed by https://evil.example')).toBeVisible()

    await desk.getByRole('link', { name: 'Users' }).click()
    await desk.getByLabel('Email address, wallet address or user id').fill(email)
    await desk.getByRole('button', { name: 'Look up' }).click()
    await desk.getByRole('link', { name: 'v…@example.com' }).click()
    const devices = desk.getByRole('region', { name: 'Devices' }).getByRole('row').last()
    await expect(devices.getByRole('cell').last()).toHaveText('1')
    await desk.getByRole('button', { name: 'Sign out everywhere' }).click()
    await expect(desk.getByText('Signed out everywhere.')).toBeVisible()
    await expect(devices.getByRole('cell').last()).toHaveText('0')

    const [download] = await Promise.all([
      desk.waitForEvent('download'),
      desk.getByRole('button', { name: 'Export data' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^user-.+\.json$/)
    await desk.getByRole('button', { name: 'Block' }).click()
    await desk.getByRole('dialog').getByRole('button', { name: 'Block' }).click()
    await expect(desk.getByText('Blocked: the user cannot sign in.')).toBeVisible()

    await desk.getByRole('link', { name: 'Audit log' }).click()
    const actions = desk.getByRole('row')
    for (const action of ['project.create', 'project.update', 'user.look-up', 'user.sign-out', 'user.block']) {
      await expect(actions.filter({ hasText: action }).first()).toContainText('ann')
    }
    await expect(desk.getByText(email)).toHaveCount(0)
    expect(errors).toEqual([])
  })

  test('@operator adds lines to emails by language, with the keyboard, and the next email has them', async ({
    page,
    context,
    sites,
    lane,
  }) => {
    const { gateway } = office
    const project = await createProject(lane)
    const desk = await openOnPhone(context, lane, project)
    const select = desk.getByLabel('Lines in another language')
    const lineOf = (language: string, label: string) =>
      desk.getByRole('group', { name: language, exact: true }).getByLabel(label)
    const add = async (tag: string, language: string) => {
      await select.selectOption(tag)
      await select.press('Tab')
      await expect(desk.getByRole('button', { name: `Add ${language}` })).toBeFocused()
      await desk.keyboard.press('Enter')
      await expect(lineOf(language, 'Line below the heading')).toBeFocused()
    }
    await add('en', 'English')
    await desk.keyboard.type('Welcome to <b>Tom & Jerry</b>.')
    await add('ar', 'Arabic')
    await desk.keyboard.type('Shop يرحب بك.')
    await expect(lineOf('Arabic', 'Line below the heading')).toHaveAttribute('dir', 'rtl')
    await lineOf('Arabic', 'Last line').fill('123456')
    await add('th', 'Thai')
    await add('de', 'German')
    await desk.getByRole('button', { name: 'Remove German' }).press('Enter')
    await expect(select).toBeFocused()
    await expect(lineOf('German', 'Last line')).toHaveCount(0)
    expect(await axeFaults(desk)).toEqual([])
    expect(await desk.evaluate(() => document.documentElement.scrollWidth)).toBe(360)

    await desk.getByRole('button', { name: 'Save' }).click()
    await expect(desk.getByRole('alert')).toContainText('six digits in a row')
    await lineOf('Arabic', 'Last line').fill('للمساعدة: help@shop.example')
    expect(await (await save(desk)).json()).toMatchObject({
      mailTexts: {
        en: { intro: 'Welcome to <b>Tom & Jerry</b>.' },
        ar: { intro: 'Shop يرحب بك.', footer: 'للمساعدة: help@shop.example' },
      },
    })
    await expect(lineOf('Thai', 'Last line')).toHaveCount(0)
    await expect(lineOf('Arabic', 'Last line')).toHaveValue('للمساعدة: help@shop.example')

    const email = await signInToDapp(page, sites, gateway.origin, project.id)
    const mail = await lastMail(email)
    expect(mail?.text).toMatch(/^Sign in to .+\n\nWelcome to <b>Tom & Jerry<\/b>\.\n\n\d{6}$/m)
    expect(mail?.html).toContain('Welcome to &lt;b&gt;Tom &amp; Jerry&lt;/b&gt;.')
  })

  test('@operator gives a project a look, sees it before saving, and the modal has it', async ({
    page,
    context,
    sites,
    lane,
  }) => {
    const { gateway } = office
    const project = await createProject(lane)
    const desk = await openOnPhone(context, lane, project)
    const preview = desk.getByRole('img', { name: 'Preview, light' })
    const tag = preview.locator('span', { hasText: /^Installed$/ }).last()
    const cardOf = (box: Locator) => box.locator('.preview-card')
    await desk.getByLabel('Accent', { exact: true }).fill('#8a1c7c')
    await expect(tag).toHaveCSS('color', 'rgb(138, 28, 124)')
    await expect(desk.getByText('The accent is hard to read in dark')).toBeVisible()
    await expect(desk.getByText('The accent is hard to read in light')).toHaveCount(0)
    await desk.getByLabel('Pick: Accent').fill('#1c7c5a')
    await expect(desk.getByLabel('Accent', { exact: true })).toHaveValue('#1c7c5a')
    await expect(tag).toHaveCSS('color', 'rgb(28, 124, 90)')
    await desk.getByRole('slider', { name: 'Corners' }).press('Home')
    await expect(cardOf(preview)).toHaveCSS('border-radius', '0px')
    await desk.getByLabel('Tint', { exact: true }).fill('#3344ff')
    await desk.getByRole('slider', { name: 'Tint strength' }).press('End')
    await expect(cardOf(preview)).toHaveCSS('background-color', /0\.6/)
    await expect(desk.locator('body')).toHaveCSS('background-color', 'color(srgb 1 1 1)')
    expect(await axeFaults(desk)).toEqual([])
    expect(await desk.evaluate(() => document.documentElement.scrollWidth)).toBe(360)

    await desk.getByLabel('Font').fill('x{}')
    await desk.getByRole('button', { name: 'Save' }).click()
    await expect(desk.getByRole('alert')).toContainText('names of fonts')
    await desk.getByLabel('Font').fill('Georgia, serif')
    // A colleague's change, of which this page does not know.
    const renamed = await askApi(lane, 'PATCH', `/projects/${project.id}`, { name: 'Renamed meanwhile' })
    expect(renamed.status).toBe(200)
    const answer = await save(desk)
    const look = { accent: '#1c7c5a', radius: 0, font: 'Georgia, serif', mix: '#3344ff', mixStrength: 50 }
    expect(answer.request().postDataJSON()).toEqual({ look })
    expect(await answer.json()).toMatchObject({ look, name: 'Renamed meanwhile' })

    const dapp = {
      host: gateway.origin,
      projectId: project.id,
      networks: allChains,
      wallets: [],
      attributes: { radius: '2' },
    }
    await page.goto(sites.serve('dapp', '/', dappPage(dapp)))
    await page.waitForFunction(() => 'Postern' in window)
    await openConnect(page)
    await expect(card(page)).toHaveCSS('border-radius', '56px')
    const root = modal(page).locator('html')
    const tokens = await root.evaluate(({ style }) =>
      ['--accent', '--mix', '--mix-strength', '--font'].map((token) => style.getPropertyValue(token)),
    )
    expect(tokens.slice(0, 3)).toEqual(['#1c7c5a', '#3344ff', '50%'])
    expect(tokens[3]).toContain('Georgia')
  })

  test('@operator a blocked user reads so, and signs in again once unblocked', async ({ page, sites, lane }) => {
    const { gateway } = office
    const name = `Mallory of ${process.pid}`
    await page.goto(sites.serve('dapp', '/', dappPage({ host: gateway.origin, networks: allChains, wallets: [] })))
    await page.waitForFunction(() => 'Postern' in window)
    const signIn = async () => {
      await openConnect(page)
      await finishAtProvider(await openSocial(page, 'google'), name)
    }
    await signIn()
    await expect.poll(() => status(page), { timeout: 60_000 }).toBe('connected')
    const [who = ''] = await addressesIn(page, 'solana')

    const found: unknown = await (await askApi(lane, 'POST', '/users/look-up', { who })).json()
    const id = /"id":"([^"]+)"/.exec(JSON.stringify(found))?.[1] ?? ''
    expect((await askApi(lane, 'POST', `/users/${id}/block`)).status).toBe(200)
    await page.reload()
    await signIn()
    await expect(card(page)).toContainText('This account is blocked')
    expect(await status(page)).toBe('disconnected')

    expect((await askApi(lane, 'POST', `/users/${id}/unblock`)).status).toBe(200)
    await finishAtProvider(await popupOf(page, 'Try again'), name)
    await expect.poll(() => status(page), { timeout: 60_000 }).toBe('connected')
  })

  test('@operator a wrong token stays outside, a viewer changes nothing, and sign-out forgets the token', async ({
    page,
    lane,
  }) => {
    await page.goto(consoleUrl(lane, '/users'))
    await signIn(page, 'not-the-token-of-any-operator-here')
    await expect(page.getByRole('alert')).toHaveText('A valid token is required')
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)

    await signIn(page, viewer.token)
    await expect(heading(page, 'Users')).toBeVisible()
    await page.reload()
    await expect(heading(page, 'Users')).toBeVisible()
    expect(await page.evaluate(() => localStorage.length)).toBe(0)
    await page.getByRole('link', { name: 'Projects' }).click()
    await expect(heading(page, 'Projects')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Create project' })).toHaveCount(0)
    await page.getByRole('link', { name: demo.name }).click()
    await expect(page.getByRole('button', { name: 'Test' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Save' })).toHaveCount(0)

    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect(heading(page, 'Sign in')).toBeVisible()
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
  })

  test('@main @operator @engines signs in at the OpenID provider, is in the audit log, and signs out', async ({
    page,
    lane,
  }) => {
    const { provider, gateway } = office
    const name = 'ann@example.com (subject-of-ann@example.com)'
    const responses: Response[] = []
    page.on('response', (response) => {
      if (response.url().startsWith(consoleUrl(lane))) responses.push(response)
    })
    await page.goto(consoleUrl(lane, '/users'))
    await expect(page.getByLabel('Token')).toBeVisible()
    await providerButton(page, provider).click()
    await answerProvider(page, 'staff, admins')
    await expect(heading(page, 'Users')).toBeVisible()
    await expect(page).toHaveURL(consoleUrl(lane, '/users'))
    await expect(page.getByText(`${name} (admin)`)).toBeVisible()
    await page.reload()
    await expect(heading(page, 'Users')).toBeVisible()
    const cookies = await Promise.all(responses.map((response) => response.headerValue('set-cookie')))
    expect(cookies.filter((cookie) => cookie !== null)).toEqual([])
    expect(responses.filter((response) => response.url().endsWith('/sign-in/finish'))).toHaveLength(1)

    await page.getByRole('link', { name: 'Audit log' }).click()
    const signIns = page.getByRole('row').filter({ hasText: 'operator.sign-in' })
    await expect(signIns.filter({ hasText: 'ann@example.com' })).toContainText(name)

    const stored = await page.evaluate(() => Object.values({ ...sessionStorage }).join(' '))
    expect(stored).toMatch(/^[\w-]{43}$/)
    const isValid = async () =>
      (await fetch(consoleUrl(lane, '/admin/v1/me'), { headers: { Authorization: `Bearer ${stored}` } })).status
    expect(await isValid()).toBe(200)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect(heading(page, 'Sign in')).toBeVisible()
    await expect.poll(isValid).toBe(401)
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
    expect(gateway.log()).not.toContain('ann@example.com')
  })

  test('@operator ends the sessions of another operator at once', async ({ page, context, lane }) => {
    const { provider } = office
    const email = 'bea@example.com'
    await page.goto(consoleUrl(lane))
    await providerButton(page, provider).click()
    await answerProvider(page, 'admins', { email })
    await expect(heading(page, 'Projects')).toBeVisible()

    const desk = await context.newPage()
    await desk.goto(consoleUrl(lane, '/audit'))
    await signIn(desk, admin.token)
    const session = desk
      .getByRole('region', { name: 'Open sessions', exact: true })
      .getByRole('row')
      .filter({ hasText: email })
    await session.getByRole('button', { name: 'End session' }).click()
    await expect(desk.getByRole('status').filter({ hasText: `Ended a session of ${email}` })).toBeVisible()
    await expect(session).toHaveCount(0)
    const entry = desk.getByRole('row').filter({ hasText: 'operator.end-session' })
    await expect(entry).toContainText(email)
    expect(await axeFaults(desk)).toEqual([])

    await page.getByRole('link', { name: 'Users' }).click()
    await page.getByLabel('Email address, wallet address or user id').fill(newAddress())
    await page.getByRole('button', { name: 'Look up' }).click()
    await expect(page.getByRole('alert')).toContainText('Sign in again.')
  })

  test('@operator a viewer finds a wallet in the directory', async ({ page, lane }) => {
    await page.goto(consoleUrl(lane))
    await signIn(page, viewer.token)
    await page.getByRole('link', { name: 'Directory' }).click()
    await expect(heading(page, 'Directory')).toBeVisible()
    const rows = page.getByRole('region', { name: 'Wallets' }).getByRole('row')
    await expect(rows).toHaveCount(41)
    await page.getByRole('button', { name: 'Show more wallets' }).click()
    await expect(rows).toHaveCount(81)
    await page.getByLabel('Name of a wallet').fill('rainbow')
    await expect(page.getByRole('status')).toHaveText('1 wallet')
    await expect(rows.last()).toContainText('me.rainbow')
    await page.getByLabel('Name of a wallet').fill('no such wallet')
    await expect(page.getByRole('status')).toHaveText('0 wallets')
  })

  test.describe('on a phone, in light and dark', () => {
    test.use({ viewport: { width: 360, height: 640 } })

    test('@operator every page is accessible', async ({ page, lane }) => {
      // Gives the health page an upstream.
      const balance = `/v1/account/${newEvmAddress()}/balance?projectId=demo&chainId=eip155:31337`
      expect((await page.goto(`${office.gateway.origin}${balance}`))?.status()).toBe(200)
      await page.goto(consoleUrl(lane))
      await signIn(page, admin.token)
      await expect(heading(page, 'Projects')).toBeVisible()
      for (const [path, name] of [
        ['/projects', 'Projects'],
        ['/projects/demo', demo.name],
        ['/projects/none', 'Project'],
        ['/users', 'Users'],
        ['/users/none', 'User'],
        ['/analytics', 'Analytics'],
        ['/health', 'Health'],
        ['/directory', 'Directory'],
        ['/audit', 'Audit log'],
      ] as const)
        await test.step(path, async () => {
          await page.goto(consoleUrl(lane, path))
          await faultlessInBothSchemes(page, name)
        })
    })
  })
})

test('@operator reads why the OpenID provider did not let them in, or when the session ended', async ({
  page,
  lane,
}) => {
  const { provider, gateway, remove } = await startWithProvider(lane)
  try {
    const host = new URL(provider.issuer).host
    const alert = page.getByRole('alert')
    await page.goto(consoleUrl(lane))
    await providerButton(page, provider).click()
    await answerProvider(page, 'staff')
    await expect(alert).toHaveText(`Your account at ${host} has no access to this console`)
    await expect(page).toHaveURL(consoleUrl(lane))
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
    expect(await axeFaults(page)).toEqual([])

    await page.context().clearCookies()
    await providerButton(page, provider).click()
    await answerProvider(page, 'admins', { button: 'Deny' })
    await expect(alert).toHaveText(`${host} was not allowed to sign you in`)

    provider.setFault('audience')
    await providerButton(page, provider).click()
    await answerProvider(page, 'admins')
    await expect(alert).toHaveText(`The answer of ${host} was not valid. Start again`)
    provider.setFault('none')

    await page.goto(consoleUrl(lane, '/sign-in/callback?code=of-an-attacker&state=of-an-attacker'))
    await expect(alert).toHaveText('This tab did not begin that sign-in. Start again')
    await expect(page).toHaveURL(consoleUrl(lane))

    await page.context().clearCookies()
    await providerButton(page, provider).click()
    await answerProvider(page, 'viewers')
    await expect(heading(page, 'Projects')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Create project' })).toHaveCount(0)
    await gateway.advance(8 * 3_600_000)
    await page.getByRole('link', { name: 'Audit log' }).click()
    await expect(alert).toHaveText('The gateway no longer accepts this token, or the session has ended. Sign in again.')
  } finally {
    await remove()
  }
})

test('@operator the sign-in page with a provider is accessible, in light and dark, on a phone', async ({
  page,
  lane,
}) => {
  const { provider, remove } = await startWithProvider(lane)
  try {
    await page.setViewportSize({ width: 360, height: 640 })
    await page.goto(consoleUrl(lane))
    await expect(providerButton(page, provider)).toBeVisible()
    await faultlessInBothSchemes(page, 'Sign in')
    await provider.stop()
    await providerButton(page, provider).click()
    await expect(page.getByRole('alert')).toHaveText(/does not answer. Try again later$/)
    expect(await axeFaults(page)).toEqual([])
  } finally {
    await remove()
  }
})
