import type { Mailer } from './mailer'

/** For development. */
export function createTerminalMailer(write: (text: string) => void): Mailer {
  return {
    async send({ to, subject, text }) {
      const lines = [`Email to ${to}: ${subject}`, '', ...text.trim().split('\n')]
      write(`\n${lines.map((line) => (line === '' ? '' : `  ${line}`)).join('\n')}\n\n`)
    },
  }
}
