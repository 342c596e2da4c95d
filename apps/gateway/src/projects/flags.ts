/**
 * Flags of `project add` and `project update`: parsing, help and effect. `project.ts` checks the values.
 *
 * 1. A flag changes only its own part of a project, such as `mail.sender`.
 * 2. `update` starts from the project, `add` from nothing.
 * 3. Flags of the same part apply in the order of the table.
 */
import { CommandError } from '../platform/command-error'

type Flag = {
  /** Path in `ProjectChanges`. */
  readonly path: string
  /** Null: a switch, with a negative. */
  readonly placeholder: string | null
  readonly repeatable: boolean
  /** @param texts at least one. */
  read(texts: readonly string[], before: unknown, flag: string): unknown
  readonly help: string
}

type Reader = Pick<Flag, 'repeatable' | 'read'>

/** Reads the last value. */
const one = (read: (text: string, flag: string) => unknown): Reader => ({
  repeatable: false,
  read: ([...texts], _, flag) => read(texts.pop() ?? '', flag),
})
const all = (read: Flag['read']): Reader => ({ repeatable: true, read })

const text = one((value) => value)
const number = one(numberIn)
/** `word` stands for null. */
const textOr = (word: string) => one((value) => (value === word ? null : value))
const numberOr = (word: string) => one((value) => (value === word ? null : numberIn(value)))
const switched = one((value, flag) => onOrOff(value, `--${flag}`))

const list = all((texts) => [...new Set(texts)])
/** A new list; `word` alone stands for `meaning`. */
const listOr = (word: string, meaning: readonly string[] | null) =>
  all((texts, _, flag) => {
    if (!texts.includes(word)) return [...new Set(texts)]
    if (texts.length > 1) throw new CommandError(`--${flag} ${word} goes without others`, 2)
    return meaning
  })
const added = all((texts, before) => [...new Set([...listOf(before), ...texts])])
const removed = all((texts, before) => {
  const origins = listOf(before)
  const unknown = texts.find((origin) => !origins.includes(origin))
  if (unknown === undefined) return origins.filter((origin) => !texts.includes(origin))
  throw new CommandError(`${unknown} is not among the origins: ${origins.join(', ') || 'none'}`)
})
/** `<name>=<value>`: each changes one member, or removes it if `read` returns undefined. */
const entries = (example: string, pattern: RegExp, read: (value: string, name: string) => unknown) =>
  all((texts, before, flag) =>
    texts.reduce<unknown>((present, entry) => {
      const [, name = '', value] = pattern.exec(entry) ?? []
      if (value === undefined) throw new CommandError(`--${flag} ${entry}: write it as ${example}`, 2)
      return withMember(present, name.split('.'), read(value, name))
    }, before),
  )
const feature = entries('swaps=off', /^([^=]*)=([^=]*)$/, (value, name) => {
  if (name !== 'socials') return onOrOff(value, `--feature: ${name}`)
  return value === 'off' ? [] : value.split(',')
})
const look = entries('accent=#0d756d', /^([A-Za-z]+)=(.+)$/s, (value) =>
  value === 'off' ? undefined : numberIn(value),
)
const mailText = entries('de.intro=Text', /^([A-Za-z-]+\.[a-z]+)=(.*)$/s, (value) =>
  value === 'off' ? undefined : value,
)

const row = (path: string, placeholder: string | null, reader: Reader, help = ''): Flag => ({
  path,
  placeholder,
  ...reader,
  help,
})

