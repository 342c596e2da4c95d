/** What may import what: what these tables do not list is an error. See docs/internals/architecture.md. */

const { existsSync, readdirSync, readFileSync } = require('node:fs')
const { join } = require('node:path')

const namespaceTables = ['^packages/protocol/src/namespaces/[\\w-]+\\.ts$']

/** Tables and rules of `protocol` without zod. */
const plainProtocol = [
  ...namespaceTables,
  ...['composed-methods', 'methods', 'page-link/timeouts', 'validation/wallet-links'].map(
    (name) => `^packages/protocol/src/${name}\\.ts$`,
  ),
]

/** What a workspace imports of another at run time: the listed modules of it, besides types. */
const onlyTypes = {
  'packages/siwx': { 'packages/protocol': namespaceTables },
  'packages/client-sdk': { 'packages/protocol': plainProtocol },
  'packages/testing': { 'packages/client-sdk': [] },
  'apps/demo': { 'packages/devnet': [] },
}

/** What only the tests of a workspace import. */
const onlyInTests = {
  'packages/chains': ['packages/devnet'],
  'packages/client-sdk': ['packages/siwx'],
  'packages/siwx': ['packages/chains'],
  'packages/testing': ['packages/siwx'],
  'apps/modal-host': ['packages/devnet'],
  'apps/gateway': ['packages/devnet'],
}

/** Parts of apps that tools import. The load test needs a PostgreSQL and secrets. */
const partsOfApps = { bench: ['apps/gateway/src/testing', 'apps/gateway/src/platform/secrets'] }

/** Each workspace's folder, and those of the workspaces that its `package.json` names. */
const workspaces = readWorkspaces()

