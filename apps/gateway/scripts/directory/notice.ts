import type { ExplorerSource } from './explorer-ids'

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
  '@reown/appkit-wallet-button': 'ids of the WalletConnect explorer',
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
  '@reown/appkit-wallet-button': 'Reown, Inc.',
  '@web3icons/core': '0xa3k5',
  '@web3icons/common': '0xa3k5',
  'circle-flags': 'Copyright (c) 2026 HatScripts',
}

/** Packages whose LICENSE file differs from `package.json`. */
const licenseFiles: Readonly<Record<string, string>> = {
  '@sats-connect/core': 'ISC by its package.json, MIT by its LICENSE',
  '@omnisat/lasereyes-core': 'MIT by its LICENSE',
}

const mit = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the
"Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the
following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY
CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE
OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`

export function writeNotice(packages: readonly SourcePackage[], explorerSources: readonly ExplorerSource[]): string {
  const rows = packages.map(({ name, version, license }) => {
    const adapter = name.startsWith('@solana/wallet-adapter-')
    const what = gives[name] ?? (adapter ? 'that the wallet speaks Solana, its name, home page and picture' : '')
    const holder = holders[name] ?? (adapter ? 'Solana Foundation' : '')
    return `| \`${name}\` ${version} | ${licenseFiles[name] ?? license} | ${holder} | ${what} |`
  })
  const explorerRows = explorerSources.map(
    ({ name, version, license, holder, ids }) =>
      `| \`${name}\` ${version} | ${license} | ${holder} | wallets with an id from it: ${Object.keys(ids).length} |`,
  )
  return `# Where this directory comes from

\`scripts/import-directory.ts\` made these files from the packages below. \`wallets.json\` and \`assets.json\` are compiled from them; pictures
are theirs, SVG files rewritten so that they hold nothing but drawing.

| package | licence | holder | what it gives |
|---|---|---|---|
${rows.join('\n')}

The text of Apache-2.0 is in this project's LICENSE, that of MIT below, with the holders of the table. Names and logos are trademarks of their owners and are shown to
name their products, nothing more. Being listed is no recommendation: every entry's \`badge_type\` is \`none\`, because no source says who is certified.

\`chains\` names one network for each namespace that a wallet is known to speak: \`eip155:1\` stands for all EVM networks. What a source does not say
is left out.

## Ids of the WalletConnect explorer

Beside the package above, these openly licensed copies and excerpts of the explorer's list gave ids. \`scripts/directory/explorer-ids.ts\` has each id with its
source (a repository at a commit, or an npm package) and the file there. Only ids and which wallet they name were taken.

| source | licence | holder | what it gives |
|---|---|---|---|
${explorerRows.join('\n')}

## Tokens

\`tokens.json\` was written by hand: the addresses of well-known tokens as their issuers publish them, with the checksum of EIP-55, and as name, symbol and decimals what
the contracts there answer.

## The MIT License

${mit}
`
}
