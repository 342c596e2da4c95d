type Page = { readonly text: string; readonly link: string }
type Group = { readonly text: string; readonly items: readonly Page[] }

const page = (text: string, link: string): Page => ({ text, link })

/** Every page of the site, by task. `pages.test.ts` compares it with the files of `docs/`. */
export const groups: readonly Group[] = [
  {
    text: 'Start',
    items: [
      page('Plain HTML', '/start/html'),
      page('React', '/start/react'),
      page('Next.js', '/start/next'),
      page('Vue and Nuxt', '/start/vue'),
      page('Svelte and SvelteKit', '/start/svelte'),
      page('Angular', '/start/angular'),
      page('wagmi, RainbowKit, ConnectKit', '/start/wagmi'),
      page('Configurator', '/start/configurator'),
      page('Examples and templates', '/start/examples'),
      page('Troubleshooting', '/start/troubleshooting'),
    ],
  },
  {
    text: 'Guides',
    items: [
      page('Theme and language', '/guides/theming'),
      page('Embedded wallet', '/guides/embedded-wallet'),
      page('Sign in with wallet', '/guides/sign-in-with-wallet'),
      page('Auth.js, iron-session, better-auth', '/guides/auth-libraries'),
      page('A wallet list of your own', '/guides/own-wallet-list'),
      page('Account and money', '/guides/money'),
      page('Smart accounts', '/guides/smart-accounts'),
      page('WalletConnect and phones', '/guides/walletconnect'),
      page('Solana', '/guides/solana'),
      page('Bitcoin', '/guides/bitcoin'),
      page('External connectors', '/guides/external-connectors'),
      page('Content-Security-Policy', '/guides/content-security-policy'),
      page('Server rendering', '/guides/server-rendering'),
      page('Testing your dapp', '/guides/testing'),
    ],
  },
  {
    text: 'Migrate from',
    items: [
      page('AppKit', '/migrate/appkit'),
      page('RainbowKit', '/migrate/rainbowkit'),
      page('ConnectKit', '/migrate/connectkit'),
      page('Privy', '/migrate/privy'),
      page('Solana wallet-adapter', '/migrate/solana-wallet-adapter'),
      page('web3-onboard', '/migrate/web3-onboard'),
    ],
  },
  {
    text: 'Reference',
    items: [
      page('Options and methods', '/reference/options'),
      page('Providers', '/reference/providers'),
      page('Errors', '/reference/errors'),
      page('The page link', '/reference/page-link'),
      page('Specification', '/reference/spec'),
      page('Tests of the specification', '/reference/spec-tests'),
      page('Differences from the specification', '/reference/spec-differences'),
      page('Interop', '/reference/interop'),
    ],
  },
  {
    text: 'Operate',
    items: [
      page('The gateway', '/operate/gateway'),
      page('Container', '/operate/container'),
      page('Console and admin API', '/operate/console'),
      page('Settings', '/operate/settings'),
      page('API', '/operate/api'),
    ],
  },
  {
    text: 'Security',
    items: [
      page('Security model', '/security/security'),
      page('Threat model', '/security/threat-model'),
      page('Key management', '/security/key-management'),
      page('Evidence', '/security/evidence'),
    ],
  },
  {
    text: 'Internals',
    items: [
      page('Architecture', '/internals/architecture'),
      page('Connections', '/internals/connections'),
      page('Feature modules', '/internals/features'),
      page('The embedded wallet', '/internals/embedded-wallet'),
      page('Visual design', '/internals/visual'),
      page('Budgets', '/internals/budgets'),
      page('Tests', '/internals/tests'),
      page('Dependencies', '/internals/dependencies'),
      page('Devnet', '/internals/devnet'),
    ],
  },
]

const first = (text: string): string => groups.find((group) => group.text === text)?.items[0]?.link ?? '/'

export const navigation = [
  ...['Start', 'Guides', 'Reference', 'Operate', 'Security'].map((text) => ({ text, link: first(text) })),
  page('Configurator', '/start/configurator'),
]

export const sidebar = [
  ...groups.map(({ text, items }) => ({ text, collapsed: text === 'Internals', items: [...items] })),
  { text: 'Decisions', link: '/internals/decisions/' },
]
