/**
 * Which names can be registered.
 *
 * 1. A label is 4 to 63 letters of a to z, digits or hyphens, with no hyphen at either end and none in the third and fourth place, where one would make it
 *    a word of another script (IDNA's `xn--`). Nothing else looks like these characters: what is written in others is no label, also where lower case
 *    would make one of it.
 * 2. Upper and lower case are one name.
 * 3. What looks like an address is no label.
 * 4. Words that speak for us, or for whoever runs this, belong to nobody; nor do they with digits in the place of letters that look like them.
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
  // Before anything is put into lower case: the Kelvin sign becomes a k there.
  if (!AccountName.safeParse(text).success) return { problem: 'rule' }
  const label = text.toLowerCase()
  if (!rule.test(label) || addresses.test(label)) return { problem: 'rule' }
  return reserved.has(looks(label)) ? { problem: 'reserved' } : { label }
}

/** The label of a name of ours; null where it is another name, or none. */
export function labelIn(name: string, suffix: string): string | null {
  if (!name.toLowerCase().endsWith(suffix)) return null
  const read = readLabel(name.slice(0, -suffix.length))
  return 'label' in read ? read.label : null
}

/** What a hurried eye makes of it. */
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
