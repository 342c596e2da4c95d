import type { PosternOptions } from '@postern/client'

type Common = {
  /** In the options: `theme.mode`. */
  readonly path: string
  readonly label: string
  readonly help?: string
}

/** A default value is absent from the options. */
export type Control = Common &
  (
    | { readonly kind: 'text'; readonly initial: string; readonly placeholder?: string }
    | { readonly kind: 'words'; readonly initial: readonly string[]; readonly placeholder?: string }
    | { readonly kind: 'color'; readonly initial: string }
    | {
        readonly kind: 'range'
        readonly initial: number
        readonly min: number
        readonly max: number
        readonly step: number
      }
    | { readonly kind: 'flag'; readonly initial: boolean }
    | { readonly kind: 'choice'; readonly initial: string; readonly values: readonly string[] }
    | { readonly kind: 'many'; readonly initial: readonly string[]; readonly values: readonly string[] }
  )

type NeedsCode = { readonly why: string }

const flag = (name: string, label: string, initial: boolean): Control => ({
  kind: 'flag',
  path: `features.${name}`,
  label,
  initial,
})
const words = (path: string, label: string, placeholder: string): Control => ({
  kind: 'words',
  path,
  label,
  placeholder,
  initial: [],
})

/** The languages of the modal (`packages/ui/src/locales`). */
export const languages = [
  ...['ar', 'bn', 'de', 'en', 'es', 'fr', 'hi', 'id', 'it', 'ja', 'ko'],
  ...['nl', 'pl', 'pt', 'ru', 'th', 'tr', 'uk', 'vi', 'zh-Hans', 'zh-Hant'],
] as const

const networks = [
  ...['ethereum', 'base', 'arbitrum', 'optimism', 'polygon', 'bnb', 'avalanche', 'linea'],
  ...['sepolia', 'solana', 'bitcoin'],
] as const

/** An option's controls, or why the page has none. */
export const options: Record<keyof PosternOptions, readonly Control[] | NeedsCode> = {
  projectId: [{ kind: 'text', path: 'projectId', label: 'Project', initial: 'dev', help: 'From your gateway.' }],
  host: [
    { kind: 'text', path: 'host', label: 'Gateway', initial: 'http://127.0.0.1:4400', help: 'Origin of the modal.' },
  ],
  networks: [
    { kind: 'many', path: 'networks', label: 'Networks', values: networks, initial: ['ethereum', 'base'] },
    words('moreNetworks', 'Other networks', 'eip155:59144 gnosis'),
  ],
  metadata: [
    { kind: 'text', path: 'metadata.name', label: 'Name of the dapp', initial: '', placeholder: 'The page’s title' },
  ],
  theme: [
    { kind: 'choice', path: 'theme.mode', label: 'Mode', values: ['auto', 'light', 'dark'], initial: 'auto' },
    { kind: 'color', path: 'theme.accent', label: 'Accent', initial: '#0d7565' },
    { kind: 'color', path: 'theme.mix', label: 'Tint', initial: '#000000', help: 'Mixed into the surfaces.' },
    { kind: 'range', path: 'theme.mixStrength', label: 'Strength of the tint', initial: 0, min: 0, max: 50, step: 5 },
    { kind: 'range', path: 'theme.radius', label: 'Corners', initial: 1, min: 0, max: 2, step: 0.25 },
    {
      kind: 'text',
      path: 'theme.font',
      label: 'Font',
      initial: '',
      placeholder: 'Georgia',
      help: 'On the user’s device.',
    },
    { kind: 'range', path: 'theme.zIndex', label: 'z-index of alerts', initial: 999, min: 0, max: 9999, step: 1 },
  ],
  locale: [{ kind: 'choice', path: 'locale', label: 'Language', values: ['', ...languages], initial: '' }],
  features: [
    flag('email', 'Email', true),
    {
      kind: 'many',
      path: 'features.socials',
      label: 'Social accounts',
      values: ['google', 'github', 'apple', 'facebook', 'x', 'discord'],
      initial: ['google', 'github', 'apple', 'facebook', 'x', 'discord'],
    },
    flag('send', 'Send', true),
    flag('receive', 'Receive', true),
    flag('swaps', 'Swap', true),
    flag('onramp', 'Buy', true),
    flag('history', 'Activity', true),
    flag('analytics', 'Analytics', true),
    flag('legalCheckbox', 'Terms to accept', false),
    flag('smartSessions', 'Permissions of apps', false),
    flag('pay', 'Payments', false),
  ],
  termsConditionsUrl: [
    { kind: 'text', path: 'termsConditionsUrl', label: 'Terms', initial: '', placeholder: 'https://…' },
  ],
  privacyPolicyUrl: [
    { kind: 'text', path: 'privacyPolicyUrl', label: 'Privacy', initial: '', placeholder: 'https://…' },
  ],
  disclaimer: [{ kind: 'text', path: 'disclaimer', label: 'Words at the foot', initial: '' }],
  featuredWallets: [words('featuredWallets', 'Featured wallets', 'io.metamask io.rabby')],
  includeWallets: [words('includeWallets', 'Only these wallets', 'io.metamask')],
  excludeWallets: [words('excludeWallets', 'Not these wallets', 'io.metamask')],
  walletConnect: [{ kind: 'flag', path: 'walletConnect', label: 'WalletConnect', initial: true }],
  walletPrompt: [{ kind: 'flag', path: 'walletPrompt', label: 'Card while a phone is asked', initial: true }],
  connectorTypeOrder: [words('connectorTypeOrder', 'First groups of wallets', 'featured injected')],
  connectMethodsOrder: [words('connectMethodsOrder', 'First ways to connect', 'wallet email social')],
  accounts: [
    {
      kind: 'choice',
      path: 'accounts.eip155',
      label: 'Account of a new user',
      values: ['', 'smart', 'eoa'],
      initial: '',
    },
  ],
  announce: [{ kind: 'flag', path: 'announce', label: 'Other libraries list Postern', initial: true }],
  autoReconnect: [{ kind: 'flag', path: 'autoReconnect', label: 'Connections of earlier visits', initial: true }],
  prewarm: [
    {
      kind: 'choice',
      path: 'prewarm',
      label: 'The modal loads',
      values: ['presence', 'intent', 'off'],
      initial: 'presence',
    },
  ],
  customWallets: { why: 'A list of your own wallets: see the reference.' },
  overrides: { why: 'Your own words, by the id of the message.' },
  logo: { why: 'A picture as a `data:` URL: see the reference.' },
  avatar: { why: 'A picture as a `data:` URL, which `setOptions` changes with the account: see the reference.' },
  siwx: { why: 'A plugin with functions: see the guide to sign-in.' },
  siweConfig: { why: 'The older form of `siwx`.' },
  connectors: { why: 'Wallets with their own SDK: see the guide to external connectors.' },
}

