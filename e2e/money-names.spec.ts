/** Requested, signed by the owner, and resolvable. */
import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { allChains } from './support/dapp'
import { approveRequest, shown, signedIn } from './support/embedded'
import { addressOf } from './support/money'
import { approve, card, connect, inDapp, modal, openModal, press, walletPrompt } from './support/postern'
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

test('@main @money an injected wallet registers a name, which becomes its identity and a recipient (spec §2, §7)', async ({
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
