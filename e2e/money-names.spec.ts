/** Requested, signed by the owner, and resolvable. */
import { randomBytes } from 'node:crypto'
import type { Page, Response } from '@playwright/test'
import { allChains, bothChains } from './support/dapp'
import { approveRequest, shown, signedIn } from './support/embedded'
import { approveOnPhone, connectPhone, receivedBy, sheet } from './support/mobile-wallet'
import { addressOf } from './support/money'
import { approve, card, connect, inDapp, modal, openModal, press, reject, walletPrompt } from './support/postern'
import { expect, test } from './support/test'

const newName = () => `ada-${randomBytes(5).toString('hex')}`

const openNames = async (page: Page): Promise<void> => {
  await inDapp(page, (postern) => postern.open({ view: 'RegisterAccountName' }))
  await expect(card(page, 'Get a name')).toBeVisible()
}
const field = (page: Page) => modal(page).getByRole('textbox', { name: 'Name' })
const button = (page: Page, name: string) => modal(page).getByRole('button', { name, exact: true })

/** The response to the modal, or its status. */
async function ask(page: Page, path: string): Promise<unknown> {
  const frame = page.frames().find((one) => one.url().includes('//modal.postern.localhost'))
  if (frame === undefined) throw new Error('There is no modal.')
  return frame.evaluate(async (asked) => {
    const response = await fetch(`${asked}?projectId=demo`)
    return response.ok ? response.json() : response.status
  }, path)
}

async function wish(page: Page, label: string): Promise<void> {
  await field(page).fill(label)
  await expect(card(page)).toContainText('This name is available')
  await press(button(page, 'Register name'))
}

test('@main @money an injected wallet registers a name, which becomes its identity and a recipient', async ({
  page,
  visit,
  lane,
}) => {
  const owner = addressOf(lane.account)
  const label = newName()
  await visit()
  await connect(page)
  await openNames(page)
  await wish(page, label)
  await expect(walletPrompt(page)).toContainText(`${label}.postern`)
  await approve(page)
  await expect(card(page)).toContainText('This name now points to your address.')

  expect(await ask(page, `/v1/profile/account/${label}.postern`)).toMatchObject({
    name: `${label}.postern`,
    addresses: { 60: { address: expect.stringMatching(new RegExp(`^${owner}$`, 'i')) } },
  })
  await press(button(page, 'Done'))
  await expect(card(page, 'Account')).toBeVisible()

  await test.step('sends to the name’s address', async () => {
    await inDapp(page, (postern) => postern.open({ view: 'Send' }))
    await modal(page).getByRole('textbox').nth(1).fill(`${label}.postern`)
    await expect(card(page)).toContainText(owner.slice(2, 20))
  })
})

test('@money a user of the embedded wallet gets a name for a smart account that is not deployed yet', async ({
  page,
  visit,
}) => {
  const label = newName()
  await visit({ networks: allChains })
  const { eip155 } = await signedIn(page)
  await openModal(page)
  await press(modal(page).getByRole('button', { name: 'Get a name' }))
  await expect(card(page, 'Get a name')).toBeVisible()
  await wish(page, label)
  const approval = await shown(page, new Promise(() => undefined))
  await expect(approval).toContainText(`${label}.postern`)
  await approveRequest(page)
  await expect(card(page)).toContainText('This name now points to your address.')
  expect(await ask(page, `/v1/identity/${eip155}`)).toMatchObject({ name: `${label}.postern` })
  await press(button(page, 'Done'))
  await expect(card(page, 'Account')).toContainText(`${label}.postern`)
})

test('@money @storage @walletconnect a phone wallet signs for a name, which appears at once', async ({
  page,
  visit,
  phone,
  lane,
}) => {
  // An ENS name would take precedence.
  const account = lane.otherAccount
  const owner = addressOf(account)
  const label = newName()
  const wallet = await phone({ account })
  await visit({ projectId: 'mobile', networks: bothChains, wallets: [] })
  await connectPhone(page, wallet)
  // Wait for the previous identity, so that the change is visible.
  const isIdentity = (response: Response) => response.url().includes(`/v1/identity/${owner}`)
  await Promise.all([page.waitForResponse(isIdentity), openModal(page)])
  await expect(card(page, 'Account')).not.toContainText(label)

  await openNames(page)
  await wish(page, label)
  await expect(sheet(wallet, 'Sign a message')).toContainText(`${label}.postern`)
  expect(await ask(page, `/v1/profile/account/${label}.postern`)).toBe(404)
  await approveOnPhone(wallet, 'Sign a message')
  await expect(card(page)).toContainText('This name now points to your address.')
  expect(await ask(page, `/v1/profile/account/${label}.postern`)).toMatchObject({
    name: `${label}.postern`,
    addresses: { 60: { address: expect.stringMatching(new RegExp(`^${owner}$`, 'i')) } },
  })
  await press(button(page, 'Done'))
  await expect(card(page, 'Account')).toContainText(`${label}.postern`)
  expect(await receivedBy(wallet)).toEqual(['personal_sign'])
})

test('@money declining registers nothing, and a taken name shows alternatives', async ({ page, visit }) => {
  const label = newName()
  await visit()
  await connect(page)
  await openNames(page)
  await wish(page, label)
  await reject(page)
  await expect(card(page)).toContainText('You declined. Nothing was registered.')
  expect(await ask(page, `/v1/profile/account/${label}.postern`)).toBe(404)
  await press(button(page, 'Register name'))
  await approve(page)
  await expect(card(page)).toContainText('This name now points to your address.')

  await openNames(page)
  // Names update at once.
  await expect(card(page)).toContainText(/Your names?/)
  await expect(card(page)).toContainText(`${label}.postern`)
  await field(page).fill(label.toUpperCase())
  await expect(card(page)).toContainText('Already taken')
  await expect(button(page, 'Register name')).toBeDisabled()
  const free = modal(page).getByRole('list', { name: 'Available names' }).getByRole('button').first()
  await press(free)
  await expect(card(page)).toContainText('This name is available')
  await expect(field(page)).not.toHaveValue(label.toUpperCase())
})

test('@money a name is released after its owner reads the consequences and signs', async ({ page, visit, lane }) => {
  const owner = addressOf(lane.account)
  const label = newName()
  const path = `/v1/profile/account/${label}.postern`
  await visit()
  await connect(page)
  await openNames(page)
  await wish(page, label)
  await approve(page)
  await expect(card(page)).toContainText('This name now points to your address.')
  await press(button(page, 'Done'))
  await press(button(page, 'Your names'))
  await press(button(page, `Release ${label}.postern`))
  await expect(card(page)).toContainText('No one can register it for 90 days, including you')

  await test.step('declining keeps it', async () => {
    await press(button(page, 'Release'))
    await expect(walletPrompt(page)).toContainText(`${label}.postern`)
    await reject(page)
    await expect(card(page)).toContainText('You declined. The name is still yours.')
    expect(await ask(page, path)).toMatchObject({ name: `${label}.postern` })
  })

  await press(button(page, 'Try again'))
  await approve(page)
  await expect(card(page)).toContainText(`${label}.postern released.`)
  await expect(button(page, `Release ${label}.postern`)).toHaveCount(0)
  expect(await ask(page, path)).toBe(404)
  expect(await ask(page, `/v1/profile/reverse/${owner}`)).not.toContainEqual(
    expect.objectContaining({ name: `${label}.postern` }),
  )

  await test.step('the released name cannot be registered again', async () => {
    await field(page).fill(label)
    await expect(card(page)).toContainText('Already taken')
  })
})