export const groups: readonly { readonly title: string; readonly of: readonly (keyof PosternOptions)[] }[] = [
  { title: 'Gateway', of: ['projectId', 'host', 'metadata'] },
  { title: 'Networks', of: ['networks'] },
  { title: 'Look and language', of: ['theme', 'locale', 'disclaimer'] },
  { title: 'Features', of: ['features', 'termsConditionsUrl', 'privacyPolicyUrl', 'accounts'] },
  {
    title: 'Wallets',
    of: [
      ...(['walletConnect', 'walletPrompt', 'featuredWallets', 'includeWallets', 'excludeWallets'] as const),
      ...(['connectorTypeOrder', 'connectMethodsOrder'] as const),
    ],
  },
  { title: 'On the page', of: ['prewarm', 'autoReconnect', 'announce'] },
]

export const controlsOf = (option: keyof PosternOptions): readonly Control[] => {
  const entry = options[option]
  return 'why' in entry ? [] : entry
}

export type Value = string | number | boolean | readonly string[]
/** By path; absent: the default. */
export type Values = Readonly<Record<string, Value>>

/** What is required, and what is not its default. */
export function optionsOf(values: Values): PosternOptions {
  const all = groups.flatMap(({ of }) => of.flatMap(controlsOf))
  const chosen = all.flatMap(({ path, initial }) => {
    const value = values[path] ?? initial
    const isRequired = path === 'projectId' || path === 'host' || path === 'networks'
    return isRequired || !isSame(value, initial) ? [[path, value] as const] : []
  })
  const { moreNetworks, networks, ...rest } = Object.fromEntries(chosen)
  const flat = { networks: [...listOf(networks), ...listOf(moreNetworks)], ...rest }
  const nested: Record<string, unknown> = {}
  for (const [path, value] of Object.entries(flat)) {
    const [option = '', key] = path.split('.')
    if (key === undefined) nested[option] = value
    else nested[option] = { ...(nested[option] ?? {}), [key]: value }
  }
  const { projectId, host, networks: named, ...others } = nested
  return { projectId: String(projectId), host: String(host), networks: listOf(named), ...others }
}

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

const isSame = (one: Value, other: Value): boolean => JSON.stringify(one) === JSON.stringify(other)
