import { domainToASCII } from 'node:url'

export type EmailAddress = {
  /** Local part as typed, domain in ASCII. */
  readonly address: string
  readonly subject: string
}

/** RFC 5322 §3.2.3, dot-atom. */
const localPart = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** Null if invalid. No quoted or non-ASCII local parts, comments or address literals. */
export function parseEmailAddress(text: string): EmailAddress | null {
  const trimmed = text.trim()
  const at = trimmed.lastIndexOf('@')
  const local = trimmed.slice(0, Math.max(0, at))
  const domain = domainToASCII(trimmed.slice(at + 1)).toLowerCase()
  const labels = domain.split('.')
  const address = `${local}@${domain}`
  const valid =
    local.length <= 64 &&
    address.length <= 254 &&
    localPart.test(local) &&
    labels.length > 1 &&
    labels.every((part) => label.test(part)) &&
    !/^\d+$/.test(labels.at(-1) ?? '')
  return valid ? { address, subject: address.toLowerCase() } : null
}
