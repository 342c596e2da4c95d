/** Allowed import directions; see docs/internals/architecture.md. */
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
      from: { path: '^packages/ui/src', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^(apps|packages)/', pathNot: '^packages/ui/' },
    },
    {
      name: 'chains-and-link-stand-on-protocol',
      severity: 'error',
      from: { path: '^packages/(chains|link)/src', pathNot: '\\.test\\.ts$|/testing/' },
      to: { path: '^(apps|packages)/', pathNot: ['^packages/$1/', '^packages/protocol/src'] },
    },
    {
      name: 'connectors-and-connections-never-import-views',
      severity: 'error',
      from: {
        path: '^apps/modal-host/src/(connectors|connections|requests|embedded|snapshot|page-link|services|intent)/',
      },
      to: { path: '^(apps/modal-host/src/(views|view-kit|boot)|packages/ui)/' },
    },
    {
      name: 'views-reach-wallets-through-the-host',
      severity: 'error',
      from: { path: inHost('(views|view-kit)'), pathNot: '\\.test\\.tsx?$' },
      to: { path: '^apps/modal-host/src/connectors/' },
    },
    {
      name: 'boot-imports-only-what-the-first-paint-needs',
      severity: 'error',
      from: { path: inHost('boot'), pathNot: '\\.test\\.tsx?$|/testing/' },
      to: {
        path: '^(apps|packages)/',
        pathNot: ['^apps/modal-host/src/(boot|host|snapshot|view-kit)/', '^packages/(protocol|ui)/src/'],
        dynamic: false,
      },
    },
    {
      name: 'boot-fetches-only-features-and-views',
      severity: 'error',
      from: { path: inHost('boot'), pathNot: '\\.test\\.tsx?$|/testing/' },
      to: { path: '^(apps|packages)/', pathNot: inHost('(features|views)'), dynamic: true },
    },
    {
      name: 'only-the-page-imports-boot',
      comment: 'What others need of it belongs to `view-kit`.',
      severity: 'error',
      from: { path: '^(apps|packages)/', pathNot: '^apps/modal-host/(src/boot|gallery)/|\\.test\\.tsx?$' },
      to: { path: inHost('boot') },
    },
    {
      name: 'wallet-stands-alone',
      severity: 'error',
      from: { path: '^apps/wallet/src' },
      to: { path: '^(apps|packages)/', pathNot: ['^apps/wallet/', '^packages/(protocol|link|chains|ui)/'] },
    },
    {
      name: 'gateway-and-host-do-not-know-each-other',
      severity: 'error',
      from: { path: '^apps/(gateway|modal-host|wallet)/src', pathNot: '/testing/' },
      to: {
        path: '^(apps/(gateway|modal-host|wallet|demo)|packages/(client-sdk|devnet))/src',
        pathNot: '^apps/$1/src',
      },
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
