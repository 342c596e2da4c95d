/** Each of the two addresses gives its code first. */
import { allChains } from './support/dapp'
import { codeField, codeOf, codeRefusal, walletFrameIn } from './support/embedded'
import { lastMail, type Mail, newAddress, nextMail } from './support/mailbox'
import { card, modal, press } from './support/postern'
import { expect, test } from './support/test'
import { connectedAddresses, openOn, openSecurity, signInOnNewDevice } from './support/wallet-window'

const wrong = (code: string) => (code === '000000' ? '000001' : '000000')

test('@main @embedded changes the email address, after a code from each', async ({ page, visit, browser }) => {
  test.setTimeout(240_000)
  const [former, present] = [newAddress(), newAddress()]
  const address = await visit({ wallets: [], networks: allChains })
  await signInOnNewDevice(page, former)
  const addresses = await connectedAddresses(page)
  await openSecurity(page)
  const before = await lastMail(former)
  const view = modal(page)
  await press(view.getByRole('button', { name: /^Change email/ }))
  const field = view.getByRole('textbox', { name: 'New email address' })
  await field.fill(present)
  await field.press('Enter')

  let told: Mail | undefined
  for (const [step, mailbox, seen] of [
    [1, former, before],
    [2, present, undefined],
  ] as const) {
    await test.step(`step ${step}: a wrong code of ${step === 1 ? 'the former' : 'the new'} address, then the right one`, async () => {
      const mail = await nextMail(mailbox, seen)
      told ??= mail
      await expect(card(page)).toContainText(`Step ${step} of 2`)
      await expect(walletFrameIn(page).getByRole('main')).toContainText(mailbox)
      const code = codeOf(mail)
      const digits = codeField(page)
      await digits.fill(wrong(code))
      await expect(codeRefusal(page, 'Wrong code')).toBeVisible()
      await expect(digits).toHaveValue('')
      await digits.fill(code)
    })
  }

  await expect(card(page)).toContainText('Email changed')
  await press(view.getByRole('button', { name: 'Done' }))
  await expect(card(page)).toContainText(present)
  await expect(card(page)).not.toContainText(former)
  // Notified, without naming the new address.
  const notice = await nextMail(former, told)
  expect(notice.code ?? null).toBeNull()
  expect(notice.text + notice.html).not.toContain(present)

  await test.step('the new address opens the wallet, the former one another', async () => {
    const [one, two] = await Promise.all([browser.newContext(), browser.newContext()])
    const owner = await openOn(one, address)
    await signInOnNewDevice(owner, present)
    expect(await connectedAddresses(owner)).toEqual(addresses)
    await one.close()
    const stranger = await openOn(two, address)
    await signInOnNewDevice(stranger, former)
    const others = await connectedAddresses(stranger)
    expect(others.filter((other) => addresses.includes(other))).toEqual([])
    await two.close()
  })
})
