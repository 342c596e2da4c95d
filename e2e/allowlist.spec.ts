/** Which page may embed which project's modal: the browser-reported origin decides. */
import type { Page } from '@playwright/test'
import { type Dapp, dappPage, devnetWallet } from './support/dapp'
import { connect, connectButton, modal, pageAlert, press, status } from './support/postern'
import { expect, test } from './support/test'

type Row = {
  readonly what: string
  readonly project: string
  readonly site: string
  readonly allowed: boolean
  readonly tag?: '@main'
}

/** Where `frame-ancestors` and the gateway might differ; the other rules are in the tests of `isOriginAllowed`. */
const rows: readonly Row[] = [
  { what: 'the exact origin', project: 'exact', site: 'app', allowed: true, tag: '@main' },
  { what: 'another name', project: 'exact', site: 'evil', allowed: false, tag: '@main' },
  { what: 'two labels below a wildcard', project: 'wildcard', site: 'a.shop.wild', allowed: false, tag: '@main' },
]

for (const { what, project, site, allowed, tag } of rows) {
  const title = `@allowlist ${what} ${allowed ? 'connects' : 'is refused'}`
  test(title, { tag: tag ?? [] }, async ({ page, gateway, sites, lane }) => {
    const dapp = { host: gateway.origin, projectId: project, wallets: [devnetWallet(lane.account)] }
    await page.goto(sites.serve(site, '/', dappPage(dapp)))
    if (allowed) await connect(page)
    else await expectRefusal(page, sites.origin(site))
    expect(await askApi(page, gateway.origin, project)).toEqual(allowed ? letIn : refused)
  })
}

test('@main @allowlist an allowed page that strips its Referer still connects', async ({
  page,
  gateway,
  sites,
  lane,
}) => {
  await stripReferer(page, gateway.origin)
  const dapp = { host: gateway.origin, projectId: 'exact', wallets: [devnetWallet(lane.account)] }
  await page.goto(sites.serve('app', '/', { headers: { 'referrer-policy': 'no-referrer' }, body: dappPage(dapp) }))
  await connect(page)
})

test('@allowlist a page that strips its Referer and is not allowed is refused quickly', async ({
  page,
  gateway,
  sites,
}) => {
  await stripReferer(page, gateway.origin)
  const dapp = { host: gateway.origin, projectId: 'exact' }
  await page.goto(sites.serve('evil', '/', { headers: { 'referrer-policy': 'no-referrer' }, body: dappPage(dapp) }))
  await expectRefusal(page, sites.origin('evil'))
})

test('@allowlist the target of a redirect decides', async ({ page, gateway, sites, lane }) => {
  const body = dappPage({ host: gateway.origin, projectId: 'exact', wallets: [devnetWallet(lane.account)] })
  const allowed = sites.serve('app', '/', body)
  const foreign = sites.serve('evil', '/', body)
  await page.goto(sites.serve('evil', '/out', { status: 302, headers: { location: allowed } }))
  await connect(page)
  await page.goto(sites.serve('app', '/out', { status: 302, headers: { location: foreign } }))
  await expectRefusal(page, sites.origin('evil'))
})

test('@main @allowlist a sandboxed page is refused, because it has no origin', async ({ page, gateway, sites }) => {
  const inner = sites.serve('app', '/', dappPage({ host: gateway.origin, projectId: 'exact' }))
  await page.goto(
    sites.serve('app', '/outer', `<iframe sandbox="allow-scripts" src="${inner}" width="800" height="600"></iframe>`),
  )
  const dapp = page.frameLocator('iframe')
  await press(dapp.getByRole('button', { name: /^connect/i }))
  const alert = dapp.getByRole('alertdialog')
  await expect(alert).toContainText('Invalid App Configuration')
  await expect(alert).toContainText('Add allow-same-origin to the sandbox')
})

test('@main @allowlist an allowed dapp inside a foreign page is refused (spec §6)', async ({
  page,
  gateway,
  sites,
  lane,
}) => {
  const dapp: Dapp = { host: gateway.origin, projectId: 'exact', wallets: [devnetWallet(lane.account)] }
  const inner = sites.serve('app', '/', dappPage(dapp))
  await page.goto(sites.serve('evil', '/', `<iframe src="${inner}" width="800" height="600"></iframe>`))
  const frame = page.frameLocator('iframe').first()
  await press(frame.getByRole('button', { name: /^connect/i }))
  await expect(frame.getByRole('alertdialog')).toContainText('Invalid App Configuration')
})

test('@allowlist an allowed dapp inside an allowed page connects', async ({ page, gateway, sites, lane }) => {
  const dapp: Dapp = { host: gateway.origin, projectId: 'exact', wallets: [devnetWallet(lane.account)] }
  const inner = sites.serve('app', '/', dappPage(dapp))
  await page.goto(sites.serve('app', '/outer', `<iframe src="${inner}" width="780" height="600"></iframe>`))
  const frame = page.frameLocator('iframe').first()
  await press(frame.getByRole('button', { name: /^connect/i }))
  const host = frame.frameLocator('iframe[src*="//modal.postern.localhost"]')
  await press(host.getByRole('button', { name: /^Devnet Wallet\b/ }))
  await press(frame.getByRole('button', { name: 'Approve' }))
  await expect(host.getByRole('dialog')).toBeHidden()
})

test('@main @allowlist an unknown project shows that its id is not valid (spec §7, §8)', async ({
  page,
  gateway,
  sites,
}) => {
  await page.goto(sites.serve('app', '/', dappPage({ host: gateway.origin, projectId: 'unknown' })))
  await connectButton(page).click()
  await expect(pageAlert(page)).toContainText('Invalid App Configuration')
  await expect(pageAlert(page)).toContainText('unknown')
})

test('@allowlist a missing project id is reported (spec §6, §8)', async ({ page, gateway, sites }) => {
  await page.goto(sites.serve('app', '/', dappPage({ host: gateway.origin, projectId: '' })))
  await connectButton(page).click()
  await expect(pageAlert(page)).toContainText('Project ID Not Configured')
})

async function expectRefusal(page: Page, origin: string): Promise<void> {
  await connectButton(page).click()
  await expect(pageAlert(page)).toContainText('Invalid App Configuration')
  await expect(pageAlert(page)).toContainText(origin)
  await expect(modal(page).getByRole('dialog')).toBeHidden()
  expect(await status(page)).toBe('disconnected')
}

const letIn = { status: 200, reason: null }
const refused = { status: 403, reason: 'Unauthorized: origin not allowed' }

/** As the page can read it. */
function askApi(page: Page, gateway: string, project: string): Promise<{ status: number; reason: string | null }> {
  return page.evaluate(
    async ([gateway, project]) => {
      const response = await fetch(`${gateway}/getWallets?projectId=${project}&st=e2e&sv=1&page=1&entries=4`)
      const body: { reasons?: { description: string }[] } = await response.json()
      return { status: response.status, reason: body.reasons?.[0]?.description ?? null }
    },
    [gateway, project] as const,
  )
}

/** Like a proxy or an extension. */
async function stripReferer(page: Page, gateway: string): Promise<void> {
  await page.route(`${gateway}/**`, async (route) => {
    const headers = await route.request().allHeaders()
    await route.continue({
      headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'referer')),
    })
  })
}
