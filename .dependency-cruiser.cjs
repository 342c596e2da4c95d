/** The directions in which code may import; docs/internals/architecture.md says why. */
const inHost = (folder) => `^apps/modal-host/src/${folder}/`

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'protocol-imports-only-zod',
      severity: 'error',
      from: { path: '^packages/protocol/src', pathNot: '\\.test\\.ts$' },
      to: { pathNot: ['^packages/protocol/src', '^node_modules/zod'] },
    },
    {
      name: 'client-sdk-imports-only-types-of-protocol',
      comment: 'The SDK pays for every byte: at run time it brings nothing but itself (and React in its React entry).',
      severity: 'error',
      from: { path: '^packages/client-sdk/src', pathNot: '\\.test\\.tsx?$|/testing/' },
      to: { pathNot: ['^packages/client-sdk/src', '^node_modules/(@types/)?react'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'siwx-in-the-page-brings-nothing',
      comment: 'The plugin of a dapp’s page is its own code alone; servers and verifiers may bring libraries.',
      severity: 'error',
      from: {
        path: '^packages/siwx/src/((page|message)/|(account|hex|nonce|times|types|index)\\.ts$)',
        pathNot: '\\.test\\.ts$|/testing/',
      },
      to: {
        pathNot: '^packages/siwx/src/((page|message)/|(account|hex|nonce|times|types|index)\\.ts$)',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'siwx-stands-alone',
      comment: 'It is published: whatever is private to this repository would be missing.',
      severity: 'error',
      from: { path: '^packages/siwx/src', pathNot: '\\.test\\.ts$|/testing/' },
      to: { path: '^(apps|packages)/', pathNot: '^packages/siwx/' },
    },
    {
      name: 'ui-knows-no-wallet',
      severity: 'error',
      from: { path: inHost('ui'), pathNot: '\\.test\\.tsx?$' },
      to: {
        path: ['^apps/modal-host/src/(views|session|connectors|chains|link|services|modal)/', '^packages/protocol'],
      },
    },
    {
      name: 'connectors-and-chains-never-import-views',
      severity: 'error',
      from: { path: '^apps/modal-host/src/(connectors|chains|session|link|services)/' },
      to: { path: '^apps/modal-host/src/(views|ui|modal)/' },
    },
    {
      name: 'views-reach-wallets-through-session',
      severity: 'error',
      from: { path: inHost('views'), pathNot: '\\.test\\.tsx?$' },
      to: { path: '^apps/modal-host/src/(connectors|link)/' },
    },
    {
      name: 'embedded-wallet-stands-alone',
      severity: 'error',
      comment: 'Chain code without a wallet is shared; whatever knows the modal is not.',
      from: { path: inHost('(embedded-wallet|wallet-window)') },
      to: {
        path: '^(apps|packages)/',
        pathNot: [
          inHost('(embedded-wallet|wallet-window|chains|services)'),
          '^apps/modal-host/src/link/(failure|as-failure|budget)\\.ts$',
          '^apps/modal-host/src/session/testing/manual-clock\\.ts$',
          '^packages/protocol',
          '^apps/modal-host/node_modules/',
        ],
      },
    },
    {
      name: 'gateway-and-host-do-not-know-each-other',
      severity: 'error',
      from: { path: '^apps/(gateway|modal-host)/src', pathNot: '/testing/' },
      to: { path: '^(apps/(gateway|modal-host|demo)|packages/(client-sdk|devnet))/src', pathNot: '^apps/$1/src' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^(apps|packages)/[^/]+/dist/', '(^|/)node_modules/\\.', '\\.gen\\.ts$'] },
    tsPreCompilationDeps: 'specify',
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'default'] },
  },
}
