import { randomBytes } from 'node:crypto'
import { devnetPorts } from '@postern/devnet'
import * as z from 'zod/mini'

const Mail = z.object({
  id: z.union([z.string(), z.number()]),
  to: z.union([z.string(), z.array(z.string())]),
  subject: z.string(),
  text: z.string(),
  html: z.nullable(z.string()),
  links: z.array(z.string()),
  code: z.nullish(z.string()),
})
export type Mail = z.infer<typeof Mail>

const base = `http://127.0.0.1:${devnetPorts.mailbox}`

/** Random: the mailbox may be that of an earlier run. */
export const newAddress = (): string => `v-${randomBytes(6).toString('hex')}@example.com`

/** In ms: the wallet's frame may have to load first. */
const longest = 60_000

/** After `seen`; waits for it. Skips notices of recoveries, which arrive whenever a new device opens the wallet. */
export async function nextMail(address: string, seen?: Mail): Promise<Mail> {
  const mail = await anyMail(address, seen)
  return isRecoveryNotice(mail) ? nextMail(address, mail) : mail
}

export async function nextRecoveryNotice(address: string, seen?: Mail): Promise<Mail> {
  const mail = await anyMail(address, seen)
  return isRecoveryNotice(mail) ? mail : nextRecoveryNotice(address, mail)
}

const isRecoveryNotice = ({ subject }: Mail) => subject.startsWith('A new device ')

async function anyMail(address: string, seen?: Mail): Promise<Mail> {
  const query = new URLSearchParams({
    to: address,
    timeout: String(longest),
    ...(seen && { after: String(seen.id) }),
  })
  // real time: ends a wait for an email that never comes
  const response = await fetch(`${base}/messages/wait?${query}`, { signal: AbortSignal.timeout(longest + 5_000) })
  if (response.status !== 200) throw new Error(`No mail came to ${address}: ${response.status}`)
  return Mail.parse(await response.json())
}

export async function lastMail(address: string): Promise<Mail | undefined> {
  const response = await fetch(`${base}/messages?${new URLSearchParams({ to: address })}`)
  return z.array(Mail).parse(await response.json())[0]
}
