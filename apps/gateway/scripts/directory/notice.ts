/** Says where the directory's data comes from. */
export type SourcePackage = {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly folder: string
}

const gives: Readonly<Record<string, string>> = {
  thirdweb: 'names, home pages, links, reverse domain names, order and pictures of the WalletConnect registry',
  '@rainbow-me/rainbowkit': 'reverse domain names, store links, injected flags, pictures',
  '@sats-connect/core': 'Bitcoin wallets, store links, pictures',
  '@dynamic-labs/wallet-book': 'which chains a wallet injects, store ids, injected flags',
  '@omnisat/lasereyes-core': 'which wallets speak Bitcoin',
  '@web3icons/core': 'pictures of networks and tokens',
  '@web3icons/common': 'which picture belongs to which network',
  'circle-flags': 'flags that stand for currencies',
}

const holders: Readonly<Record<string, string>> = {
  thirdweb: 'thirdweb',
  '@rainbow-me/rainbowkit': 'Copyright (c) 2024 Rainbow',
  '@sats-connect/core': 'Copyright (c) 2025 Secret Key Labs',
  '@dynamic-labs/wallet-book': 'Copyright (c) 2022 Dynamic Labs, Inc.',
  '@omnisat/lasereyes-core': 'Copyright (c) 2024 Laser Eyes',
  '@web3icons/core': '0xa3k5',
  '@web3icons/common': '0xa3k5',
  'circle-flags': 'Copyright (c) HatScripts',
}

export function writeNotice(packages: readonly SourcePackage[]): string {
  const rows = packages.map(({ name, version, license }) => {
    const adapter = name.startsWith('@solana/wallet-adapter-')
    const what = gives[name] ?? (adapter ? 'that the wallet speaks Solana, its name, home page and picture' : '')
    const holder = holders[name] ?? (adapter ? 'Solana Foundation' : '')
    return `| \`${name}\` ${version} | ${license} | ${holder} | ${what} |`
  })
  return `# Where this directory comes from

\`scripts/import-directory.ts\` made these files from the packages below. \`wallets.json\` and \`assets.json\` are compiled from them; pictures
are theirs, SVG files rewritten so that they hold nothing but drawing.

| package | licence | holder | what it gives |
|---|---|---|---|
${rows.join('\n')}

The licences are those that each package states; their texts are in the packages. Names and logos are trademarks of their owners and are shown to
name their products, nothing more. Being listed is no recommendation: every entry's \`badge_type\` is \`none\`, because no source says who is certified.

\`chains\` names one network for each namespace that a wallet is known to speak: \`eip155:1\` stands for all EVM networks. What a source does not say
is left out.
`
}
