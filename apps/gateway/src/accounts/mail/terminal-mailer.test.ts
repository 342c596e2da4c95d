import { expect, test } from 'vitest'
import { createTerminalMailer } from './terminal-mailer'

test('prints whom an email is to, its subject and its text', async () => {
  const written: string[] = []
  const mail = {
    to: 'me@example.com',
    subject: 'Your sign-in code',
    text: 'Your sign-in code\n\n123456\n',
    html: '<p>',
  }
  await createTerminalMailer((text) => written.push(text)).send(mail)
  expect(written).toEqual(['\n  Email to me@example.com: Your sign-in code\n\n  Your sign-in code\n\n  123456\n\n'])
})
