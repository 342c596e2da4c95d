/** A third-party dapp with the script tag, on any origin. */

/** Attributes of the page wallet's script: the user's extension. */
export type VisitorWallet = {
  readonly name: string
  readonly rdns: string
  /** Index in the devnet's mnemonic. */
  readonly account: number
  /** More accounts that the dapp sees. */
  readonly others?: readonly number[]
  /** Default: 31337. */
  readonly chain?: number
  /** Also `window.ethereum`, like wallets before EIP-6963. */
  readonly legacy?: boolean
  readonly locked?: boolean
  /** Only `window.ethereum`. */
  readonly silent?: boolean
  /** Default: both devnet chains. */
  readonly knows?: readonly DevnetChain[]
}

type DevnetChain = 31337 | 31338

export type OtherWallet = {
  readonly kind: 'solana' | 'bitcoin' | 'multi'
  /** Default: `standard`, Wallet Standard. */
  readonly as?: 'standard' | 'unisat' | 'xverse' | 'leather' | 'okx' | 'phantom'
  readonly account: number
  readonly locked?: boolean
}

export type Dapp = {
  /** Also serves `/postern.js`. */
  readonly host: string
  readonly projectId?: string
  readonly networks?: string
  readonly wallets?: readonly (VisitorWallet | OtherWallet)[]
  /** `{theme: 'dark'}` for `data-theme`. */
  readonly attributes?: Readonly<Record<string, string>>
  readonly head?: string
  /** A script tag without `async`: it runs before the scripts below it. */
  readonly isBlocking?: boolean
  /** Replaces the script tag; must set `window.Postern`. */
  readonly module?: (host: string) => string
  readonly body?: string
}

const walletNetworks = {
  31337: { chainId: 31337, name: 'Postern Devnet', rpcUrl: 'http://127.0.0.1:8545' },
  31338: { chainId: 31338, name: 'Postern Devnet Two', rpcUrl: 'http://127.0.0.1:8546' },
}

export const bothChains = 'eip155:31337 eip155:31338'
export const solanaNetwork = 'solana:PosternDevnet1111111111111111111'
export const bitcoinNetwork = 'bip122:0f9188f13cb7b2c71f2a335e3a4fc328'
export const allChains = `${bothChains} ${solanaNetwork} ${bitcoinNetwork}`

export const solanaWallet = (account: number): OtherWallet => ({ kind: 'solana', account })
export const bitcoinWallet = (account: number, as?: OtherWallet['as']): OtherWallet => ({
  kind: 'bitcoin',
  account,
  ...(as && { as }),
})
export const multiWallet = (account: number): OtherWallet => ({ kind: 'multi', account })

export const devnetWallet = (account: number): VisitorWallet => ({
  name: 'Devnet Wallet',
  rdns: 'dev.postern.devnet-wallet',
  account,
})

export const secondWallet = (account: number): VisitorWallet => ({
  name: 'Second Wallet',
  rdns: 'dev.postern.second-wallet',
  account,
})

export function dappPage(dapp: Dapp): string {
  const data = {
    ...(dapp.projectId === '' ? {} : { 'project-id': dapp.projectId ?? 'demo' }),
    networks: dapp.networks ?? bothChains,
  }
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>A dapp</title>
${dapp.head ?? ''}
${(dapp.wallets ?? []).map(walletTag).join('\n')}
${
  dapp.module === undefined
    ? `<script src="${dapp.host}/postern.js"${attributes({ ...data, ...dapp.attributes })}${dapp.isBlocking ? '' : ' async'}></script>`
    : `<script type="module">${dapp.module(dapp.host)}</script>`
}
</head>
<body>
${dapp.body ?? '<main><h1>A dapp</h1><p><postern-button></postern-button></p></main>'}
</body>
</html>`
}

export function walletTag(wallet: VisitorWallet | OtherWallet): string {
  if ('kind' in wallet) {
    const { kind, as, account, locked } = wallet
    const data = { kind, ...(as && { as }), account: String(account), ...(locked && { locked: '' }) }
    return `<script src="/page-wallet.js"${attributes(data)}></script>`
  }
  const data = {
    name: wallet.name,
    rdns: wallet.rdns,
    account: String(wallet.account),
    chain: String(wallet.chain ?? 31337),
    ...(wallet.others ? { others: wallet.others.join(' ') } : {}),
    ...(wallet.legacy ? { legacy: '' } : {}),
    ...(wallet.locked ? { locked: '' } : {}),
    ...(wallet.silent ? { announce: 'false' } : {}),
    ...(wallet.knows ? { networks: JSON.stringify(wallet.knows.map((chain) => walletNetworks[chain])) } : {}),
  }
  return `<script src="/page-wallet.js"${attributes(data)}></script>`
}

function attributes(data: Readonly<Record<string, string>>): string {
  return Object.entries(data)
    .map(([name, value]) => ` data-${name}="${escapeAttribute(value)}"`)
    .join('')
}

const escapeAttribute = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