const flags: Readonly<Record<string, Flag>> = {
  name: row('name', '<name>', text),
  origin: row(
    'allowedOrigins',
    '<origin>',
    list,
    'https://app.example.com, or https://*.example.com for one label.\nupdate: the whole new list',
  ),
  'remove-origin': row('allowedOrigins', '<origin>', removed, 'takes it from the list'),
  'add-origin': row('allowedOrigins', '<origin>', added, 'adds it to the list'),
  'default-ancestors': row(
    'defaultAncestors',
    null,
    text,
    'let localhost, preview and tunnelling hosts in (the default in development).\n--no-default-ancestors keeps them out (a live project should)',
  ),
  feature: row(
    'features',
    '<name>=on|off',
    feature,
    'wins over what the dapp configures. --feature socials=google,github',
  ),
  look: row(
    'look',
    '<part>=<value>|off',
    look,
    "how the modal looks where a dapp's own theme says nothing: accent=#0d756d, radius=0.5\n(of corners, 0 to 2), font='Georgia, serif', mix=#3344ff with mixStrength=10 (percent, 0 to 50)",
  ),
  'wallet-connect': row(
    'walletConnect',
    '<id>|off',
    textOr('off'),
    "the project's id at WalletConnect; without one the modal offers no WalletConnect",
  ),
  'sign-in-chain': row(
    'signInChains',
    '<chain>',
    listOr('all', null),
    'eip155:1. Where visitors can sign in with their wallet, of the chains that the gateway\nknows. update: the whole new list; all: every one of them (the default)',
  ),
  'recovery-wait-hours': row(
    'recoveryWaitHours',
    '<n>',
    number,
    "how long a new device of an embedded wallet's user waits before it can open the wallet;\nthe mailbox and the other devices can stop it meanwhile. 0: not at all (the default)",
  ),
  recovery: row(
    'recovery',
    'any|hardened',
    text,
    'hardened: new wallets need a passkey or passphrase (any by default)',
  ),
  'recovery-choice': row(
    'recoveryChoice',
    'later|first',
    text,
    'first: a new user chooses how to recover before the wallet is made (later by default)',
  ),
  approvals: row(
    'approvals.place',
    'auto|window',
    text,
    "where users approve what the embedded wallet signs: in the page what can take nothing or little\n(the default), or always in the wallet's own window",
  ),
  'approvals-window-above': row(
    'approvals.windowAboveUsd',
    '<usd>|off',
    numberOr('off'),
    'requests above this worth in US dollars go to the window, and those above four times as\nmuch in a day. off: the default, 25',
  ),
  'trust-origin': row(
    'approvals.trustedOrigins',
    '<origin>',
    listOr('none', []),
    'an exact origin whose pages may show approvals without the default limits.\nupdate: the whole new list; none: no origin',
  ),
  'mail-sender': row(
    'mail.sender',
    '<name>|off',
    textOr('off'),
    "shown as the sender of the project's emails; the address stays the gateway's",
  ),
  'mail-reply-to': row('mail.replyTo', '<address>|off', textOr('off'), 'where replies go'),
  'mail-brand': row('mail.brand', '<name>|off', textOr('off'), 'above the heading of the emails'),
  'mail-color': row('mail.color', '<#rrggbb>|off', textOr('off'), 'of the brand and of buttons in them'),
  'mail-footer': row(
    'mail.footer',
    '<text>|off',
    textOr('off'),
    'one line below everything, such as how to reach your support',
  ),
  'mail-text': row(
    'mailTexts',
    '<language>.intro|footer=<text>|off',
    mailText,
    "de.intro='Welcome to our shop.' In emails of that language, one line below the heading,\nor in place of --mail-footer. Other languages without their own have that of en",
  ),
  analytics: row(
    'analytics.enabled',
    'on|off',
    switched,
    'whether the gateway keeps what visitors do in the modal (on by default)',
  ),
  'analytics-consent': row('analytics.consent', 'on|off', switched, 'whether a visitor is asked first (on by default)'),
  'analytics-addresses': row(
    'analytics.addresses',
    'on|off',
    switched,
    "whether it may hold the visitor's address (off by default)",
  ),
  'analytics-days': row('analyticsDays', '<n>|default', numberOr('default'), 'how long the gateway keeps events'),
}

/** For `parseArgs`. */
export const flagOptions: Readonly<Record<string, { type: 'boolean' } | { type: 'string'; multiple: true }>> =
  Object.fromEntries(
    Object.entries(flags).map(([flag, { placeholder }]) =>
      placeholder === null ? [flag, { type: 'boolean' }] : [flag, { type: 'string', multiple: true }],
    ),
  )

const column = 31

export const flagUsage = Object.entries(flags)
  .map(([flag, { placeholder, repeatable, help }]) => {
    const head = `  --${flag}${placeholder === null ? '' : ` ${placeholder}`}`
    const lines = `${repeatable ? 'repeatable; ' : ''}${help}`.replace(/; $/, '').split('\n')
    const [first = '', ...rest] = head.length < column ? lines : ['', ...lines]
    return [`${head.padEnd(column)}${first}`.trimEnd(), ...rest.map((line) => `${' '.repeat(column)}${line}`)].join(
      '\n',
    )
  })
  .join('\n')

/** Unchecked. @param values of {@link flagOptions}. */
export function changesOf(
  values: Readonly<Record<string, unknown>>,
  before: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const changes = new Map<string, unknown>()
  for (const [flag, { path, placeholder, read }] of Object.entries(flags)) {
    const value = values[flag]
    if (value === undefined) continue
    const [part = '', ...members] = path.split('.')
    const present = changes.has(part) ? changes.get(part) : before[part]
    const next = placeholder === null ? value : read(listOf(value), memberOf(present, members), flag)
    changes.set(part, members.length === 0 ? next : withMember(present, members, next))
  }
  return Object.fromEntries(changes)
}

function memberOf(value: unknown, [name, ...rest]: readonly string[]): unknown {
  return name === undefined ? value : memberOf(membersOf(value).get(name), rest)
}

/** Returns a copy. Undefined removes the member, and parents left empty. */
function withMember(value: unknown, [name = '', ...rest]: readonly string[], member: unknown): object {
  const members = membersOf(value)
  const next = rest.length === 0 ? member : withMember(members.get(name), rest, member)
  if (next === undefined || (rest.length > 0 && membersOf(next).size === 0)) members.delete(name)
  else members.set(name, next)
  return Object.fromEntries(members)
}

function membersOf(value: unknown): Map<string, unknown> {
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : [])
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : []
}

function onOrOff(value: string, label: string): boolean {
  if (value !== 'on' && value !== 'off') throw new CommandError(`${label} is on or off`, 2)
  return value === 'on'
}

/** The number, or the text for the schema to refuse. */
function numberIn(value: string): number | string {
  return /^-?\d{1,12}(\.\d{1,6})?$/.test(value) ? Number(value) : value
}
