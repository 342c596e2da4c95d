/** In the wallet's own window, each of the two addresses gives its code first. For seven days the former one can undo it. */
import type { Page } from '@playwright/test'
import { installClock } from './support/clock'
import { allChains, dappPage } from './support/dapp'
import { codeOf, signInByEmail, walletFrameIn } from './support/embedded'
import { createGateway } from './support/gateway'
import { lastMail, type Mail, newAddress, nextMail } from './support/mailbox'
import { card, inDapp, modal, openConnect, opening, press, type } from './support/postern'
import { pressToEnd } from './support/social'
import { expect, test } from './support/test'
import { connectedAddresses, openOn, openSecurity, signInOnNewDevice } from './support/wallet-window'

const wrong = (code: string) => (code === '000000' ? '000001' : '000000')

/** From the security view to the wallet's own window, which a press in the wallet's frame opens. */
async function openChange(page: Page, address: string): Promise<Page> {
  const view = modal(page)
  await press(view.getByRole('button', { name: /^Change email/ }))
  const field = view.getByRole('textbox', { name: 'New email address' })
  await type(field, address)
  await field.press('Enter')
  await expect(walletFrameIn(page).getByRole('main')).toContainText(address)
  return opening(page, () =>
    press(walletFrameIn(page).getByRole('button', { name: 'Continue in your wallet', exact: true })),
  )
}

/** Enters the code of both addresses in the window. `before`: the latest email to the former one before the change. */
async function confirmChange(
  page: Page,
  popup: Page,
  given: { former: string; present: string; before?: Mail | undefined },
) {
  const { former, present, before } = given
  const field = popup.getByRole('textbox', { name: '6-digit code' })
  let told: Mail | undefined
  for (const [step, mailbox, seen] of [
    [1, former, before],
    [2, present, undefined],
  ] as const) {
    const mail = await nextMail(mailbox, seen)
    told ??= mail
    await expect(card(page)).toContainText(`Step ${step} of 2`)
    const main = popup.getByRole('main')
    await expect(main).toContainText(`Step ${step} of 2`)
    await expect(main).toContainText(`changes to ${present}`)
    await expect(main).toContainText(`we sent to ${mailbox}`)
    const code = codeOf(mail)
    await type(field, wrong(code))
    await expect(popup.getByText(/^Wrong code/)).toBeVisible()
    await expect(field).toHaveValue('')
    await type(field, code)
  }
  await expect(popup.getByRole('main')).toContainText('your former address can sign out newer devices')
  await pressToEnd(popup.getByRole('button', { name: 'Done', exact: true }))
  return told
}

const undoLinkOf = (mail: Mail): string => {
  const link = mail.links.find((one) => one.includes('/auth/not-me'))
  if (link === undefined) throw new Error('The mail has no link “This was not me”.')
  return link
}

test('@main @embedded changes the email address, after a code from each (spec §3, §4)', async ({
  page,
  visit,
  browser,
}) => {
  const [former, present] = [newAddress(), newAddress()]
  const address = await visit({ wallets: [], networks: allChains })
  await signInOnNewDevice(page, former)
  const addresses = await connectedAddresses(page)
  await openSecurity(page)
  const before = await lastMail(former)
  const popup = await openChange(page, present)
  const told = await confirmChange(page, popup, { former, present, before })

  await expect(card(page)).toContainText('Email changed')
  await press(modal(page).getByRole('button', { name: 'Done' }))
  await expect(card(page)).toContainText(present)
  await expect(card(page)).not.toContainText(former)
  // Notified, without naming the new address.
  const notice = await nextMail(former, told)
  expect(notice.code ?? null).toBeNull()
  expect(notice.text + notice.html).not.toContain(present)

  await test.step('the new address opens the wallet', async () => {
    const context = await browser.newContext()
    const owner = await openOn(context, address)
    await signInOnNewDevice(owner, present)
    expect(await connectedAddresses(owner)).toEqual(addresses)
    await context.close()
  })
})

test('@embedded @engines the former address freezes a changed account, and takes it back on its device', async ({
  page,
  sites,
  lane,
  browser,
}) => {
  const [former, present] = [newAddress(), newAddress()]
  const project = { id: 'demo', name: 'Dapp', allowedOrigins: [sites.origin('dapp')], defaultAncestors: false }
  const gateway = await createGateway(lane.ownGatewayPort, [project])
  try {
    await gateway.start()
    await installClock(page)
    const address = sites.serve('dapp', '/', dappPage({ host: gateway.origin, wallets: [], networks: allChains }))
    await page.goto(address)
    await page.waitForFunction(() => 'Postern' in window)
    await signInOnNewDevice(page, former)
    const addresses = await connectedAddresses(page)
    await openSecurity(page)
    const before = await lastMail(former)
    const popup = await openChange(page, present)
    const told = await confirmChange(page, popup, { former, present, before })
    await expect(card(page)).toContainText('Email changed')
    const notice = await nextMail(former, told)

    await test.step('the button of the notice freezes the account', async () => {
      const mailbox = await browser.newContext()
      const link = await mailbox.newPage()
      await link.goto(undoLinkOf(notice))
      await link.getByRole('button', { name: 'This was not me' }).click()
      await expect(link.getByRole('heading')).toHaveText('The account is frozen')
      await mailbox.close()
    })

    await test.step('the new address opens it on no new device', async () => {
      const context = await browser.newContext()
      const thief = await openOn(context, address)
      await openConnect(thief)
      await signInByEmail(thief, present)
      await expect(card(thief)).toContainText('This account’s email address was changed lately')
      await context.close()
    })

    await test.step('the former address restores it on the device that was there before', async () => {
      await inDapp(page, (postern) => postern.disconnect())
      await inDapp(page, (postern) => postern.close())
      // A browser may request an email every 30 s.
      await gateway.advance(31_000)
      await page.clock.fastForward(31_000)
      await signInOnNewDevice(page, former)
      expect(await connectedAddresses(page)).toEqual(addresses)
      await openSecurity(page)
      await expect(card(page)).toContainText(former)
    })
  } finally {
    await gateway.remove()
  }
})
