/**
 * Which names can be registered.
 *
 * 1. A label has 4 to 63 characters from a to z, digits and hyphens. No hyphen at either end, nor two in third and
 *    fourth place (IDNA's `xn--`). Labels cannot imitate each other.
 * 2. Letter case does not matter.
 * 3. A label must not look like an address.
 * 4. Words that could speak for us or the operator are reserved, also with digits for similar letters.
 */
import { AccountName } from '@postern/protocol'

export type LabelProblem = 'rule' | 'reserved'
export type Label = { readonly label: string } | { readonly problem: LabelProblem }

const rule = /^(?!..--)[a-z0-9](?:[a-z0-9-]*[a-z0-9])$/
const addresses = /^(?:0x[0-9a-f]*|(?:bc1|tb1|bcrt1)[a-z0-9]{8,}|[0-9a-f]{40})$/

const reserved = new Set(
  [
    ...['postern', 'wallet', 'wallets', 'account', 'accounts', 'admin', 'administrator', 'root', 'system', 'owner'],
    ...['support', 'help', 'helpdesk', 'security', 'official', 'staff', 'team', 'moderator', 'service', 'verify'],
    ...['verified', 'billing', 'payment', 'payments', 'recovery', 'treasury', 'gateway', 'registry', 'registrar'],
    ...['mail', 'email', 'info', 'contact', 'abuse', 'postmaster', 'webmaster', 'hostmaster', 'noreply', 'null'],
    ...['undefined', 'anonymous', 'nobody', 'test', 'example', 'localhost', 'ethereum', 'bitcoin', 'solana'],
  ].map(looks),
)

export function readLabel(text: string): Label {
  // Lowercasing first would turn the Kelvin sign into a k.
  if (!AccountName.safeParse(text).success) return { problem: 'rule' }
  const label = text.toLowerCase()
  if (!rule.test(label) || addresses.test(label)) return { problem: 'rule' }
  return reserved.has(looks(label)) ? { problem: 'reserved' } : { label }
}

/** Null unless the name has our suffix. */
export function labelIn(name: string, suffix: string): string | null {
  if (!name.toLowerCase().endsWith(suffix)) return null
  const read = readLabel(name.slice(0, -suffix.length))
  return 'label' in read ? read.label : null
}

function looks(label: string): string {
  return label
    .replace(/-/g, '')
    .replace(/0/g, 'o')
    .replace(/[1i]/g, 'l')
    .replace(/3/g, 'e')
    .replace(/4/g, 'a')
    .replace(/5/g, 's')
    .replace(/7/g, 't')
}