/** The rooms of a folder, lowest first, and the folders beside it that each imports. Files beside them are `.`. */
const rooms = {
  'packages/client-sdk/src': {
    // The entries, and what they load.
    '.': null,
    types: [],
    shared: ['types'],
    state: ['shared', 'types'],
    page: ['state', 'types'],
    link: ['state/guards', 'shared'],
    discovery: ['shared'],
    providers: ['discovery', 'state', 'shared', 'types'],
    // Adapters and providers of a namespace load together, when a page needs them.
    namespaces: ['adapters', 'providers', 'discovery', 'state', 'shared', 'types'],
    adapters: ['namespaces', 'providers', 'discovery', 'state', 'shared', 'types'],
    modal: ['link', 'namespaces', 'providers', 'discovery', 'page', 'state', 'shared', 'types', 'elements/language'],
    instance: ['modal', 'namespaces', 'providers', 'page', 'state', 'shared', 'types'],
    frameworks: ['server', 'types'],
    server: ['types'],
    connectors: ['types'],
    elements: ['frameworks', 'instance/registry', 'state', 'types'],
    react: ['elements', 'frameworks', 'server', 'shared', 'types', '.'],
    script: ['instance', 'elements', 'modal', 'namespaces', 'adapters', 'shared', 'types'],
  },
  'packages/client-sdk/src/modal': {
    '.': null,
    // The alert draws without the rest of the modal, which may not load.
    alert: ['.'],
    frame: ['.'],
    'sign-in': ['frame/init', '.'],
    services: ['sign-in', '.'],
  },
  'apps/modal-host/src': {
    services: [],
    snapshot: ['services'],
    'page-link': [],
    'view-kit': ['snapshot'],
    // WalletConnect asks the page for the message of a one-click sign-in.
    connectors: ['snapshot', 'services', 'page-link', 'sign-in-with-wallet/ask-page'],
    connections: ['connectors', 'snapshot', 'services'],
    requests: ['connections', 'connectors', 'snapshot', 'services'],
    'sign-in-with-wallet': ['requests', 'connections', 'page-link', 'snapshot'],
    embedded: ['requests', 'connections', 'connectors', 'snapshot', 'services'],
    // `money-host` gives the features the wallets' sessions.
    features: ['view-kit', 'snapshot', 'services', 'connections/sessions/sessions'],
    views: ['features', 'view-kit', 'snapshot'],
    host: [
      'connections',
      'connectors',
      'embedded',
      'features',
      'page-link',
      'requests',
      'services',
      'sign-in-with-wallet',
      'snapshot',
    ],
    boot: ['host', 'view-kit', 'snapshot', 'features', 'views'],
  },
  // `index.ts` composes them; `options.ts` and `failures.ts` serve them all.
  'apps/modal-host/src/connectors/walletconnect': {
    '.': null,
    client: ['.'],
    dialects: ['.'],
    pairing: ['client', 'dialects', '.'],
    session: ['client', 'dialects', '.'],
  },
  'apps/modal-host/src/connections': {
    // Networks, and the actions of all rooms.
    '.': ['connect', 'wallets', 'sessions'],
    sessions: [],
    wallets: ['sessions/stored'],
    connect: ['wallets', 'sessions'],
  },
  'apps/modal-host/src/boot': {
    // The entry, and what it starts.
    '.': ['shell', 'navigation'],
    Connect: [],
    // Which view is shown: its code, its failure, and what the host asks for.
    navigation: ['Connect'],
    // What stays across views.
    shell: ['navigation'],
  },
  'apps/modal-host/src/view-kit': {
    // The host's snapshot and actions, navigation, and small hooks and components.
    '.': [],
    format: [],
    loading: [],
    messages: ['.'],
    wallets: ['format', '.'],
    networks: ['messages', 'wallets', '.'],
    pairing: ['.'],
    attempt: ['messages', 'wallets', '.'],
    'wallet-frame': ['.'],
    'sign-in': ['messages', 'wallet-frame', '.'],
    embedded: ['loading', '.'],
  },
  'apps/wallet/src': {
    '.': ['account', 'shares', 'signing', 'storage'],
    storage: ['.'],
    // The worker signs in each namespace's own way.
    keys: ['chains/eip155/keys', 'chains/solana/keys', 'chains/bip122/keys', '.'],
    signing: ['storage', '.'],
    account: ['signing', 'storage', '.'],
    shares: ['account', 'signing', 'storage', '.'],
    chains: ['intent', 'keys', '.'],
    // Decodes in each namespace's own way.
    intent: ['chains/eip155/intent', 'chains/solana/intent', 'chains/bip122/intent'],
    // React, for the frame and the window.
    approval: ['intent', 'chains/eip155/intent', 'chains/solana/intent', 'chains/endpoint', 'signing', 'storage', '.'],
    frame: ['approval', 'intent', 'account', 'chains', 'keys', 'signing', 'storage', '.'],
    window: ['approval', 'intent', 'keys', 'storage', '.'],
  },
  'apps/wallet/src/approval': {
    // Draws what waits: an approval or a code.
    '.': ['card', 'code', 'arming'],
    description: [],
    place: [],
    arming: [],
    card: ['description', 'place', 'arming'],
    code: ['arming'],
  },
  'apps/wallet/src/frame': {
    // The link, its table and its handlers.
    '.': null,
    ancestors: [],
    challenge: [],
    window: [],
    approvals: ['window', 'ancestors'],
    codes: ['window'],
  },
  // The requests of either account over those of the plain (`transactions`) and the smart one (`operations`).
  'apps/wallet/src/chains/eip155': {
    '.': null,
    keys: [],
    intent: [],
    endpoints: [],
    sent: ['endpoints'],
    account: ['endpoints'],
    messages: ['account', 'endpoints', 'keys'],
    transactions: ['account', 'sent', 'endpoints'],
    operations: ['messages', 'account', 'sent', 'endpoints', 'keys'],
    requests: ['transactions', 'operations', 'account', 'sent', 'endpoints'],
  },
  'apps/console/src': { '.': ['pages'], pages: ['.'] },
  'packages/ui/src': {
    '.': [],
    locales: [],
    theme: [],
    marks: ['.'],
    text: ['marks', 'locales', '.'],
    controls: ['text', 'marks', 'locales', '.'],
    rows: ['text', 'marks', 'locales', '.'],
    feedback: ['controls', 'marks', '.'],
  },
  // Six wings. The files beside them compose the gateway.
  'apps/gateway/src': {
    '.': null,
    platform: [],
    projects: ['platform'],
    accounts: ['projects', 'platform'],
    // Only the user's own account may be sponsored.
    chains: ['accounts/sessions/sessions', 'accounts/shares/store', 'projects', 'platform'],
    site: ['chains', 'accounts', 'projects', 'platform'],
    // Reads the configuration, and `gateway dev` starts the whole gateway.
    operator: ['accounts', 'projects', 'platform', '.'],
  },
  'apps/gateway/src/platform': {
    // Small files that every room may use.
    '.': [],
    log: ['.'],
    http: [],
    images: [],
    upstreams: ['.'],
    settings: ['.'],
    secrets: ['.'],
    html: ['.'],
    tracing: ['log'],
    metrics: ['upstreams'],
    db: ['tracing/spans', '.'],
    limits: ['db', 'http', '.'],
  },
  'apps/gateway/src/projects': { '.': ['mail'], mail: [] },
  'apps/gateway/src/accounts': {
    // The routes of sign-in, and what they need.
    '.': null,
    mail: [],
    users: [],
    codes: [],
    limits: ['codes'],
    sessions: ['users', 'codes'],
    email: ['mail', 'sessions', 'limits', 'users', 'codes'],
    shares: ['sessions'],
    social: ['sessions', 'limits'],
    farcaster: ['social', 'sessions', 'limits'],
    siwx: ['limits'],
  },
  'apps/gateway/src/chains': { rpc: [], esplora: [], bundler: [], blockchain: ['esplora'] },
  'apps/gateway/src/site': {
    // The routes of each site.
    '.': null,
    pages: [],
    directory: [],
    analytics: ['pages'],
  },
  'apps/gateway/src/operator': { admin: [], backup: [], rotation: [], dev: [], doctor: ['dev'] },
}

