/** Codes that are wrong, how many tries there are, and how long one waits for the next mail. */
import { approveDevice, codeOf, typeCode, typeEmail } from './support/embedded'
import { lastMail, newAddress, nextMail } from './support/mailbox'
import { modal, openConnect, status } from './support/postern'
import { expect, test } from './support/test'

const other = (code: string, step: number) => String((Number(code) + step) % 1_000_000).padStart(6, '0')

test('@embedded five tries a code, and half a minute between mails', async ({ page, visit }) => {
  const email = newAddress()
  await visit({ wallets: [] })
  await openConnect(page)
  await typeEmail(page, email)
  const link = await nextMail(email)
  await approveDevice(page.context(), link)
  const code = codeOf(await nextMail(email, link))
  const refused = modal(page).getByRole('alert')

  for (let step = 1; step <= 5; step++) {
    await typeCode(page, other(code, step))
    await expect(refused.filter({ hasText: 'The code is not right' })).toBeVisible()
    // The field is empty for the next try.
    await expect(modal(page).getByRole('textbox', { name: 'Six-digit code' })).toHaveValue('')
  }
  await typeCode(page, code)
  await expect(refused.filter({ hasText: 'Too many attempts' })).toBeVisible()
  expect(await status(page)).toBe('disconnected')

  await modal(page).getByRole('button', { name: 'Use another address' }).click()
  await typeEmail(page, email)
  await expect(modal(page).getByText(/Please try again after \d+ seconds/)).toBeVisible()
  expect((await lastMail(email))?.code).toBe(code)
})