const notTests = '\\.test\\.tsx?$|/testing/|/testing\\.ts$'

function readWorkspaces() {
  const read = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const folders = read('.').workspaces.flatMap((pattern) =>
    pattern.endsWith('/*')
      ? readdirSync(pattern.slice(0, -2)).map((name) => `${pattern.slice(0, -1)}${name}`)
      : [pattern],
  )
  const manifests = folders
    .filter((folder) => existsSync(join(folder, 'package.json')))
    .map((folder) => ({ folder, ...read(folder) }))
  return manifests.map(({ folder, dependencies, devDependencies, peerDependencies }) => {
    const names = Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies })
    const imports = manifests.filter(({ name }) => names.includes(name)).map((manifest) => manifest.folder)
    return { folder, imports: imports.filter((name) => !onlyInTests[folder]?.includes(name)) }
  })
}

function workspaceRules({ folder, imports }) {
  const own = `^${folder}/`
  const types = onlyTypes[folder] ?? {}
  const rule = {
    severity: 'error',
    from: { path: `${own}(src|scripts)?`, pathNot: `${notTests}|/gallery/` },
  }
  return [
    {
      ...rule,
      name: `${folder}-imports-only-its-workspaces`,
      comment: `${folder} may import ${list(imports)}. Move the code to a workspace that both may import, or name the workspace in its package.json.`,
      to: {
        path: '^(apps|packages|e2e|dapps|bench|fuzz)/',
        pathNot: [own, ...[...imports, ...(partsOfApps[folder] ?? [])].map((name) => `^${name}/`)],
      },
    },
    ...Object.entries(types).map(([name, modules]) => ({
      ...rule,
      name: `${folder}-imports-only-types-of-${name}`,
      comment: `${folder} may import only types of ${name}, and the modules that \`onlyTypes\` lists: write \`import type\`, or move the value to a module without zod and list it.`,
      to: { path: `^${name}/`, pathNot: modules, dependencyTypesNot: ['type-only'] },
    })),
  ]
}

function roomRules([folder, table]) {
  return Object.entries(table).flatMap(([room, imports]) => {
    if (imports === null) return []
    const own = roomPath(folder, room)
    return [
      {
        name: `${folder}-${room === '.' ? 'root' : room}-imports-only-lower-rooms`,
        comment: `${folder}/${room} may import ${list(imports)}. Pass it in as an argument, move it to a lower folder, or add it to the table with its reason.`,
        severity: 'error',
        from: { path: own, pathNot: notTests },
        to: { path: `^${folder}/`, pathNot: [own, notTests, ...imports.map((name) => roomPath(folder, name))] },
      },
    ]
  })
}

/** A room, or a module or folder of it. */
function roomPath(folder, name) {
  if (name === '.') return `^${folder}/[^/]+$`
  return name.includes('/') ? `^${folder}/${name}[./]` : `^${folder}/${name}/`
}

/** Every folder has a row, so that a new one gets its place. */
function unknownRooms([folder, table]) {
  const known = [...Object.keys(table).filter((name) => name !== '.'), 'testing']
  return {
    name: `${folder}-has-a-row-for-each-room`,
    comment: 'Add the folder to `rooms`, with what it may import.',
    severity: 'error',
    from: {},
    to: { path: `^${folder}/[^/]+/`, pathNot: `^${folder}/(${known.join('|')})/` },
  }
}

function list(names) {
  return names.length === 0 ? 'nothing' : names.join(', ')
}

const inHost = (folder) => `^apps/modal-host/src/${folder}/`

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    ...workspaces.flatMap(workspaceRules),
    ...Object.entries(rooms).flatMap(roomRules),
    ...Object.entries(rooms).map(unknownRooms),
    {
      name: 'base-imports-nothing',
      comment: 'Every workspace carries `base`: write it here, or move it to a workspace that may have the package.',
      severity: 'error',
      from: { path: '^packages/base/src', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^packages/base/src' },
    },
    {
      name: 'protocol-imports-only-base-and-zod',
      comment: 'Everything carries `protocol`: write it here, or move it to a workspace that may have the package.',
      severity: 'error',
      from: { path: '^packages/protocol/src', pathNot: '\\.test\\.ts$' },
      to: { pathNot: ['^packages/(base|protocol)/src', '^node_modules/zod'] },
    },
    {
      name: 'plain-modules-of-protocol-bring-no-zod',
      comment: 'The SDK imports them at run time, and zod would outweigh it: import the type, or split the module.',
      severity: 'error',
      from: { path: plainProtocol },
      to: { pathNot: ['^packages/base/src', ...plainProtocol], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'client-sdk-brings-nothing',
      comment:
        'The SDK pays for every byte: at run time it brings itself, `base` and plain tables of `protocol`, and each framework in its own entry.',
      severity: 'error',
      from: { path: '^packages/client-sdk/src', pathNot: '\\.test\\.tsx?$|/testing/' },
      to: {
        pathNot: [
          '^packages/(base|client-sdk)/src',
          '^(packages/client-sdk/)?node_modules/(@types/)?(react|vue|svelte)/',
          ...plainProtocol,
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'siwx-in-the-page-brings-nothing',
      comment:
        'The plugin of a dapp’s page is its own code and the tables of namespaces; servers and verifiers may bring libraries.',
      severity: 'error',
      from: {
        path: '^packages/siwx/src/((page|message)/|(account|hex|nonce|times|types|index)\\.ts$)',
        pathNot: '\\.test\\.ts$|/testing/',
      },
      to: {
        pathNot: [
          '^packages/siwx/src/((page|message)/|(account|hex|nonce|times|types|index)\\.ts$)',
          ...namespaceTables,
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'boot-imports-statically-only-what-the-first-paint-needs',
      comment: 'Load it with `import()` through `views/registry.ts`, or move what both need to `view-kit`.',
      severity: 'error',
      from: { path: inHost('boot'), pathNot: '\\.test\\.tsx?$|/testing/' },
      to: {
        path: '^(apps|packages)/',
        pathNot: ['^apps/modal-host/src/(boot|host|snapshot|view-kit)/', '^packages/(base|protocol|ui)/src/'],
        dynamic: false,
      },
    },
    {
      name: 'boot-fetches-only-features-and-views',
      comment: 'Other code loads through the host, which queues calls until it is there.',
      severity: 'error',
      from: { path: inHost('boot'), pathNot: '\\.test\\.tsx?$|/testing/' },
      to: { path: '^(apps|packages)/', pathNot: inHost('(features|views)'), dynamic: true },
    },
    {
      name: 'keys-of-a-namespace-bring-no-chain',
      comment: 'The signing worker carries `keys/` of each namespace: what asks a network stays in the frame.',
      severity: 'error',
      from: { path: '^apps/wallet/src/chains/[^/]+/keys/', pathNot: notTests },
      to: { path: '^apps/wallet/src/chains/', pathNot: '^apps/wallet/src/chains/[^/]+/keys/' },
    },
    {
      name: 'intent-of-a-namespace-brings-no-chain',
      comment: 'The window carries `intent/` of each namespace: what prepares and sends stays in the frame.',
      severity: 'error',
      from: { path: '^apps/wallet/src/chains/([^/]+)/intent/', pathNot: notTests },
      to: { path: '^apps/wallet/src/chains/', pathNot: '^apps/wallet/src/chains/$1/intent/' },
    },
    {
      name: 'rooms-that-load-before-the-views-bring-no-ui',
      comment: 'Only boot, view-kit, views and features render; a wallet’s code has no view.',
      severity: 'error',
      from: {
        path: inHost('(connectors|connections|requests|embedded|sign-in-with-wallet|snapshot|page-link|services|host)'),
        pathNot: '\\.test\\.tsx?$|/testing/',
      },
      to: { path: '^packages/ui/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^(apps|packages)/[^/]+/(dist|pages|\\.vite-[0-9]+)/', '(^|/)node_modules/\\.', '\\.gen\\.ts$'] },
    // 'specify' would also compile and parse each file for types that vanish; `import type` says which those are.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'default'] },
  },
}
